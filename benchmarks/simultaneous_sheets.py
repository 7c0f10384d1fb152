"""Rule sheets of simultaneous choices of different kinds, for `benchmarks.simultaneous`."""

from __future__ import annotations

_CONSTANT_SUM = "\n".join(f"(rest {goal} {100 - goal})" for goal in range(0, 101, 5))

INSPECTION = """; Four periods, two inspections: the smuggler acts once, unseen, or never.
(role smuggler) (role guard)
(init (left 4)) (init (checks 2))
(less 0 1) (less 1 2) (less 2 3) (less 3 4)
(<= (legal smuggler act) (true (left ?n)) (less ?m ?n))
(<= (legal smuggler wait) (true (left ?n)) (less ?m ?n))
(<= (legal guard check) (true (checks ?n)) (less ?m ?n))
(<= (legal guard rest) (true (left ?n)) (less ?m ?n))
(<= (next (left ?m)) (true (left ?n)) (less ?m ?n) (does smuggler wait))
(<= (next (checks ?m)) (true (checks ?n)) (less ?m ?n) (does guard check))
(<= (next (checks ?n)) (true (checks ?n)) (not (does guard check)))
(<= (next (end 0 100)) (does smuggler act) (does guard check))
(<= (next (end 100 0)) (does smuggler act) (does guard rest))
(<= (over 30 70) (true (left 0)))
(<= (over ?g ?h) (true (end ?g ?h)))
(<= terminal (over ?g ?h))
(<= (goal smuggler ?g) (over ?g ?h))
(<= (goal guard ?h) (over ?g ?h))
"""

PURSUIT = """; A cat and a mouse that runs on a ring of four places; being caught later costs less.
(role cat) (role mouse)
(init (at cat 0)) (init (at mouse 2)) (init (step 0))
(ring 0 1) (ring 1 2) (ring 2 3) (ring 3 0)
(less 0 1) (less 1 2) (less 2 3)
(worth 0 100 0) (worth 1 100 0) (worth 2 80 20) (worth 3 60 40)
(<= (legal ?role left) (role ?role))
(<= (legal ?role right) (role ?role))
(legal cat stay)
(<= (next (at cat ?x)) (does cat stay) (true (at cat ?x)))
(<= (next (at ?role ?y)) (does ?role right) (true (at ?role ?x)) (ring ?x ?y))
(<= (next (at ?role ?y)) (does ?role left) (true (at ?role ?x)) (ring ?y ?x))
(<= (next (step ?t)) (true (step ?s)) (less ?s ?t))
(<= caught (true (at cat ?x)) (true (at mouse ?x)))
(<= terminal caught)
(<= terminal (true (step 3)))
(<= (goal cat ?g) caught (true (step ?s)) (worth ?s ?g ?h))
(<= (goal mouse ?h) caught (true (step ?s)) (worth ?s ?g ?h))
(<= (goal cat 0) (not caught))
(<= (goal mouse 100) (not caught))
"""

DUEL = """; A noisy duel: one bullet each, a hit is likelier the later; chance draws from four.
(role red) (role blue) (role random)
(duellist red) (duellist blue)
(init (step 1)) (init (armed red)) (init (armed blue)) (init (stands red)) (init (stands blue))
(less 1 2) (less 2 3) (less 3 4) (less 4 5)
(die 1) (die 2) (die 3) (die 4)
(hits 1 1) (hits 1 2) (hits 1 3) (hits 1 4) (hits 2 2) (hits 2 3) (hits 2 4) (hits 3 3) (hits 3 4) (hits 4 4)
(<= (legal ?role wait) (duellist ?role))
(<= (legal ?role fire) (true (armed ?role)))
(<= (legal random (roll ?n)) (die ?n))
(<= (next (step ?t)) (true (step ?s)) (less ?s ?t))
(<= (next (armed ?role)) (true (armed ?role)) (not (does ?role fire)))
(<= (hit ?other) (does ?role fire) (duellist ?other) (distinct ?role ?other) (does random (roll ?n)) (true (step ?s))
    (hits ?n ?s))
(<= (next (stands ?role)) (true (stands ?role)) (not (hit ?role)))
(<= down (duellist ?role) (not (true (stands ?role))))
(<= terminal (true (step 5)))
(<= terminal down)
(<= even (true (stands red)) (true (stands blue)))
(<= even (not (true (stands red))) (not (true (stands blue))))
(<= (goal ?role 50) (duellist ?role) even)
(<= (goal ?role 100) (true (stands ?role)) (not even))
(<= (goal ?role 0) (duellist ?role) (not (true (stands ?role))) (not even))
"""

