// Looking into a position of a recorded match: other moves are tried on the board, and a search analyses it.

import { showBars } from "./bars.js";
import { Board } from "./board.js";
import { byId, element, post } from "./dom.js";
import { readLines } from "./examination.js";
import { figure, t, told } from "./texts.js";
import { showThinking, valuesOnSpots } from "./thinking.js";

const FIRST_TRIED = 1_000_000; // numbers of turns that are not in the record
const MOST_LISTED = 60;

export class Explorer {
  /** `frames` are the turns by number; `add(frame)` adds one, `go(id)` shows one. */
  constructor(address, frames, add, go) {
    this.address = address;
    this.frames = frames;
    this.add = add;
    this.go = go;
    this.isTrying = false;
    this.here = 0;
    this.chosen = {};
    this.tried = 0;
    this.isAnalysing = false;
    this.search = null; // ends a running analysis
    this.board = new Board(byId("board"), (moves, more) => (moves.length === 1 && !more ? this.pick(moves[0]) : this.list(moves)));
  }

  /** The turn of the record that a position follows, and the moves that were tried after it. */
  position(id) {
    const steps = [];
    let turn = id;
    for (; turn >= FIRST_TRIED; turn = this.frames.get(turn).parent) steps.unshift(this.frames.get(turn).moves);
    return { turn, steps };
  }

  /** A turn is shown: stop what was about another one, and offer its moves if moves are tried. */
  async arrive(id) {
    this.here = id;
    this.chosen = {};
    this.search?.abort();
    byId("pondering").replaceChildren();
    this.list([]);
    byId("return").hidden = id < FIRST_TRIED;
    this.say("");
    if (this.isTrying) await this.offer(id);
  }

  turnTrying(isOn) {
    this.setTrying(isOn);
    this.go(this.here);
    if (!isOn) this.arrive(this.here);
  }

  setTrying(isOn) {
    this.isTrying = isOn;
    byId("try").setAttribute("aria-pressed", String(isOn));
    byId("try").textContent = isOn ? t("Stop trying moves") : t("Try other moves");
  }

  /** Return from moves that were tried to the turn of the match before them. */
  leave() {
    this.setTrying(false);
    this.go(this.position(this.here).turn);
  }

  async offer(id) {
    const frame = this.frames.get(id);
    if (!frame.options) {
      const answer = await this.ask(this.position(id));
      if (!answer) return;
      frame.options = answer.options;
      frame.isRace = answer.race;
    }
    if (id !== this.here || !this.isTrying) return;
    this.board.show(frame.svg);
    this.next(frame);
  }

  next(frame) {
    const open = frame.options.find((option) => !(option.role in this.chosen));
    this.say(open ? t("Your move for {role}.", { role: open.role }) : t("The match is over here."));
    this.board.ask(open?.moves ?? []);
    this.list((open?.moves ?? []).filter((move) => move.spots.length === 0));
  }

  list(moves) {
    const buttons = moves.slice(0, MOST_LISTED).map((move) => element("button", { type: "button", "data-move": move.move, onclick: () => this.pick(move) }, move.label));
    byId("choice").replaceChildren(...buttons);
    byId("choice").hidden = buttons.length === 0;
  }

  async pick(move) {
    const frame = this.frames.get(this.here);
    const open = frame.options.find((option) => !(option.role in this.chosen));
    this.chosen[open.role] = move.move;
    if (!frame.isRace && frame.options.some((option) => !(option.role in this.chosen))) this.next(frame);
    else await this.play(this.here, this.chosen);
  }

  /** Play a joint move in a position; the new turn is shown. */
  async play(id, joint) {
    const { turn, steps } = this.position(id);
    const answer = await this.ask({ turn, steps: [...steps, joint] });
    if (!answer) return null;
    const known = [...this.frames.values()].find((frame) => frame.parent === id && JSON.stringify(frame.moves) === JSON.stringify(answer.moves));
    const made = known?.id ?? FIRST_TRIED + this.tried++;
    if (!known) this.add({ id: made, parent: id, isTried: true, ...answer });
    this.go(made);
    return made;
  }

  async ask(position) {
    this.say("…");
    const answer = await post(`${this.address}/explore`, position).catch((error) => ({ error: error.message }));
    if (answer.superseded) return null;
    this.say(answer.error ? told(answer.error) : "");
    return answer.error ? null : answer;
  }

  /** Let a search look at the position that is shown. */
  async analyse() {
    const id = this.here;
    this.search?.abort();
    const search = (this.search = new AbortController());
    this.say(t("Analysing …"));
    this.isAnalysing = true;
    const searches = new Map();
    const take = (part) => {
      if (id !== this.here) return;
      if (part.error) {
        this.isAnalysing = false;
        this.say(told(part.error));
      }
      if (part.part === "thinking") {
        searches.set(part.role, part);
        byId("pondering").replaceChildren(...[...searches.values()].map(showThinking));
        const picture = byId("board").querySelector("svg");
        if (picture) showBars(picture, valuesOnSpots(searches.values()));
        this.say(t("Analysing: {count} playouts …", { count: figure(part.iterations) }));
      }
      if (part.part === "proof") byId("pondering").prepend(proof(part));
    };
    try {
      const headers = { "content-type": "application/json", accept: "application/json" };
      const response = await fetch(`${this.address}/ponder`, { method: "POST", headers, body: JSON.stringify(this.position(id)), signal: search.signal });
      if (response.ok) await readLines(response, take);
      else take(await response.json());
      if (id === this.here && this.isAnalysing) this.say(t("Analysed."));
    } catch (error) {
      if (error.name !== "AbortError") this.say(t("The server cannot be reached: {reason}.", { reason: error.message }));
    }
  }

  say(text) {
    byId("explore-status").textContent = text;
  }

  /** The address of the position that is shown. */
  link() {
    const { turn, steps } = this.position(this.here);
    const moves = steps.length ? `&try=${encodeURIComponent(JSON.stringify(steps))}` : "";
    return `${location.origin}${location.pathname}#turn=${turn}${moves}`;
  }

  /** Go to the position that the address names, once its turn has arrived. */
  async follow() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const turn = Number(wanted.get("turn") ?? NaN);
    if (!this.frames.has(turn)) return;
    this.go(turn);
    try {
      let id = turn;
      for (const step of JSON.parse(wanted.get("try") ?? "[]")) {
        id = await this.play(id, step);
        if (id === null) return;
      }
    } catch {
      this.say(t("The link is damaged: its moves cannot be read."));
    }
  }
}

function proof({ values, best }) {
  const goals = Object.entries(values).map(([role, value]) => `${role} ${Number(value).toFixed(0)}`).join(", ");
  const moves = Object.entries(best).map(([role, texts]) => t("best for {role}: {moves}", { role, moves: texts.join(", ") })).join("; ");
  return element("p", { class: "proof" }, element("strong", {}, `${t("Proved:")} `), goals, moves ? `; ${moves}` : "");
}
