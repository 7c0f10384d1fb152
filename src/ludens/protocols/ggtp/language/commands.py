"""The tables of the protocol: commands of a Supervisor, the Rules and an Engine, and the extensions."""

from __future__ import annotations

from ludens.protocols.ggtp.language.grammar import MOVE, Command

_VIEW = ("player", "table")

TABLE_1 = (
    Command("get_version", description="the version of the program"),
    Command("quit", description="leave"),
    Command("load_file", ("filename",), description="read a play from a file"),
    Command("save_file", ("filename",), description="write the play so far to a file, and go on recording to it"),
    Command("close_file", description="end recording"),
    Command("list_commands", description="all commands"),
    Command("known_command", ("command",), description="whether there is such a command"),
    Command("list_options", description="the options of the Rules, with their values"),
    Command("get_option", ("option",), description="the value of an option"),
    Command("list_option_choices", ("option",), description="the values that an option can have"),
    Command("set_option", ("option", "value"), recorded=True, description="set an option"),
    Command("list_rules", description="the rules that can be played"),
    Command("set_rule", ("rule",), recorded=True, description="choose the rule: a name of the library or a path"),
    Command("get_rule", description="the rule chosen"),
    Command("list_rule_options", description="the options of the rule, with their values"),
    Command("get_rule_option", ("option",), description="the value of an option of the rule"),
    Command("list_rule_option_choices", ("option",), description="the values that an option of the rule can have"),
    Command("set_rule_option", ("option", "value"), recorded=True, description="set an option of the rule"),
    Command("list_players", description="the players, and who plays them"),
    Command("list_engines", description="the engines that can play"),
    Command("set_engine", ("player", "engine"), recorded=True, description="let an engine play, or a human"),
    Command("get_engine", ("player",), description="who plays a player"),
    Command("list_engine_options", ("player",), description="the options of a player's engine, with their values"),
    Command("get_engine_option", ("player", "option"), description="the value of an option of an engine"),
    Command("list_engine_option_choices", ("player", "option"), description="the values that it can have"),
    Command(
        "set_engine_option", ("player", "option", "value"), recorded=True, description="set an option of an engine"
    ),
    Command("start", recorded=True, description="begin the play"),
    Command("list_possible_moves", _VIEW, 2, description="the possible moves, as the Rules or a player see them"),
    Command("get_result", _VIEW, 2, description="the result, as the Rules or a player see it"),
    Command("get_table", _VIEW, 2, description="the table, as the Rules or a player see it"),
    Command("get_last_move", description="the move that was made last"),
    Command("list_played_moves", description="all moves that were made"),
    Command("play", ("player", MOVE), description="make a move as a human player"),
    Command("force_play", ("player", MOVE), description="make a move as the Supervisor, whoever plays the player"),
    Command("genmove", description="let the engines play that are to move"),
    Command("undo", description="take the last move back"),
    Command("redo", description="make the move again that was taken back"),
)
"""Supervisor to Rules, commands 1 to 37, in the order of the paper."""

CLOCKS = (
    Command(
        "set_clock",
        ("player", "move_time", "game_time"),
        recorded=True,
        description="seconds that a player has for each move and for all moves; 0 for no limit",
    ),
    Command("get_clock", ("player",), description="the clock of a player, and the seconds that it has used"),
    Command("set_used", ("player", "seconds"), recorded=True, description="what a player has used of its clock"),
)
"""Supervisor to Rules, beyond the paper: time."""

MESSAGES = (
    Command(
        "say",
        ("player", "players", "text"),
        recorded=True,
        description="let a player say something to others, separated by commas, or to all",
    ),
    Command("list_messages", description="what players have said on the way to the current position"),
)
"""Supervisor to Rules, beyond the paper: deliberation."""

BRANCHES = (
    Command("list_branches", description="all branches: where each ends, where it leaves an earlier one, its moves"),
    Command("get_branch", description="the number of the turn that was made last, and its name"),
    Command("select_branch", ("branch",), recorded=True, description="go to a turn, by number or name; 0 is the start"),
    Command("name_branch", ("branch", "name"), recorded=True, description="give a turn a name"),
    Command("comment_branch", ("branch", "text"), recorded=True, description="comment on a turn"),
    Command("get_comment", ("branch",), description="the comment on a turn"),
    Command("delete_branch", ("branch",), recorded=True, description="forget a turn and all that were made after it"),
)
"""Supervisor to Rules, beyond the paper: other lines of the same play."""

