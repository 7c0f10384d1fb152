// The Lab's live board: the rules as they are written now are played, and asked for reasons.

import { Board } from "./board.js";
import { byId, element, post } from "./dom.js";
import { t, told } from "./texts.js";

/** The board of the rules that `rules()` returns; `show(line)` leads to a line of them. */
export function liveBoard(rules, page, show) {
  let turns = [];
  let chosen = []; // the turns in which the person had a choice
  let role = "";
  let asked = 0;
  let pending = ""; // a move that the server has not answered yet: a change of the rules repeats it
  const board = new Board(byId("board"), (moves, more) => (moves.length === 1 && !more ? play(moves[0].move) : offer(moves)));

  async function send(move = "") {
    const number = ++asked;
    pending = move;
    byId("live-moves").replaceChildren();
    const answer = await post("/lab/board", { text: rules(), page, role, turns, move }).catch((error) => ({ error: error.message }));
    if (number !== asked || answer.superseded) return;
    pending = "";
    if (answer.error) say(told(answer.error));
    else display(answer);
  }

  function display(answer) {
    const dropped = turns.length > answer.turns.length;
    turns = answer.turns;
    chosen = answer.chosen;
    role = answer.role;
    board.show(answer.svg);
    byId("live-role").replaceChildren(...answer.roles.map((name) => element("option", { value: name, selected: name === role }, t("You play {role}", { role: name }))));
    byId("live-back").disabled = chosen.length === 0;
    byId("live-over").disabled = turns.length === 0;
    byId("fact").placeholder = t("Why (legal {role} …)?", { role });
    if (answer.over) say(t("Over: {goals}", { goals: Object.entries(answer.goals).map(([name, goal]) => `${name} ${goal}`).join(", ") }));
    else say(`${dropped ? `${t("Later turns are no longer legal.")} ` : ""}${t("Turn {n}: your move", { n: turns.length + 1 })}`);
    board.ask(answer.moves);
    offer(answer.moves.filter((move) => move.spots.length === 0));
  }

  function offer(moves) {
    byId("live-moves").replaceChildren(...moves.slice(0, 100).map((move) => element("li", {}, element("button", { type: "button", onclick: () => play(move.move) }, move.label))));
  }

  const say = (words) => { byId("live-status").textContent = words; };
  const play = (move) => send(move);

  byId("live-role").addEventListener("change", (event) => {
    role = event.target.value;
    turns = [];
    send();
  });
  byId("live-over").addEventListener("click", () => {
    turns = [];
    send();
  });
  byId("live-back").addEventListener("click", () => {
    turns = turns.slice(0, chosen.at(-1) ?? 0);
    send();
  });
  byId("why").addEventListener("submit", async (event) => {
    event.preventDefault();
    const fact = byId("fact").value.trim();
    if (!fact) return;
    byId("reason").replaceChildren(element("p", { class: "soft" }, "…"));
    const answer = await post("/lab/why", { text: rules(), page, role, turns, fact }).catch((error) => ({ error: error.message }));
    if (!answer.superseded) byId("reason").replaceChildren(answer.reason ? element("ul", {}, tree(answer.reason)) : element("p", { class: "soft" }, answer.error));
  });

  function tree(reason) {
    const line = reason.line === null ? null : element("button", { type: "button", class: "small", onclick: () => show(reason.line) }, t("line {n}", { n: reason.line }));
    const head = element("span", { class: reason.holds ? "holds" : "fails" }, element("code", {}, reason.text), reason.note ? ` ${told(reason.note)} ` : " ");
    return element("li", {}, head, line, reason.because.length > 0 ? element("ul", {}, ...reason.because.map(tree)) : null);
  }

  return {
    refresh: () => send(pending),
    pause: () => {
      asked += 1;
      board.ask([]);
      byId("live-moves").replaceChildren();
      say(t("The board shows the rules before the errors."));
    },
  };
}
