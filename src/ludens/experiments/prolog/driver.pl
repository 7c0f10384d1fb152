% Answers queries about a game whose rules, translated by ludens.experiments.prolog, are loaded with it.
%
% Standard input has one query per line, a Prolog term and a full stop; standard output one answer per line, in JSON:
% {"answer": ...} or {"error": "..."}. A GDL constant is a string, a compound term an array of functor and arguments.
%
%   roles                       the roles, in the order of the rules
%   initial                     the fluents of the initial state
%   state(Fluents)              [is it terminal, for each role its legal moves, for each role its goal values]
%   next(Fluents, Moves)        the fluents after a joint move, which has a move for each role
%   playouts(Fluents, Seconds)  random playouts for some CPU time: [states, playouts, CPU seconds, sum of each role's goals]
%   simulations(Fluents, Seconds, Portion)  the same, Portion of them after each random joint move: [states, CPU seconds, [[joint move, goals] ...]]

:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(ordsets)).
:- use_module(library(random)).

serve :-
    read_term(user_input, Question, []),
    (   Question == end_of_file
    ->  true
    ;   reply(Question),
        serve
    ).

reply(Question) :-
    catch(answer(Question), Error, fault(Error)),
    !.
reply(_) :-
    fault(no_answer).

fault(Error) :-
    ( Error = no_legal_move(Role) -> format(atom(Text), '~w has no legal move', [Role]) ; fault_text(Error, Text) ),
    write('{"error": '), write_name(Text), write('}'), nl, flush_output.

% The contents of a full stack can be long, and do not help the reader.
fault_text(error(resource_error(Resource), _), Text) :-
    !,
    format(atom(Text), 'not enough memory (~w)', [Resource]).
fault_text(Error, Text) :-
    format(atom(Text), '~p', [Error]).

answer(roles) :-
    roles(Roles),
    write_answer(write_list(write_gdl, Roles)).
answer(initial) :-
    findall(Fluent, gdl_init(Fluent), Found),
    sort(Found, Fluents),
    write_answer(write_list(write_gdl, Fluents)).
answer(state(Fluents)) :-
    roles(Roles),
    set_state(Fluents),
    ( gdl_terminal -> Terminal = true ; Terminal = false ),
    maplist(legal_moves, Roles, Moves),
    maplist(goal_values, Roles, Goals),
    write_answer(write_parts([write(Terminal), write_list(write_list(write_gdl), Moves),
                              write_list(write_list(write_gdl), Goals)])).
answer(next(Fluents, Moves)) :-
    roles(Roles),
    set_state(Fluents),
    next_state(Roles, Moves, Next),
    write_answer(write_list(write_gdl, Next)).
answer(playouts(Fluents, Seconds)) :-
    roles(Roles),
    sort(Fluents, Start),
    playouts(Start, Roles, Seconds, States, Playouts, Spent, Sums),
    write_answer(write_parts([write(States), write(Playouts), write(Spent), write_list(write, Sums)])).
answer(simulations(Fluents, Seconds, Portion)) :-
    roles(Roles),
    sort(Fluents, Start),
    statistics(process_cputime, Begin),
    End is Begin + Seconds,
    simulations(Start, Roles, End, Portion, 0, States, Found),
    statistics(process_cputime, Now),
    Spent is Now - Begin,
    write_answer(write_parts([write(States), write(Spent), write_list(write_simulation, Found)])).

% The game

roles(Roles) :-
    findall(Role, gdl_role(Role), Found),
    list_to_set(Found, Roles).

legal_moves(Role, Moves) :-
    findall(Move, gdl_legal(Role, Move), Found),
    sort(Found, Moves).

goal_values(Role, Values) :-
    findall(Value, gdl_goal(Role, Value), Found),
    sort(Found, Values).

% Tables depend on earlier facts. Games without recursion have none, and pay nothing.
drop_tables :-
    ( current_table(_, _) -> abolish_all_tables ; true ).

next_state(Roles, Moves, Next) :-
    maplist(assert_move, Roles, Moves),
    drop_tables,
    findall(Fluent, gdl_next(Fluent), Found),
    retractall(gdl_does(_, _)),
    sort(Found, Next).

assert_move(Role, Move) :-
    assertz(gdl_does(Role, Move)).

set_state(Fluents) :-
    retractall(gdl_true(_)),
    retractall(gdl_does(_, _)),
    maplist(assert_fluent, Fluents),
    drop_tables.

assert_fluent(Fluent) :-
    assertz(gdl_true(Fluent)).

retract_fluent(Fluent) :-
    retract(gdl_true(Fluent)),
    !.