ONE_EACH = (
    """; Rock, paper, scissors, each once: the score after two rounds decides, wins of red count more.
(role red) (role blue)
(init (step 1)) (init (score 2))
(sign rock) (sign paper) (sign scissors)
(beats rock scissors) (beats scissors paper) (beats paper rock)
(less 0 1) (less 1 2) (less 2 3) (less 3 4)
(worth 0 0) (worth 1 20) (worth 2 50) (worth 3 90) (worth 4 100)
(<= (legal ?role ?sign) (role ?role) (sign ?sign) (not (true (used ?role ?sign))))
(<= (next (used ?role ?sign)) (does ?role ?sign))
(<= (next (used ?role ?sign)) (true (used ?role ?sign)))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (true (step 2)))
(<= (next (score ?t)) (does red ?x) (does blue ?y) (beats ?x ?y) (true (score ?s)) (less ?s ?t))
(<= (next (score ?t)) (does red ?x) (does blue ?y) (beats ?y ?x) (true (score ?s)) (less ?t ?s))
(<= (next (score ?s)) (does red ?x) (does blue ?x) (true (score ?s)))
(<= terminal (true (step 3)))
(<= (goal red ?g) (true (score ?s)) (worth ?s ?g))
(<= (goal blue ?h) (true (score ?s)) (worth ?s ?g) (rest ?g ?h))
"""
    + _CONSTANT_SUM
)

APPROACH = (
    """; Red walks alone for five turns, then both choose from a matrix that depends on how far it went.
(role red) (role blue)
(init (at 0)) (init (step 0))
(less 0 1) (less 1 2) (less 2 3) (less 3 4) (less 4 5)
(<= walking (true (step ?s)) (less ?s ?t))
(<= (legal red go) walking)
(<= (legal red stay) walking)
(<= (legal blue noop) walking)
(<= (legal ?role (take ?n)) (role ?role) (true (step 5)) (way ?n))
(way 1) (way 2)
(<= (next (step ?t)) (true (step ?s)) (less ?s ?t))
(<= (next (at ?t)) (does red go) (true (at ?s)) (less ?s ?t))
(<= (next (at ?s)) (does red stay) (true (at ?s)))
(<= (next (end ?g)) (true (at ?s)) (does red (take ?x)) (does blue (take ?y)) (pays ?s ?x ?y ?g))
(<= terminal (true (end ?g)))
(<= (goal red ?g) (true (end ?g)))
(<= (goal blue ?h) (true (end ?g)) (rest ?g ?h))
(pays 0 1 1 10) (pays 0 1 2 90) (pays 0 2 1 100) (pays 0 2 2 5)
(pays 1 1 1 20) (pays 1 1 2 80) (pays 1 2 1 85) (pays 1 2 2 10)
(pays 2 1 1 35) (pays 2 1 2 70) (pays 2 2 1 75) (pays 2 2 2 15)
(pays 3 1 1 45) (pays 3 1 2 60) (pays 3 2 1 60) (pays 3 2 2 20)
(pays 4 1 1 60) (pays 4 1 2 50) (pays 4 2 1 50) (pays 4 2 2 25)
(pays 5 1 1 70) (pays 5 1 2 40) (pays 5 2 1 35) (pays 5 2 2 30)
"""
    + _CONSTANT_SUM
)

SHEETS = {
    "inspection": INSPECTION,
    "pursuit": PURSUIT,
    "noisy duel": DUEL,
    "one of each sign": ONE_EACH,
    "approach": APPROACH,
}
