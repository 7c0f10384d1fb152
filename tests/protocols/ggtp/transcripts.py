"""Transcripts of the commands of Table 1, with good and bad arguments: commands, and what the Rules answer."""

from __future__ import annotations

import ludens
from ludens.protocols.ggtp.engines.registry import engine_names
from ludens.protocols.ggtp.language.commands import SUPERVISOR
from ludens.protocols.ggtp.rules import rule_names

BEGUN = """
set_rule TicTacToe
= Done
start
= Done
"""
OPTIONS = "depth=0, cut=on, others=paranoid, evaluation=auto, chance=star, memory=0, wide=off"
ENGINE = """
set_rule TicTacToe
= Done
set_engine Circle Minimax
= Done
"""
TRANSCRIPTS = {
    "get_version": f"get_version\n= ludens {ludens.__version__}\nget_version now\n? get_version takes no arguments",
    "quit": "quit now\n? quit takes no arguments\nquit\n= Done",
    "load_file": """
load_file
? load_file needs: load_file filename
load_file /nowhere/at all.ggtp
? /nowhere/at all.ggtp: No such file or directory.""",
    "save_file": """
save_file
? save_file needs: save_file filename
save_file /nowhere/play.ggtp
? /nowhere/play.ggtp: No such file or directory.""",
    "close_file": """
close_file
? No file is open. Use save_file to write one.
close_file x
? close_file takes no arguments""",
    "files": """
set_rule TicTacToe
= Done
start
= Done
save_file my play.ggtp
= Done
play Cross A1
= Done
close_file
= Done
play Circle B2
= Done
load_file my play.ggtp
= Done
list_played_moves
= Cross A1
list_played_moves Cross
? list_played_moves takes no arguments""",
    "list_commands": f"""
list_commands
= {", ".join(SUPERVISOR)}
list_commands all
? list_commands takes no arguments
get_commands
= {", ".join(SUPERVISOR)}
get_commands all
? list_commands takes no arguments""",
    "list_rules": f"list_rules\n= {', '.join(rule_names())}\nlist_rules all\n? list_rules takes no arguments",
    "list_engines": f"""
list_engines
= human, {", ".join(engine_names())}, process
list_engines all
? list_engines takes no arguments""",
    "get_possible_moves": f"""
get_possible_moves
? No rule is set. Use set_rule to choose one.
{BEGUN}
get_possible_moves
= Cross=A1, B1, C1, A2, B2, C2, A3, B3, C3
get_result 2
? There is no table 2; the Rules: table 1 only.""",
    "known_command": """
known_command play
= true
known_command get_possible_moves
= true
known_command dance
= false
known_command
? known_command needs: known_command command""",
    "list_options": """
list_options
= show_command=off, show_when_play=off, show_possible_moves=off, show_results=off, show_table=off, genmove=off, \
show_engines=off, seed=1, move_time=0, game_time=0, turn_limit=0, messages=off, show_messages=off
list_options all
? list_options takes no arguments""",
    "get_option": """
get_option genmove
= off
get_option get_possible_moves
= off
get_option colour
? No option named colour (options: show_command, show_when_play, show_possible_moves, show_results, show_table, \
genmove, show_engines, seed, move_time, game_time, turn_limit, messages, \
show_messages).
get_option
? get_option needs: get_option option""",
    "list_option_choices": """
list_option_choices show_table
= on, off
list_option_choices move_time
= a number, between 0 and 86400.0
list_option_choices
? list_option_choices needs: list_option_choices option""",
    "set_option": """
set_option genmove on
= Done
get_option genmove
= on
set_option genmove perhaps
? Option genmove is on, off, not perhaps.
set_option move_time -1
? Option move_time is a number, between 0 and 86400.0, not -1.
set_option genmove
? set_option needs: set_option option value""",
    "set_rule": """
get_rule
? No rule is set. Use set_rule to choose one.
set_rule
? set_rule needs: set_rule rule
set_rule xyzzy
? there is no game 'xyzzy' in the library; 'ludens games' lists all games.
set_rule nim:3,4,5
= Done
get_rule
= nim:3,4,5
get_rule x
? get_rule takes no arguments""",
    "list_rule_options": """
list_rule_options
? No rule is set. Use set_rule to choose one.
set_rule GoMoku
= Done
list_rule_options
= size=15, line=at least five, starting_player=Black
set_rule nim:3,4
= Done
list_rule_options
= parameters=3\\,4""",
    "get_rule_option": """
set_rule TicTacToe
= Done
get_rule_option starting_player
= Cross
get_rule_option size
? No option named size (options: starting_player).
get_rule_option
? get_rule_option needs: get_rule_option option""",
    "list_rule_option_choices": """
set_rule TicTacToe
= Done
list_rule_option_choices starting_player
= Cross, Circle
list_rule_option_choices
? list_rule_option_choices needs: list_rule_option_choices option""",
    "set_rule_option": """
set_rule_option size 9
? No rule is set. Use set_rule to choose one.
set_rule GoMoku
= Done
set_rule_option size 9
= Done
set_rule_option line exactly five
= Done
set_rule_option size nine
? option 'size' takes a value of type int, not 'nine'.
set_rule_option starting_player White
= Done
start
= Done
list_possible_moves Black
= Black=
list_rule_options
= size=9, line=exactly five, starting_player=White
set_rule_option size
? set_rule_option needs: set_rule_option option value""",
    "list_players": """
list_players
? No rule is set. Use set_rule to choose one.
set_rule connect_four_3p
= Done
list_players
= red=human, yellow=human, blue=human""",
    "set_engine": """
set_engine Circle Minimax
? No rule is set. Use set_rule to choose one.
set_rule TicTacToe
= Done
set_engine Triangle Minimax
? No player named Triangle (players: Cross, Circle).
set_engine Circle
? set_engine needs: set_engine player engine
set_engine Circle minimax
= Done
get_engine Circle
= Minimax
list_players
= Cross=human, Circle=Minimax
set_engine Circle human
= Done
get_engine Circle
= human
get_engine
? get_engine needs: get_engine player""",
    "list_engine_options": f"""{ENGINE}
list_engine_options Circle
= {OPTIONS}, time=1, start_time=5, tables=1, ponder=off
list_engine_options Cross
? Cross is human and has no engine. Use set_engine to give it one.
list_engine_options
? list_engine_options needs: list_engine_options player""",
    "get_engine_option": f"""{ENGINE}
get_engine_option Circle Depth
= 0
get_engine_option Circle Height
? The engine has no such option.
get_engine_option Circle
? get_engine_option needs: get_engine_option player option""",
    "list_engine_option_choices": f"""{ENGINE}
list_engine_option_choices Circle others
= paranoid, maxn, rival
list_engine_option_choices Circle Depth
= a whole number, between 0 and 1000
list_engine_option_choices Circle Height
? The engine has no such option.
list_engine_option_choices Circle
? list_engine_option_choices needs: list_engine_option_choices player option""",
    "set_engine_option": f"""{ENGINE}
set_engine_option Circle Depth 8
= Done
get_engine_option Circle depth
= 8
set_engine_option Circle Depth deep
? The option of the engine cannot have this value.
set_engine_option Circle Height 8
? The engine has no such option.
set_engine_option Circle Depth
? set_engine_option needs: set_engine_option player option value""",
    "start": """
start
? No rule is set. Use set_rule to choose one.
set_rule TicTacToe
= Done
start now
? start takes no arguments
set_option show_possible_moves on
= Done
start
-> Cross=A1, B1, C1, A2, B2, C2, A3, B3, C3
= Done""",
    "list_possible_moves": f"""{BEGUN}
play Cross B2
= Done
list_possible_moves
= Circle=A1, B1, C1, A2, C2, A3, B3, C3
list_possible_moves 1
= Circle=A1, B1, C1, A2, C2, A3, B3, C3
list_possible_moves Cross
= Cross=
list_possible_moves Circle 1
= Circle=A1, B1, C1, A2, C2, A3, B3, C3
list_possible_moves 2
? There is no table 2; the Rules: table 1 only.
list_possible_moves Triangle
? No player named Triangle (players: Cross, Circle).""",
    "get_result": f"""{BEGUN}
get_result
= unfinished
play Cross A1
= Done
play Circle B1
= Done
play Cross A2
= Done
play Circle B2
= Done
set_option show_results on
= Done
play Cross A3
-> Cross=winner 100, Circle=loser 0
= Done
get_result
= Cross=winner 100, Circle=loser 0
get_result Circle
= Cross=winner 100, Circle=loser 0
list_possible_moves
=
play Circle C3
? No move named C3 for player Circle.""",
    "get_table": f"""
get_table
? No rule is set. Use set_rule to choose one.{BEGUN}
play Cross A1
= Done
get_table
=
    3 . . .
    2 . . .
    1 X . .
      A B C
get_table Circle 7
? There is no table 7; Circle: table 1 only.""",
    "get_last_move": f"""{BEGUN}
get_last_move
? No move was made yet.
play Cross A1
= Done
get_last_move
= Cross A1
get_last_move please
? get_last_move takes no arguments""",
    "list_played_moves": f"""{BEGUN}
list_played_moves
=
play Cross A1
= Done
play Circle C3
= Done
list_played_moves
= Cross A1, Circle C3""",
    "play": f"""
play Cross A1
? No rule is set. Use set_rule to choose one.
set_rule TicTacToe
= Done
play Cross A1
? The play has not begun. Use start to begin it.{BEGUN}
play Cross
? play needs: play player move
play Triangle A1
? No player named Triangle (players: Cross, Circle).
play Circle A1
? No move named A1 for player Circle.
play cross\t  a1\t
= Done
play Cross D7 and more words
? No move named D7 and more words for player Cross.""",
    "force_play": f"""{ENGINE}
start
= Done
force_play Cross A1
= Done
play Circle B2
? Circle is played by Minimax. Use force_play to move for it.
force_play Circle B2
= Done
force_play Circle B3
? No move named B3 for player Circle.
force_play Circle
? force_play needs: force_play player move
list_played_moves
= Cross A1, Circle B2""",
    "genmove": f"""{BEGUN}
genmove
? No engine is to move.
set_engine Cross legal
= Done
set_option show_when_play on
= Done
genmove
= Done
-> Cross plays A1
genmove Cross
? genmove takes no arguments""",
    "undo and redo": f"""{BEGUN}
undo
? There is no move to undo.
redo
? There is no move to redo.
play Cross A1
= Done
set_option show_when_play on
= Done
undo
-> Undoing a move
= Done
redo
-> Redoing a move
= Done
get_last_move
= Cross A1
undo
-> Undoing a move
= Done
play Cross B2
-> Cross plays B2
= Done
redo
? There is no move to redo.
undo now
? undo takes no arguments
redo now
? redo takes no arguments""",
    "unknown": """
Play Cross A1
? Unknown command Play. Use list_commands to see commands.
dance\ttonight
? Unknown command dance. Use list_commands to see commands.""",
    "show_command": """
set_option show_command on
= Done
get_option   genmove
-> get_option genmove
= off""",
    "show_table": """
set_rule TicTacToe
= Done
set_option show_table on
= Done
start
->
    3 . . .
    2 . . .
    1 . . .
      A B C
= Done""",
}
