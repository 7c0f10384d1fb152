"""Transcripts of the commands that the paper does not have, with good and bad arguments."""

from __future__ import annotations

EXPLORED = """
set_rule TicTacToe
= Done
start
= Done
play Cross A1
= Done
play Circle B2
= Done
undo
= Done
play Circle C3
= Done
play Cross B1
= Done
"""
EXTENSIONS = {
    "wait": "wait\n= Done\nwait long\n? wait takes no arguments",
    "turn_limit": """
set_rule TicTacToe
= Done
set_option show_results on
= Done
set_option turn_limit 2
= Done
start
= Done
play Cross A1
= Done
play Circle B2
-> unfinished
= Done
play Cross C3
? The play was stopped after 2 turns; set_option turn_limit allows more.
genmove
? The play was stopped after 2 turns; set_option turn_limit allows more.
force_play Cross C3
-> unfinished
= Done
set_option turn_limit many
? Option turn_limit is a whole number, between 0 and 1000000000, not many.""",
    "set_clock": """
set_clock Cross 1 60
? No rule is set. Use set_rule to choose one.
set_rule TicTacToe
= Done
set_clock Cross 1.5 60
= Done
get_clock Cross
= move_time=1.5, game_time=60
get_clock Circle
= move_time=0, game_time=0
set_option game_time 30
= Done
get_clock circle
= move_time=0, game_time=30
get_clock Cross
= move_time=1.5, game_time=60
set_clock Cross 1
? set_clock needs: set_clock player move_time game_time
set_clock Cross soon 60
? Seconds are a number between 0 and 86400, not soon.
set_clock Cross 1 -3
? Seconds are a number between 0 and 86400, not -3.
set_clock Cross nan 3
? Seconds are a number between 0 and 86400, not nan.
set_clock Triangle 1 1
? No player named Triangle (players: Cross, Circle).
get_clock
? get_clock needs: get_clock player""",
    "set_used": """
set_rule TicTacToe
= Done
set_used Cross 3
? The play has not begun. Use start to begin it.
start
= Done
set_used Cross 3.25
= Done
get_clock Cross
= move_time=0, game_time=0, used=3.25
set_used Cross never
? Seconds are a number between 0 and 86400, not never.
set_used Cross
? set_used needs: set_used player seconds""",
    "say": """
say Cross all hello
? No rule is set. Use set_rule to choose one.
set_rule TicTacToe
= Done
start
= Done
say Cross all hello
? The rule does not let players talk; set_option messages on allows it.
set_option messages on
= Done
say Cross all hello
= Done
list_messages
=
  Cross to Circle: hello
say Cross Cross hello
? No other player named Cross (players: Circle, all).
say Triangle all hello
? No player named Triangle (players: Cross, Circle).
say Cross all
? say needs: say player players text""",
    "list_messages": """
list_messages
? No rule is set. Use set_rule to choose one.
set_rule TicTacToe
= Done
start
= Done
list_messages
= none
list_messages Cross
? list_messages takes no arguments""",
    "list_guests": "list_guests\n= none\nlist_guests all\n? list_guests takes no arguments",
    "wait_for": """
wait_for Anna 0
? Anna did not come within 0 s.
wait_for Anna soon
? Seconds are a number between 0 and 86400, not soon.
wait_for
? wait_for needs: wait_for guest [seconds]""",
    "dismiss": """
dismiss Anna
? There is no guest Anna. Use list_guests to see who is here.
dismiss
? dismiss needs: dismiss guest""",
    "shut_down": "shut_down now\n? shut_down takes no arguments\nshut_down\n= Done",
    "list_branches": f"""
list_branches
? No rule is set. Use set_rule to choose one.
{EXPLORED}
list_branches
=
  2: Cross A1, Circle B2
  4 from 1: Circle C3, Cross B1
list_branches 2
? list_branches takes no arguments""",
    "get_branch": f"""
{EXPLORED}
get_branch
= 4
undo
= Done
get_branch
= 3
get_branch 1
? get_branch takes no arguments""",
    "select_branch": f"""
{EXPLORED}
set_option show_when_play on
= Done
select_branch 2
-> Going to 2
= Done
list_played_moves
= Cross A1, Circle B2
list_possible_moves
= Cross=B1, C1, A2, C2, A3, B3, C3
select_branch 7
? No branch 7. Use list_branches to see all; every number of a turn is one.
select_branch
? select_branch needs: select_branch branch
select_branch 0
-> Going to 0
= Done
list_played_moves
=
redo
-> Redoing a move
= Done
redo
-> Redoing a move
= Done
list_played_moves
= Cross A1, Circle B2""",
    "name_branch": f"""
{EXPLORED}
name_branch 2 centre
= Done
name_branch 1 corner opening
= Done
list_branches
=
  1=corner_opening: Cross A1
  2=centre from 1: Circle B2
  4 from 1: Circle C3, Cross B1
select_branch centre
= Done
get_branch
= 2=centre
name_branch 4 centre
? Another branch is called centre.
name_branch 4 4
? A name is not a number.
name_branch 4
? name_branch needs: name_branch branch name""",
    "comment_branch": f"""
{EXPLORED}
comment_branch 2 the only move\\nthat draws
= Done
get_comment 2
= the only move
  that draws
get_comment 3
? There is no comment on 3.
get_comment
? get_comment needs: get_comment branch
comment_branch 2
? comment_branch needs: comment_branch branch text
set_option show_when_play on
= Done
select_branch 2
-> Going to 2
-> # the only move
  that draws
= Done""",
    "delete_branch": f"""
{EXPLORED}
delete_branch 3
? The play is in this branch. Use select_branch to go elsewhere first.
delete_branch 2
= Done
list_branches
=
  4: Cross A1, Circle C3, Cross B1
select_branch 1
= Done
delete_branch 3
= Done
list_branches
=
  1: Cross A1
redo
? There is no move to redo.
play Circle B2
= Done
get_branch
= 5
delete_branch 0
? The play is in this branch. Use select_branch to go elsewhere first.
delete_branch
? delete_branch needs: delete_branch branch""",
}
