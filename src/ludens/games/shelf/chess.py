"""Chess by the laws of FIDE: fifty moves without progress are a draw; the third occurrence of a position is one by the
card (`ludens.gdl.repetition`). A number of moves after which the game is drawn is an option, for short games."""

from __future__ import annotations

from ludens.games.generating import Number, read_numbers, successors

FIFTY_MOVES = 100
"""Moves of both players."""
MOST = 2000

SHEET = """
; Chess.
;
; No move is ever tried out on the board to see whether it leaves the king in check. Instead the player to move looks
; along the king's lines: which of them give check, which squares answer the check, and which pieces are pinned. Only
; the king itself needs to know which squares are attacked. Relations about lines do not name the piece that the line
; starts from unless a move needs it, so they stay small.
;
; Squares are a file (a..h) and a rank (1..8); empty squares have no cell. Moves:
;   (move e 2 e 4)   also takes, also en passant      (promote e 7 e 8 queen)      (castle kingside)

(role white)
(role black)
(opponent white black)
(opponent black white)

; --- Start position -------------------------------------------------------------------------------------------------

(init (control white))
(init (quiet 0))
(<= (init (cell ?f ?r ?p ?kind))
    (starts_with ?f ?kind)
    (back_rank ?p ?r))
(<= (init (cell ?f ?r ?p pawn))
    (file ?f)
    (double_step ?p ?r ?m ?s))
(<= (init (can_castle ?p ?side))
    (role ?p)
    (side ?side))

(starts_with a rook) (starts_with b knight) (starts_with c bishop) (starts_with d queen)
(starts_with e king) (starts_with f bishop) (starts_with g knight) (starts_with h rook)
(back_rank white 1)
(back_rank black 8)

; --- Fluents and moves ----------------------------------------------------------------------------------------------

(<= (base (cell ?f ?r ?p ?kind))
    (square ?f ?r)
    (role ?p)
    (kind ?kind))
(<= (base (control ?p))
    (role ?p))
(<= (base (can_castle ?p ?side))
    (role ?p)
    (side ?side))
(<= (base (en_passant ?f))
    (file ?f))
(base (quiet 0))
(<= (base (quiet ?n))
    (after_quiet ?m ?n))

(<= (input ?p (move ?f ?r ?x ?y))
    (role ?p)
    (line_of_squares ?d ?f ?r ?x ?y))
(<= (input ?p (move ?f ?r ?x ?y))
    (role ?p)
    (jump ?d ?f ?r ?x ?y))
(<= (input ?p (promote ?f ?r ?x ?y ?kind))
    (pawn_step ?p ?f ?r ?x ?y)
    (far_rank ?y)
    (promotes_to ?kind))
(<= (input ?p (castle ?side))
    (role ?p)
    (side ?side))
(<= (input ?p noop)
    (role ?p))

(<= (line_of_squares ?d ?f ?r ?x ?y)
    (adjacent ?d ?f ?r ?x ?y))
(<= (line_of_squares ?d ?f ?r ?x ?y)
    (line_of_squares ?d ?f ?r ?v ?w)
    (adjacent ?d ?v ?w ?x ?y))
(<= (pawn_step ?p ?f ?r ?x ?y)
    (forward ?p ?d)
    (adjacent ?d ?f ?r ?x ?y))
(<= (pawn_step ?p ?f ?r ?x ?y)
    (strikes ?p ?d)
    (adjacent ?d ?f ?r ?x ?y))

; --- The board and the pieces ---------------------------------------------------------------------------------------

(right_of a b) (right_of b c) (right_of c d) (right_of d e) (right_of e f) (right_of f g) (right_of g h)
(above 1 2) (above 2 3) (above 3 4) (above 4 5) (above 5 6) (above 6 7) (above 7 8)
(file a) (file b) (file c) (file d) (file e) (file f) (file g) (file h)
(rank 1) (rank 2) (rank 3) (rank 4) (rank 5) (rank 6) (rank 7) (rank 8)
(<= (square ?f ?r)
    (file ?f)
    (rank ?r))

; (adjacent n e 2 e 3): the square north of e2 is e3.
(<= (adjacent n ?f ?r ?f ?s) (file ?f) (above ?r ?s))
(<= (adjacent e ?f ?r ?g ?r) (right_of ?f ?g) (rank ?r))
(<= (adjacent ne ?f ?r ?g ?s) (right_of ?f ?g) (above ?r ?s))
(<= (adjacent nw ?g ?r ?f ?s) (right_of ?f ?g) (above ?r ?s))
(<= (adjacent s ?f ?s ?f ?r) (adjacent n ?f ?r ?f ?s))
(<= (adjacent w ?g ?r ?f ?r) (adjacent e ?f ?r ?g ?r))
(<= (adjacent sw ?g ?s ?f ?r) (adjacent ne ?f ?r ?g ?s))
(<= (adjacent se ?f ?s ?g ?r) (adjacent nw ?g ?r ?f ?s))

(axis n vertical) (axis s vertical) (axis e horizontal) (axis w horizontal)
(axis ne rising) (axis sw rising) (axis nw falling) (axis se falling)
; (across vertical ne): going northeast leaves a vertical line; a knight's jump leaves any line.
(<= (across ?a ?d)
    (axis ?e ?a)
    (axis ?d ?b)
    (distinct ?a ?b))
(<= (across ?a jumping)
    (axis ?d ?a))

; A knight goes one step straight and one step slantwise, away from where it was: north-northeast is n, then ne.
(<= (jump ?d ?f ?r ?x ?y)
    (leap ?d ?straight ?slantwise)
    (adjacent ?straight ?f ?r ?v ?w)
    (adjacent ?slantwise ?v ?w ?x ?y))
(leap nne n ne) (leap ene e ne) (leap ese e se) (leap sse s se)
(leap ssw s sw) (leap wsw w sw) (leap wnw w nw) (leap nnw n nw)

(kind king) (kind queen) (kind rook) (kind bishop) (kind knight) (kind pawn)
(promotes_to queen) (promotes_to rook) (promotes_to bishop) (promotes_to knight)
(glides rook n) (glides rook e) (glides rook s) (glides rook w)
(glides bishop ne) (glides bishop se) (glides bishop sw) (glides bishop nw)
(<= (glides queen ?d) (glides rook ?d))
(<= (glides queen ?d) (glides bishop ?d))

(forward white n)
(forward black s)
(strikes white nw) (strikes white ne)
(strikes black sw) (strikes black se)
(far_rank 1)
(far_rank 8)
; From rank, over rank, to rank.
(double_step white 2 3 4)
(double_step black 7 6 5)
; For the player who takes en passant: the rank that both pawns stand on, the rank it goes to.
(passing_ranks white 5 6)
(passing_ranks black 4 3)

(side kingside)
(side queenside)
; Files that a side's castling needs: where king and rook come from and go to, what must be empty, what must be safe.
(castles_from kingside e) (castles_from kingside h) (castles_from queenside e) (castles_from queenside a)
(castles_to kingside king g) (castles_to kingside rook f) (castles_to queenside king c) (castles_to queenside rook d)
(castles_over kingside f) (castles_over kingside g)
(castles_over queenside b) (castles_over queenside c) (castles_over queenside d)
(king_passes kingside f) (king_passes kingside g) (king_passes queenside d) (king_passes queenside c)

; --- The position as the player to move sees it ---------------------------------------------------------------------

(<= (own ?f ?r ?kind)
    (true (control ?p))
    (true (cell ?f ?r ?p ?kind)))
(<= (foe ?f ?r ?kind)
    (true (control ?p))
    (opponent ?p ?q)
    (true (cell ?f ?r ?q ?kind)))
(<= (own_piece ?f ?r)
    (own ?f ?r ?kind))
(<= (foe_piece ?f ?r)
    (foe ?f ?r ?kind))
(<= (empty ?f ?r)
    (square ?f ?r)
    (not (own_piece ?f ?r))
    (not (foe_piece ?f ?r)))

; --- The king's lines: checks and pins ------------------------------------------------------------------------------

; What the king sees in direction d, up to and including the first piece.
(<= (view ?d ?x ?y)
    (own ?f ?r king)
    (adjacent ?d ?f ?r ?x ?y))
(<= (view ?d ?x ?y)
    (view ?d ?f ?r)
    (empty ?f ?r)
    (adjacent ?d ?f ?r ?x ?y))

(<= (check ?d)
    (view ?d ?f ?r)
    (foe ?f ?r ?kind)
    (glides ?kind ?d))
; A pawn gives check from where the king, were it a pawn, would strike.
(<= (check ?d)
    (true (control ?p))
    (strikes ?p ?d)
    (own ?f ?r king)
    (adjacent ?d ?f ?r ?x ?y)
    (foe ?x ?y pawn))
(<= (check ?d)
    (knight_check ?d ?x ?y))
(<= (knight_check ?d ?x ?y)
    (own ?f ?r king)
    (jump ?d ?f ?r ?x ?y)
    (foe ?x ?y knight))
(<= in_check
    (check ?d))
(<= double_check
    (check ?d)
    (check ?e)
    (distinct ?d ?e))

; Squares on which another piece than the king ends a check: the way to the checking piece, and its own square.
(<= (answer ?x ?y)
    (check ?d)
    (view ?d ?x ?y)
    (not double_check))
(<= (answer ?x ?y)
    (knight_check ?d ?x ?y)
    (not double_check))

; What the king would see in direction d if the first piece, being its own, were not there.
(<= (behind ?d ?x ?y)
    (view ?d ?f ?r)
    (own_piece ?f ?r)
    (adjacent ?d ?f ?r ?x ?y))
(<= (behind ?d ?x ?y)
    (behind ?d ?f ?r)
    (empty ?f ?r)
    (adjacent ?d ?f ?r ?x ?y))
(<= (pin ?d)
    (behind ?d ?f ?r)
    (foe ?f ?r ?kind)
    (glides ?kind ?d))
(<= (pinned ?f ?r ?axis)
    (pin ?d)
    (view ?d ?f ?r)
    (own_piece ?f ?r)
    (axis ?d ?axis))
; A pinned piece is held back from every direction that leaves the line of the pin.
(<= (held ?f ?r ?d)
    (pinned ?f ?r ?axis)
    (across ?axis ?d))

; --- Attacked squares -----------------------------------------------------------------------------------------------

; Lines of attack go through the king, or it could step back along the line and still be in check.
(<= (transparent ?f ?r)
    (empty ?f ?r))
(<= (transparent ?f ?r)
    (own ?f ?r king))
(<= (fire ?d ?x ?y)
    (foe ?f ?r ?kind)
    (glides ?kind ?d)
    (adjacent ?d ?f ?r ?x ?y))
(<= (fire ?d ?x ?y)
    (fire ?d ?f ?r)
    (transparent ?f ?r)
    (adjacent ?d ?f ?r ?x ?y))
(<= (attacked ?x ?y)
    (fire ?d ?x ?y))
(<= (attacked ?x ?y)
    (foe ?f ?r knight)
    (jump ?d ?f ?r ?x ?y))
(<= (attacked ?x ?y)
    (foe ?f ?r king)
    (adjacent ?d ?f ?r ?x ?y))
(<= (attacked ?x ?y)
    (true (control ?p))
    (opponent ?p ?q)
    (strikes ?q ?d)
    (foe ?f ?r pawn)
    (adjacent ?d ?f ?r ?x ?y))

; --- Legal moves ----------------------------------------------------------------------------------------------------

(<= (legal ?p noop)
    (true (control ?q))
    (opponent ?q ?p))
(<= (legal ?p (move ?f ?r ?x ?y))
    (true (control ?p))
    (goes ?f ?r ?x ?y))
(<= (legal ?p (move ?f ?r ?x ?y))
    (true (control ?p))
    (pawn_goes ?f ?r ?x ?y)
    (not (far_rank ?y)))
(<= (legal ?p (promote ?f ?r ?x ?y ?kind))
    (true (control ?p))
    (pawn_goes ?f ?r ?x ?y)
    (far_rank ?y)
    (promotes_to ?kind))
(<= (legal ?p (castle ?side))
    (true (control ?p))
    (true (can_castle ?p ?side))
    (not in_check)
    (not (barred ?side)))

; Where pieces other than the king may go, as far as check is concerned.
(<= (target ?x ?y)
    (square ?x ?y)
    (not (own_piece ?x ?y))
    (not in_check))
(<= (target ?x ?y)
    (answer ?x ?y))

(<= (goes ?f ?r ?x ?y)
    (own ?f ?r king)
    (adjacent ?d ?f ?r ?x ?y)
    (not (own_piece ?x ?y))
    (not (attacked ?x ?y)))
(<= (goes ?f ?r ?x ?y)
    (own ?f ?r knight)
    (not (held ?f ?r jumping))
    (jump ?d ?f ?r ?x ?y)
    (target ?x ?y))
(<= (goes ?f ?r ?x ?y)
    (slide ?d ?f ?r ?x ?y)
    (target ?x ?y))
(<= (slide ?d ?f ?r ?x ?y)
    (own ?f ?r ?kind)
    (glides ?kind ?d)
    (not (held ?f ?r ?d))
    (adjacent ?d ?f ?r ?x ?y))
(<= (slide ?d ?f ?r ?x ?y)
    (slide ?d ?f ?r ?v ?w)
    (empty ?v ?w)
    (adjacent ?d ?v ?w ?x ?y))

(<= (pawn_goes ?f ?r ?f ?s)
    (true (control ?p))
    (forward ?p ?d)
    (own ?f ?r pawn)
    (not (held ?f ?r ?d))
    (adjacent ?d ?f ?r ?f ?s)
    (empty ?f ?s)
    (target ?f ?s))
(<= (pawn_goes ?f ?r ?f ?s)
    (true (control ?p))
    (forward ?p ?d)
    (double_step ?p ?r ?m ?s)
    (own ?f ?r pawn)
    (not (held ?f ?r ?d))
    (empty ?f ?m)
    (empty ?f ?s)
    (target ?f ?s))
(<= (pawn_goes ?f ?r ?x ?y)
    (true (control ?p))
    (strikes ?p ?d)
    (own ?f ?r pawn)
    (not (held ?f ?r ?d))
    (adjacent ?d ?f ?r ?x ?y)
    (foe_piece ?x ?y)
    (target ?x ?y))

(<= (barred ?side)
    (true (control ?p))
    (back_rank ?p ?r)
    (castles_over ?side ?f)
    (not (empty ?f ?r)))
(<= (barred ?side)
    (true (control ?p))
    (back_rank ?p ?r)
    (king_passes ?side ?f)
    (attacked ?f ?r))

; --- Taking en passant ----------------------------------------------------------------------------------------------

; The pawn on file f, rank r, stands beside the pawn on file x that has just gone two steps, and may go to x y.
(<= (passing ?f ?r ?x ?y)
    (true (en_passant ?x))
    (true (control ?p))
    (passing_ranks ?p ?r ?y)
    (strikes ?p ?d)
    (adjacent ?d ?f ?r ?x ?y)
    (own ?f ?r pawn)
    (not (held ?f ?r ?d)))
(<= (pawn_goes ?f ?r ?x ?y)
    (passing ?f ?r ?x ?y)
    (target ?x ?y)
    (not (bared ?f)))
; The pawn that is taken may be the one that gives check; then the king is not on its rank.
(<= (pawn_goes ?f ?r ?x ?y)
    (passing ?f ?r ?x ?y)
    (answer ?x ?r))

; Both pawns vanish from their rank at once: the only capture that can open a line to the king over two pieces.
; (A slanting line over the taken pawn alone was open before its double step, so the king would have been in check.)
(<= (bared ?f)
    (behind_pair ?f ?d ?z ?r)
    (foe ?z ?r ?kind)
    (glides ?kind ?d))
(<= (behind_pair ?f ?d ?z ?r)
    (passing ?f ?r ?x ?y)
    (adjacent ?d ?f ?r ?x ?r)
    (view ?d ?f ?r)
    (adjacent ?d ?x ?r ?z ?r))
(<= (behind_pair ?f ?d ?z ?r)
    (passing ?f ?r ?x ?y)
    (adjacent ?d ?x ?r ?f ?r)
    (view ?d ?x ?r)
    (adjacent ?d ?f ?r ?z ?r))
(<= (behind_pair ?f ?d ?z ?r)
    (behind_pair ?f ?d ?x ?r)
    (empty ?x ?r)
    (adjacent ?d ?x ?r ?z ?r))

; --- The next position ----------------------------------------------------------------------------------------------

; One move is made in each turn, so where it goes and what it carries can be told apart.
(<= (lands ?x ?y)
    (does ?p (move ?f ?r ?x ?y)))
(<= (lands ?x ?y)
    (does ?p (promote ?f ?r ?x ?y ?kind)))
(<= (leaves ?f ?r)
    (does ?p (move ?f ?r ?x ?y)))
(<= (carries ?p ?kind)
    (leaves ?f ?r)
    (true (cell ?f ?r ?p ?kind)))
(<= (carries ?p ?kind)
    (does ?p (promote ?f ?r ?x ?y ?kind)))

(<= (changed ?x ?y)
    (lands ?x ?y))
(<= (changed ?f ?r)
    (leaves ?f ?r))
(<= (changed ?f ?r)
    (does ?p (promote ?f ?r ?x ?y ?kind)))
(<= (changed ?f ?r)
    (does ?p (castle ?side))
    (back_rank ?p ?r)
    (castles_from ?side ?f))
; The pawn taken en passant. No pawn gets to the square behind it in another way: it stands in front.
(<= (changed ?x ?r)
    (true (en_passant ?x))
    (carries ?p pawn)
    (passing_ranks ?p ?r ?y)
    (lands ?x ?y))

(<= (next (cell ?x ?y ?p ?kind))
    (lands ?x ?y)
    (carries ?p ?kind))
(<= (next (cell ?f ?r ?p ?kind))
    (does ?p (castle ?side))
    (back_rank ?p ?r)
    (castles_to ?side ?kind ?f))
(<= (next (cell ?f ?r ?p ?kind))
    (true (cell ?f ?r ?p ?kind))
    (not (changed ?f ?r)))

; A right to castle is lost when anything leaves or enters the first square of its king or its rook.
(<= (next (can_castle ?p ?side))
    (true (can_castle ?p ?side))
    (not (castling_lost ?p ?side)))
(<= (castling_lost ?p ?side)
    (changed ?f ?r)
    (back_rank ?p ?r)
    (castles_from ?side ?f))

; Remembered only if a pawn stands there to take it, so that positions that play alike are equal.
(<= (next (en_passant ?f))
    (does ?p (move ?f ?r ?f ?s))
    (double_step ?p ?r ?m ?s)
    (true (cell ?f ?r ?p pawn))
    (beside ?f ?g)
    (opponent ?p ?q)
    (true (cell ?g ?s ?q pawn)))
(<= (beside ?f ?g)
    (right_of ?f ?g))
(<= (beside ?f ?g)
    (right_of ?g ?f))

(<= (next (control ?q))
    (true (control ?p))
    (opponent ?p ?q))
; Moves of both players since a pawn moved or a piece was taken.
(<= progress
    (does ?p (promote ?f ?r ?x ?y ?kind)))
(<= progress
    (leaves ?f ?r)
    (true (cell ?f ?r ?p pawn)))
(<= progress
    (lands ?x ?y)
    (foe_piece ?x ?y))
(<= (next (quiet 0))
    progress)
(<= (next (quiet ?n))
    (true (quiet ?m))
    (after_quiet ?m ?n)
    (not progress))

; --- The end --------------------------------------------------------------------------------------------------------

; Castling need not be looked at: a king that may castle may also go one step that way.
(<= mobile
    (goes ?f ?r ?x ?y))
(<= mobile
    (pawn_goes ?f ?r ?x ?y))
(<= terminal
    (not mobile))
; Fifty moves of each player without a pawn move or a capture. A mate on the last of them counts.
(<= terminal
    (true (quiet 100)))

(<= (mated ?p)
    (true (control ?p))
    in_check
    (not mobile))
(<= mate
    (mated ?p))
(<= (goal ?p 0)
    (mated ?p))
(<= (goal ?p 100)
    (mated ?q)
    (opponent ?q ?p))
(<= (goal ?p 50)
    (role ?p)
    (not mate))

{quiet_numbers}
{limit}"""

LIMIT = """
; --- A draw after so many moves, counting both players' moves -------------------------------------------------------

(init (step 0))
(base (step 0))
(<= (base (step ?n))
    (succ ?m ?n))
(<= (next (step ?n))
    (true (step ?m))
    (succ ?m ?n))
(<= terminal
    (true (step {most})))
{numbers}
"""


def rules(*parameters: str) -> str:
    """The rule sheet; the parameter is the number of moves after which the game is drawn, 0 for none."""
    (most,) = read_numbers("chess", parameters, Number("number of moves after which it is a draw, 0: none", 0, MOST, 0))
    limit = LIMIT.format(most=most, numbers=successors(0, most)) if most else ""
    return SHEET.strip().format(quiet_numbers=successors(0, FIFTY_MOVES, "after_quiet"), limit=limit)
