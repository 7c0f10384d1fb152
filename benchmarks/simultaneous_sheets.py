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

ODD_ONE_OUT = """; Three roles show one side of a coin each; who differs from both others takes all.
(role red) (role green) (role blue)
(init open)
(side heads) (side tails)
(<= (legal ?role ?side) (role ?role) (side ?side))
(<= (next (shown ?role ?side)) (does ?role ?side))
(<= terminal (true (shown red ?side)))
(<= (same ?one ?other) (true (shown ?one ?side)) (true (shown ?other ?side)) (distinct ?one ?other))
(<= (odd ?role) (role ?role) (not (paired ?role)))
(<= (paired ?role) (same ?role ?other))
(<= anybody (odd ?role))
(<= (goal ?role 100) (odd ?role) anybody)
(<= (goal ?role 0) (paired ?role) anybody)
(<= (goal ?role 33) (role ?role) (not anybody))
"""

WEATHER = """; Chance shows the weather, then both choose from the matrix that belongs to it.
(role red) (role blue) (role random)
(init waiting)
(weather sun) (weather rain) (weather fog)
(way a) (way b)
(pays sun a a 90 10) (pays sun a b 20 80) (pays sun b a 40 60) (pays sun b b 70 30)
(pays rain a a 10 90) (pays rain a b 60 40) (pays rain b a 100 0) (pays rain b b 0 100)
(pays fog a a 55 45) (pays fog a b 45 55) (pays fog b a 35 65) (pays fog b b 65 35)
(<= (legal random (show ?w)) (true waiting) (weather ?w))
(<= (legal red wait) (true waiting))
(<= (legal blue wait) (true waiting))
(<= (legal random wait) (true (now ?w)))
(<= (legal red (go ?x)) (true (now ?w)) (way ?x))
(<= (legal blue (go ?x)) (true (now ?w)) (way ?x))
(<= (next (now ?w)) (does random (show ?w)))
(<= (next (end ?g ?h)) (true (now ?w)) (does red (go ?x)) (does blue (go ?y)) (pays ?w ?x ?y ?g ?h))
(<= terminal (true (end ?g ?h)))
(<= (goal red ?g) (true (end ?g ?h)))
(<= (goal blue ?h) (true (end ?g ?h)))
"""

DOORS = """; Red opens a door, blue another or the same, then they meet in a three by two matrix behind them.
(role red) (role blue)
(init (turn red))
(door 1) (door 2)
(<= (legal red (open ?d)) (true (turn red)) (door ?d))
(<= (legal blue wait) (true (turn red)))
(<= (legal blue (open ?d)) (true (turn blue)) (door ?d))
(<= (legal red wait) (true (turn blue)))
(<= (legal red (go ?n)) (true (turn both)) (row ?n))
(<= (legal blue (go ?n)) (true (turn both)) (door ?n))
(row 1) (row 2) (row 3)
(<= (next (turn blue)) (true (turn red)))
(<= (next (turn both)) (true (turn blue)))
(<= (next (opened red ?d)) (does red (open ?d)))
(<= (next (opened blue ?d)) (does blue (open ?d)))
(<= (next (opened ?role ?d)) (true (opened ?role ?d)))
(<= (next (met ?r ?c)) (does red (go ?r)) (does blue (go ?c)))
(<= terminal (true (met ?r ?c)))
(<= same (true (opened red ?d)) (true (opened blue ?d)))
(<= (goal red ?g) same (true (met ?r ?c)) (near ?r ?c ?g ?h))
(<= (goal blue ?h) same (true (met ?r ?c)) (near ?r ?c ?g ?h))
(<= (goal red ?g) (not same) (true (met ?r ?c)) (far ?r ?c ?g ?h))
(<= (goal blue ?h) (not same) (true (met ?r ?c)) (far ?r ?c ?g ?h))
(near 1 1 80 20) (near 1 2 10 90) (near 2 1 30 70) (near 2 2 60 40) (near 3 1 50 50) (near 3 2 45 55)
(far 1 1 0 100) (far 1 2 90 10) (far 2 1 70 30) (far 2 2 20 80) (far 3 1 40 60) (far 3 2 40 60)
"""

