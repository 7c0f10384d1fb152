// The review of a match: the value of every position as a graph, mistakes and blunders marked, a better move for each.

import { svgElement } from "./charts.js";
import { byId, element } from "./dom.js";
import { readLines } from "./examination.js";
import { t, told } from "./texts.js";

const MARKS = { mistake: "?", blunder: "??" };
const WIDTH = 640, HEIGHT = 150, LEFT = 40, BASE = 130;

export class Review {
  /** `go(id)` shows a turn. */
  constructor(source, go) {
    this.source = source;
    this.go = go;
    this.judged = new Map(); // by turn, a list of judgements
    this.lineOf = () => [];
    this.expected = 0;
  }

  /** `lineOf()` is the line of play, as far as it is known. */
  async begin(lineOf, changed) {
    byId("start-review").disabled = true;
    this.lineOf = lineOf;
    try {
      const response = await fetch(this.source, { headers: { accept: "application/json" } });
      if (response.ok) await readLines(response, (part) => this.take(part, changed));
      else this.say(told((await response.json()).error));
    } catch (error) {
      this.say(t("The server cannot be reached: {reason}. Reload the page.", { reason: error.message }));
    }
    byId("start-review").disabled = this.judged.size > 0;
  }

  take(part, changed) {
    if (part.part === "choices") this.expected = part.number;
    if (part.part === "judgement") {
      this.judged.set(part.id, [...(this.judged.get(part.id) ?? []), part]);
      this.draw();
      changed();
    }
    const count = [...this.judged.values()].flat().length;
    if (part.error) this.say(told(part.error));
    else if (part.part === "reviewed") this.say(this.summary());
    else this.say(t("{count} of {all} moves reviewed …", { count, all: this.expected }));
  }

  say(text) {
    byId("review-status").textContent = text;
  }

  summary() {
    const all = [...this.judged.values()].flat();
    const roles = [...new Set(all.map((one) => one.role))];
    const count = (role, verdict) => all.filter((one) => one.role === role && one.verdict === verdict).length;
    const [mistakes, blunders] = [(n) => t("{n} mistake|{n} mistakes", { n }), (n) => t("{n} blunder|{n} blunders", { n })];
    return roles.map((role) => `${role}: ${mistakes(count(role, "mistake"))}, ${blunders(count(role, "blunder"))}`).join("; ");
  }

  /** What was found about a turn. */
  remarks(id) {
    return (this.judged.get(id) ?? []).filter((one) => one.verdict !== "best").map((one) => {
      const loss = one.is_exact ? one.loss.toFixed(1) : `${one.loss.toFixed(1)} ± ${one.margin.toFixed(1)}`;
      const proved = one.is_exact ? element("span", { class: "badge good" }, t("proved")) : null;
      const words = { good: t("A good move"), unsure: t("Perhaps not the best"), mistake: t("A mistake"), blunder: t("A blunder") }[one.verdict];
      const text = `${words} (${one.role}): ${t("it loses {loss} points. Better:", { loss })} `;
      return element("p", { class: `remark ${one.verdict}` }, text, element("b", { class: "written" }, one.best_text), proved ? " " : null, proved);
    });
  }

  /** The value of the first role that was judged, by turn. */
  draw() {
    const all = [...this.judged.values()].flat();
    const first = all[0]?.role;
    const graph = svgElement("svg", { class: "chart review-graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": t("Expected goal of {role} by turn", { role: first }) });
    const line = this.lineOf();
    const x = (id) => LEFT + Math.max(0, line.indexOf(id)) / Math.max(1, line.length - 1) * (WIDTH - LEFT - 10);
    const y = (value) => BASE - value / 100 * (BASE - 12);
    graph.append(svgElement("line", { class: "axis", x1: LEFT, y1: BASE, x2: WIDTH, y2: BASE }), svgElement("line", { class: "axis middle", x1: LEFT, y1: y(50), x2: WIDTH, y2: y(50) }));
    for (const value of [0, 50, 100]) graph.append(svgElement("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, String(value)));
    const valueOf = (one) => (one.role === first ? one.value : 100 - one.value);
    const points = all.map((one) => `${x(one.id).toFixed(1)},${y(valueOf(one)).toFixed(1)}`);
    const before = line[line.indexOf(all[0].id) - 1]; // with the best move, the value stays what it was
    if (before !== undefined) points.unshift(`${x(before).toFixed(1)},${y(all[0].best_value).toFixed(1)}`);
    graph.append(svgElement("polyline", { class: "curve", points: points.join(" ") }));
    for (const one of all) {
      const mark = svgElement("g", { class: `knot ${one.verdict}`, "data-turn": one.id, role: "button", tabindex: 0, "aria-label": t("Turn {n}, {role}: {verdict}", { n: one.turn, role: one.role, verdict: t(one.verdict) }) });
      mark.append(svgElement("circle", { cx: x(one.id), cy: y(valueOf(one)), r: one.verdict in MARKS ? 6 : 3 }));
      if (one.verdict in MARKS) mark.append(svgElement("text", { x: x(one.id), y: y(valueOf(one)) - 9, "text-anchor": "middle" }, MARKS[one.verdict]));
      mark.addEventListener("click", () => this.go(one.id));
      mark.addEventListener("keydown", (event) => { if (event.key === "Enter") this.go(one.id); });
      graph.append(mark);
    }
    byId("graph").replaceChildren(graph);
  }

  /** Show where in the graph a turn is. */
  point(id) {
    for (const knot of byId("graph").querySelectorAll(".knot")) knot.classList.toggle("here", Number(knot.dataset.turn) === id);
  }
}