GUESTS = (
    Command("list_guests", description="who is connected from elsewhere, and whom they play"),
    Command("wait_for", ("guest", "seconds"), 1, description="wait until somebody is connected, 60 s if left out"),
    Command("dismiss", ("guest",), description="end somebody's connection"),
    Command("shut_down", description="end the Rules, with all connections"),
)
"""Supervisor to Rules, beyond the paper: remote connections."""

SUPERVISOR_EXTENSIONS = (
    Command("wait", description="wait until no engine has to play, and no guest"),
    *CLOCKS,
    *MESSAGES,
    *BRANCHES,
    *GUESTS,
)
"""Supervisor to Rules, beyond the paper."""

POSITIONING = frozenset({"play", "force_play", "genmove", "undo", "redo", "select_branch"})
"""Commands about the current position: on a pipe and in files they wait until no engine has to play."""

RESTORING = frozenset({"force_play", "select_branch", "name_branch", "comment_branch", "set_used", "say"})
"""Commands that restore a play file; between those of a file, the Rules do nothing by themselves."""

ALIASES = {"get_commands": "list_commands", "get_possible_moves": "list_possible_moves"}
"""Other names of commands, which the paper's example uses."""

TABLE_2 = (
    Command("connect_engine", description="begin"),
    Command("disconnect_engine", description="end"),
    Command("list_options", description="the options with their values"),
    Command("get_option", ("option",), description="the value of an option"),
    Command("list_option_choices", ("option",), description="the values that it can have"),
    Command("set_option", ("option", "value"), description="set it"),
    Command("start", description="a play begins"),
    Command("list_possible_moves", ("table",), description="the moves on one of the engine's tables"),
    Command("get_result", ("table",), description="the result on it"),
    Command("get_table", ("table",), description="the table"),
    Command("have_to_play", ("delay",), 1, description="choose a move, within so many seconds"),
    Command("made_move", ("player", MOVE), description="a move was made"),
    Command("illegal_move", (MOVE, "any"), 1, description="the engine's move was refused, and why"),
    Command("undone_move", description="the last turn was taken back"),
    Command("redone_move", description="a turn that was taken back is played again"),
)
"""Rules to Engines, commands 38 to 52."""

ENGINE_EXTENSIONS = (
    Command("set_rule", ("rule",), description="what is played"),
    Command("set_rule_option", ("option", "value"), description="an option of the rule"),
    Command("set_player", ("player",), description="whom the engine plays"),
    Command("message", ("player", "players", "text"), description="another player says something to the engine's"),
    Command("rule_text", ("text",), description="the rule in GDL on one line, for engines that ask for it"),
    Command("possible_moves", ("moves",), description="what the engine can choose from, before it has to play"),
    Command(
        "percept", ("text",), 1, description="what the rule tells the engine of a turn; without text, the turn ends"
    ),
)
"""Rules to Engines, beyond the paper."""

TABLE_3 = (
    Command("reply", ("requested data",), 1, description="the answer to a question"),
    Command("acknowledge", description="done"),
    Command("invalid_option_name", description="there is no such option"),
    Command("invalid_option_value", description="the option cannot have this value"),
    Command("invalid_table_number", description="there is no such table"),
    Command("select_move", (MOVE,), description="the move chosen"),
)
"""Engines to Rules, commands 53 to 58."""

FROM_ENGINE_EXTENSIONS = (
    Command("capabilities", ("list",), description="what the engine wants to be sent: rules, possible_moves"),
    Command("send_message", ("players", "text"), description="say something to other players, or to all"),
    Command("warn", ("text",), description="what was wrong with the engine's player, for the Supervisor"),
    Command("failed", ("reason",), description="the engine cannot go on, and why; the Supervisor is told"),
)
"""Engines to Rules, beyond the paper."""

SUPERVISOR = {command.name: command for command in (*TABLE_1, *SUPERVISOR_EXTENSIONS)}
"""All commands of a Supervisor, by name."""
TO_ENGINE = {command.name: command for command in (*TABLE_2, *ENGINE_EXTENSIONS)}
"""All commands to an Engine, by name."""
FROM_ENGINE = {command.name: command for command in (*TABLE_3, *FROM_ENGINE_EXTENSIONS)}
"""All commands of an Engine, by name."""