AUDIT = """; General sum without an equilibrium in pure strategies: checks cost, and so does being caught.
(role firm) (role auditor)
(init open)
(legal firm honest) (legal firm cheat) (legal auditor check) (legal auditor trust)
(<= (next (did ?role ?move)) (does ?role ?move))
(<= terminal (true (did firm ?move)))
(pays honest check 50 40) (pays honest trust 50 80) (pays cheat check 0 60) (pays cheat trust 100 0)
(<= (goal firm ?g) (true (did firm ?x)) (true (did auditor ?y)) (pays ?x ?y ?g ?h))
(<= (goal auditor ?h) (true (did firm ?x)) (true (did auditor ?y)) (pays ?x ?y ?g ?h))
"""

HUNT = """; General sum with two equilibria: a stag for both, or a hare alone.
(role left) (role right)
(init open)
(<= (legal ?role stag) (role ?role))
(<= (legal ?role hare) (role ?role))
(<= (next (did ?role ?move)) (does ?role ?move))
(<= terminal (true (did left ?move)))
(<= together (true (did left stag)) (true (did right stag)))
(<= (goal ?role 100) (role ?role) together)
(<= (goal ?role 0) (true (did ?role stag)) (not together))
(<= (goal ?role 60) (true (did ?role hare)))
"""

HEAP = """; Both put one to three sticks down at once; then they take one or two in turn, and the last wins.
(role red) (role blue)
(init (phase bid))
(stake 1) (stake 2) (stake 3)
(plus 1 1 2) (plus 1 2 3) (plus 1 3 4) (plus 2 1 3) (plus 2 2 4) (plus 2 3 5) (plus 3 1 4) (plus 3 2 5) (plus 3 3 6)
(less 0 1) (less 1 2) (less 2 3) (less 3 4) (less 4 5) (less 5 6)
(<= (legal ?role (put ?n)) (role ?role) (true (phase bid)) (stake ?n))
(<= (legal ?role (take 1)) (true (phase ?role)) (true (heap ?n)) (less ?m ?n))
(<= (legal ?role (take 2)) (true (phase ?role)) (true (heap ?n)) (less ?m ?n) (less ?k ?m))
(<= (legal red wait) (true (phase blue)))
(<= (legal blue wait) (true (phase red)))
(<= (next (phase red)) (true (phase bid)))
(<= (next (phase blue)) (true (phase red)))
(<= (next (phase red)) (true (phase blue)))
(<= (next (put ?role ?n)) (does ?role (put ?n)))
(<= (next (put ?role ?n)) (true (put ?role ?n)))
(<= (next (heap ?s)) (does red (put ?n)) (does blue (put ?m)) (plus ?n ?m ?s))
(<= (next (heap ?m)) (does ?role (take 1)) (true (heap ?n)) (less ?m ?n))
(<= (next (heap ?k)) (does ?role (take 2)) (true (heap ?n)) (less ?m ?n) (less ?k ?m))
(<= terminal (true (heap 0)))
(worth 1 70) (worth 2 85) (worth 3 100)
(rest 70 30) (rest 85 15) (rest 100 0)
(<= (last red) (true (phase blue)))
(<= (last blue) (true (phase red)))
(<= (goal ?role ?g) (true (heap 0)) (last ?role) (true (put ?role ?n)) (worth ?n ?g))
(<= (goal ?role ?h) (true (heap 0)) (role ?role) (last ?other) (distinct ?role ?other) (true (put ?other ?n))
    (worth ?n ?g) (rest ?g ?h))
"""

SHEETS = {
    "inspection": INSPECTION,
    "pursuit": PURSUIT,
    "noisy duel": DUEL,
    "one of each sign": ONE_EACH,
    "approach": APPROACH,
    "odd one out": ODD_ONE_OUT,
    "weather": WEATHER,
    "two doors": DOORS,
    "audit": AUDIT,
    "stag hunt": HUNT,
    "heap": HEAP,
}
