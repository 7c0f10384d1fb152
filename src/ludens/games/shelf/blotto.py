"""Colonel Blotto: divide an army over battlefields."""

from __future__ import annotations

from itertools import product

from ludens.games.generating import Number, facts, number_facts, read_numbers, successors


def rules(*parameters: str) -> str:
    """The rules in KIF: the soldiers of each role, and the battlefields.

    >>> "(division 1 2 3)" in rules("6", "3")
    True
    """
    soldiers, fields = read_numbers(
        "blotto", parameters, Number("number of soldiers", 1, 12, 10), Number("number of battlefields", 2, 4, 3)
    )
    divisions = [parts for parts in product(range(soldiers + 1), repeat=fields) if sum(parts) == soldiers]
    names = [f"?n{field}" for field in range(1, fields + 1)]
    return _SHEET.format(
        soldiers=soldiers,
        fields=fields,
        variables=" ".join(names),
        divisions=facts(f"(division {' '.join(map(str, parts))})" for parts in divisions),
        sent="\n".join(
            f"(<= (next (sent ?role {field} {name})) (does ?role (send {' '.join(names)})))"
            for field, name in enumerate(names, start=1)
        ),
        field_facts=number_facts("field", 1, fields),
        soldier_facts=number_facts("amount", 0, soldiers),
        numbers=successors(0, max(soldiers, fields)),
    )


_SHEET = """\
; Colonel Blotto: {soldiers} soldiers, {fields} battlefields.
;
; Both roles divide their soldiers over the battlefields at once. Whoever sent more to a battlefield wins it, and
; whoever has won more battlefields wins the war. That is all there is.

(role first)
(role second)
(opponent first second)
(opponent second first)

{field_facts}
{soldier_facts}
; All ways to divide an army.
{divisions}

; ---- base and inputs ---------------------------------------------------------------------------------------

(base before)
(<= (base (sent ?role ?field ?n)) (role ?role) (field ?field) (amount ?n))
(<= (input ?role (send {variables})) (role ?role) (division {variables}))

; ---- moves -------------------------------------------------------------------------------------------------

(init before)

(<= (legal ?role (send {variables}))
    (role ?role)
    (true before)
    (division {variables}))

{sent}

; ---- the end -----------------------------------------------------------------------------------------------

(<= terminal (not (true before)))

(<= (takes ?role ?field)
    (opponent ?role ?other)
    (true (sent ?role ?field ?mine))
    (true (sent ?other ?field ?theirs))
    (more ?mine ?theirs))

; (taken role field n): of the battlefields up to that one the role has won n.
(<= (taken ?role 0 0) (role ?role))
(<= (taken ?role ?field ?n) (succ ?before ?field) (taken ?role ?before ?m) (takes ?role ?field) (succ ?m ?n))
(<= (taken ?role ?field ?n) (succ ?before ?field) (taken ?role ?before ?n) (field ?field) (not (takes ?role ?field)))

(<= (ahead ?role)
    (opponent ?role ?other)
    (taken ?role {fields} ?mine)
    (taken ?other {fields} ?theirs)
    (more ?mine ?theirs))
(<= uneven (ahead ?role))
(<= (goal ?role 100) (ahead ?role))
(<= (goal ?role 0) (opponent ?role ?other) (ahead ?other))
(<= (goal ?role 50) (role ?role) (not uneven))

(<= (more ?a ?b) (succ ?b ?a))
(<= (more ?a ?c) (more ?a ?b) (succ ?c ?b))
{numbers}
"""