% Random playouts

playouts(Start, Roles, Seconds, States, Playouts, Spent, Sums) :-
    maplist(zero, Roles, Zeros),
    statistics(process_cputime, Begin),
    End is Begin + Seconds,
    repeat_playouts(Start, Roles, End, 0, States, 0, Playouts, Zeros, Sums),
    statistics(process_cputime, Now),
    Spent is Now - Begin.

repeat_playouts(Start, Roles, End, States0, States, Playouts0, Playouts, Sums0, Sums) :-
    set_state(Start),
    play_out(Start, Roles, End, States0, States1, Ended),
    (   Ended == true
    ->  maplist(add_goal, Roles, Sums0, Sums1),
        Playouts1 is Playouts0 + 1,
        repeat_playouts(Start, Roles, End, States1, States, Playouts1, Playouts, Sums1, Sums)
    ;   States = States1, Playouts = Playouts0, Sums = Sums0
    ).

% Only changed fluents are asserted and retracted: most stay, and so do their indexes.
play_out(State, Roles, End, States0, States, Ended) :-
    (   gdl_terminal
    ->  States = States0, Ended = true
    ;   statistics(process_cputime, Now), Now > End
    ->  States = States0, Ended = false
    ;   maplist(random_move, Roles, Moves),
        make_moves(State, Roles, Moves, Next),
        States1 is States0 + 1,
        play_out(Next, Roles, End, States1, States, Ended)
    ).

make_moves(State, Roles, Moves, Next) :-
    next_state(Roles, Moves, Next),
    ord_subtract(State, Next, Old),
    ord_subtract(Next, State, New),
    maplist(retract_fluent, Old),
    maplist(assert_fluent, New),
    drop_tables.

% For a Monte-Carlo player: the first joint move of each playout, and its goals.
simulations(Start, Roles, End, Portion, States0, States, Found) :-
    statistics(process_cputime, Now),
    (   Now > End
    ->  States = States0, Found = []
    ;   set_state(Start),
        maplist(random_move, Roles, Moves),
        make_moves(Start, Roles, Moves, Next),
        States1 is States0 + 1,
        portion(Portion, Moves, Next, Roles, End, States1, States2, Found, Others),
        simulations(Start, Roles, End, Portion, States2, States, Others)
    ).

% Some playouts from a state, which is the current one.
portion(Left, Moves, State, Roles, End, States0, States, Found, Others) :-
    play_out(State, Roles, End, States0, States1, Ended),
    (   Ended == true
    ->  maplist(zero, Roles, Zeros),
        maplist(add_goal, Roles, Zeros, Goals),
        Found = [Moves-Goals|Found1],
        (   Left > 1
        ->  Left1 is Left - 1,
            set_state(State),
            portion(Left1, Moves, State, Roles, End, States1, States, Found1, Others)
        ;   States = States1, Found1 = Others
        )
    ;   States = States1, Found = Others
    ).

write_simulation(Moves-Goals) :-
    write_parts([write_list(write_gdl, Moves), write_list(write, Goals)]).

random_move(Role, Move) :-
    legal_moves(Role, Moves),
    ( Moves == [] -> throw(no_legal_move(Role)) ; random_member(Move, Moves) ).

zero(_, 0).

add_goal(Role, Sum0, Sum) :-
    goal_values(Role, Values),
    ( Values = [Value], atom_number(Value, Number) -> Sum is Sum0 + Number ; Sum = Sum0 ).

% JSON

write_answer(Write) :-
    write('{"answer": '), call(Write), write('}'), nl, flush_output.

write_parts(Writes) :-
    write_list(call, Writes).

write_list(Write, Items) :-
    write('['), write_items(Items, Write), write(']').

write_items([], _).
write_items([Item|Items], Write) :-
    call(Write, Item),
    ( Items == [] -> true ; write(','), write_items(Items, Write) ).

write_gdl(Term) :-
    (   compound(Term)
    ->  compound_name_arguments(Term, Name, Arguments),
        write('['), write_name(Name), maplist(write_argument, Arguments), write(']')
    ;   write_name(Term)
    ).

write_argument(Argument) :-
    write(','), write_gdl(Argument).

write_name(Name) :-
    atom_codes(Name, Codes),
    write('"'), maplist(write_code, Codes), write('"').

write_code(Code) :-
    ( Code < 0x20 ; Code > 0x7e ; Code =:= 0'" ; Code =:= 0'\\ ),
    !,
    ( Code > 0xffff -> put_code(Code) ; format('\\u~|~`0t~16r~4+', [Code]) ).
write_code(Code) :-
    put_code(Code).
