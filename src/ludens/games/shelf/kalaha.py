"""Kalaha, with houses and seeds of any small number."""

from __future__ import annotations

from ludens.games.generating import Number, facts, number_facts, read_numbers, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the houses of each side, and the seeds that each house begins with.

    >>> "(succ 47 48)" in rules()
    True
    """
    houses, seeds = read_numbers(
        "kalaha", parameters, Number("number of houses", 1, 7, 6), Number("number of seeds", 1, 6, 4)
    )
    total = 2 * houses * seeds
    store, places = houses + 1, 2 * houses + 1
    return _SHEET.format(
        houses=houses,
        seeds=seeds,
        half=total // 2,
        store=store,
        house_facts=number_facts("house", 1, houses),
        own=facts(f"(own_place {n} {n})" for n in range(1, houses + 1)),
        enemy=facts(f"(enemy_place {n} {store + n})" for n in range(1, houses + 1)),
        opposite=facts(f"(opposite {n} {2 * store - n})" for n in range(1, houses + 1)),
        circle=facts(f"(follows {n} {n % places + 1})" for n in range(1, places + 1)),
        numbers=successors(0, total),
    )


_SHEET = """\
;; Kalaha with {houses} houses of {seeds} seeds on each side.
;;
;; A role empties one of its houses and sows the seeds one by one, counterclockwise: into its other houses, its store,
;; the houses of the other role, and on, leaving out the other's store. If the last seed falls into the role's store,
;; it sows again. If it falls into an empty house of its own, and the house opposite is not empty, this seed and
;; all seeds of that house go into its store. The game ends when one side has no seeds in its houses; what the
;; other still has in its houses counts as its own. Whoever has more seeds wins.

(role south)
(role north)
(opponent south north)
(opponent north south)

{house_facts}

;; ---- Where seeds go ----

;; The places of a role, in the order of sowing: its houses, its store, then the houses of the other.
{own}
(store_place {store})
{enemy}
{opposite}
{circle}
(<= (place ?k) (follows ?k ?other))
(<= (house_at ?role ?role ?house ?k) (role ?role) (own_place ?house ?k))
(<= (house_at ?role ?other ?house ?k) (opponent ?role ?other) (enemy_place ?house ?k))

;; (nth from n k): the n-th seed out of house number from falls into place k.
(<= (nth ?from 0 ?k) (own_place ?from ?k))
(<= (nth ?from ?n ?k) (nth ?from ?m ?before) (succ ?m ?n) (follows ?before ?k))

;; (gain from n k q): of n seeds out of that house, q fall into place k.
(<= (gain ?from 0 ?k 0) (house ?from) (place ?k))
(<= (gain ?from ?n ?k ?q) (succ ?m ?n) (nth ?from ?n ?k) (gain ?from ?m ?k ?p) (succ ?p ?q))
(<= (gain ?from ?n ?k ?q) (succ ?m ?n) (nth ?from ?n ?other) (gain ?from ?m ?k ?q) (distinct ?k ?other))

;; ---- Start ----

(<= (init (seeds ?role ?house {seeds})) (role ?role) (house ?house))
(<= (init (store ?role 0)) (role ?role))
(init (control south))

;; ---- Moves ----

(<= (legal ?role (sow ?house))
    (true (control ?role))
    (true (seeds ?role ?house ?n))
    (distinct ?n 0))
(<= (legal ?role noop)
    (opponent ?role ?other)
    (true (control ?other)))

;; What a place gets, what it held before, and what it holds after sowing.
(<= (gets ?k ?q)
    (does ?role (sow ?house))
    (true (seeds ?role ?house ?n))
    (gain ?house ?n ?k ?q))
(<= (emptied ?k) (does ?role (sow ?house)) (own_place ?house ?k))
(<= (held ?k ?n)
    (true (control ?role))
    (house_at ?role ?side ?house ?k)
    (true (seeds ?side ?house ?n))
    (not (emptied ?k)))
(<= (held ?k 0) (emptied ?k))
(<= (sown ?k ?sum) (gets ?k ?q) (held ?k ?n) (plus ?n ?q ?sum))

(<= (last ?k)
    (does ?role (sow ?house))
    (true (seeds ?role ?house ?n))
    (nth ?house ?n ?k))

;; Capture.
(<= (captures ?k ?across ?n)
    (last ?k)
    (sown ?k 1)
    (opposite ?k ?across)
    (sown ?across ?n)
    (distinct ?n 0))
(<= (cleared ?k) (captures ?k ?across ?n))
(<= (cleared ?across) (captures ?k ?across ?n))
(<= capturing (cleared ?k))

(<= (next (seeds ?side ?house ?n))
    (true (control ?role))
    (house_at ?role ?side ?house ?k)
    (sown ?k ?n)
    (not (cleared ?k)))
(<= (next (seeds ?side ?house 0))
    (true (control ?role))
    (house_at ?role ?side ?house ?k)
    (cleared ?k))

(<= (banked ?sum)
    (true (control ?role))
    (true (store ?role ?n))
    (store_place ?k)
    (gets ?k ?q)
    (plus ?n ?q ?sum))
(<= (next (store ?role ?n)) (true (control ?role)) (banked ?n) (not capturing))
(<= (next (store ?role ?sum))
    (true (control ?role))
    (banked ?n)
    (captures ?k ?across ?m)
    (succ ?m ?more)
    (plus ?n ?more ?sum))
(<= (next (store ?role ?n)) (true (store ?role ?n)) (opponent ?role ?other) (true (control ?other)))

(<= again (last ?k) (store_place ?k))
(<= (next (control ?role)) (true (control ?role)) again)
(<= (next (control ?other)) (true (control ?role)) (opponent ?role ?other) (not again))

;; ---- End ----

(<= (has_seeds ?role) (true (seeds ?role ?house ?n)) (distinct ?n 0))
(<= (out_of_seeds ?role) (role ?role) (not (has_seeds ?role)))
(<= over (out_of_seeds ?role))
(<= terminal over)

;; A side without seeds in its houses has what is in its store, and the other side all the rest.
(<= (has_more ?role) (out_of_seeds ?role) (true (store ?role ?n)) (above_half ?n))
(<= (has_more ?other) (opponent ?role ?other) (out_of_seeds ?role) (true (store ?role ?n)) (below_half ?n))
(<= decided (has_more ?role))
(<= (goal ?role 100) (has_more ?role))
(<= (goal ?role 0) (opponent ?role ?other) (has_more ?other))
(<= (goal ?role 50) (role ?role) (not decided))

(<= (below_half ?n) (succ ?n {half}))
(<= (below_half ?n) (succ ?n ?m) (below_half ?m))
(<= (above_half ?n) (succ {half} ?n))
(<= (above_half ?n) (succ ?m ?n) (above_half ?m))

;; ---- Base and inputs ----

(<= (base (seeds ?role ?house ?n)) (role ?role) (house ?house) (number ?n))
(<= (base (store ?role ?n)) (role ?role) (number ?n))
(<= (base (control ?role)) (role ?role))

(<= (input ?role (sow ?house)) (role ?role) (house ?house))
(<= (input ?role noop) (role ?role))

;; ---- Numbers ----

(number 0)
(<= (number ?n) (succ ?m ?n))
(<= (plus ?n 0 ?n) (number ?n))
(<= (plus ?a ?b ?c) (succ ?less ?b) (plus ?a ?less ?d) (succ ?d ?c))
{numbers}
"""
