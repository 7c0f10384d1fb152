// The position editor: facts are put on places by clicks, moves are played, and the server says what is wrong.

import { byId, element, parsedSvg, post } from "./dom.js";
import { Explorer } from "./explore.js";
import { begin } from "./matches.js";
import { t, told } from "./texts.js";

const PAGE = crypto.getRandomValues(new Uint32Array(2)).join("-"); // tells apart pages behind one address
const MOVES = "moves";
const ERASER = "eraser";
const MANY_FIELDS = 8;

class Editor extends Explorer {
  /** `about` is sent with every request: the page, and the rules if they are the reader's own. */
  constructor(address, about) {
    super(address, new Map(), () => {}, () => {});
    this.about = about;
    this.places = new Map(); // the fields of each spot
    this.groups = [];
    this.past = []; // the positions to go back to
    this.facts = null;
    this.tool = MOVES;
    this.waiting = null; // what to ask for next, while the server answers
    this.isAsking = false;
  }

  position() {
    return { ...this.about, facts: this.facts };
  }

  /** Go to the position with some facts, after some moves; without facts, to the initial one. */
  async change(facts, steps = []) {
    this.facts = facts ?? this.facts;
    this.waiting = { facts, steps };
    if (this.isAsking) return; // clicks are quicker than answers: only the last position is asked for
    this.isAsking = true;
    while (this.waiting) {
      const wanted = this.waiting;
      this.waiting = null;
      const answer = await this.ask({ ...this.about, ...wanted, begins: this.places.size === 0 && this.groups.length === 0 });
      if (answer?.groups) this.offerFacts(answer);
      if (!this.waiting) this.arriveAt(answer);
    }
    this.isAsking = false;
  }

  arriveAt(answer) {
    if (answer) {
      if (this.here) this.past.push(this.here);
      this.frames.set(++this.tried, answer);
      this.show(this.tried);
    } else if (this.here) {
      this.facts = this.frames.get(this.here).facts;
      this.groups.forEach((show) => show());
    }
  }

  /** Show a position. */
  show(id) {
    this.here = id;
    this.search?.abort();
    this.chosen = {};
    const frame = this.frames.get(id);
    frame.isRace = frame.race;
    this.facts = frame.facts;
    byId("pondering").replaceChildren();
    byId("board").removeAttribute("aria-busy");
    byId("undo").disabled = this.past.length === 0;
    history.replaceState(null, "", this.link());
    this.judge(frame);
    this.groups.forEach((refresh) => refresh());
    this.display();
  }

  /** Draw the position for the chosen tool. */
  display() {
    const frame = this.frames.get(this.here);
    const isPainting = this.tool !== MOVES;
    byId("board").classList.toggle("painting", isPainting);
    this.board.show(isPainting ? frame.by_place : frame.svg);
    this.list([]);
    if (isPainting) {
      this.say("");
      this.board.ask([...this.places.keys()].filter((spot) => this.fits(spot)).map((spot) => ({ spots: [spot], isPlace: true })));
    } else {
      this.next(frame);
    }
  }

  judge(frame) {
    const isGood = frame.wrong.length === 0;
    const goals = frame.goals ? element("p", {}, Object.entries(frame.goals).map(([role, goal]) => `${role} ${goal}`).join(", ")) : null;
    byId("verdict").className = `verdict card ${isGood ? "good" : "bad"}`;
    byId("verdict").replaceChildren(
      element("p", {}, isGood ? t("This position can be played.") : t("This position cannot be played:")),
      ...(isGood ? [] : [element("ul", {}, ...frame.wrong.map((reason) => element("li", {}, told(reason))))]),
      ...(goals ? [goals] : []),
    );
    byId("play-position").disabled = byId("analyse").disabled = !isGood;
  }

  /** A move, or a place that was clicked with something of the palette. */
  async pick(move) {
    if (move.isPlace) await this.paint(move.spots[0]);
    else await super.pick(move);
  }

  async play(id, joint) {
    await this.change(this.facts, [joint]);
  }

  fits(spot) {
    return this.tool === ERASER || this.places.get(spot).some((field) => this.tool in field.facts);
  }

  /** Put what is chosen on a place; it replaces what was there, and a second click takes it away. */
  async paint(spot) {
    const facts = new Set(this.facts);
    for (const field of this.places.get(spot)) {
      if (this.tool !== ERASER && !(this.tool in field.facts)) continue;
      const wanted = field.facts[this.tool];
      const isThere = wanted !== undefined && facts.has(wanted);
      replace(facts, Object.values(field.facts), isThere || this.tool === ERASER ? field.blank : wanted);
    }
    await this.change([...facts]);
  }

  /** Take everything off the board. */
  async empty() {
    const facts = new Set(this.facts);
    for (const field of [...this.places.values()].flat()) replace(facts, Object.values(field.facts), field.blank);
    await this.change([...facts]);
  }

  undo() {
    if (this.past.length > 0) this.show(this.past.pop());
  }

  /** Offer what the game has: a palette for places, and choices for all other facts. */
  offerFacts({ palette, places, groups }) {
    this.places = new Map(Object.entries(places));
    byId("empty").hidden = this.places.size === 0;
    const tools = [
      this.toolButton(MOVES, t("Play moves"), null),
      ...(this.places.size > 0 ? [this.toolButton(ERASER, t("Eraser"), null)] : []),
      ...palette.map(({ key, label, svg }) => this.toolButton(key, label, svg)),
    ];
    byId("palette").replaceChildren(...tools);
    byId("palette").querySelectorAll("svg").forEach(crop);
    this.groups = [];
    byId("groups").replaceChildren(...groups.map((group) => this.group(group)));
  }

  toolButton(key, label, svg) {
    const picture = svg ? parsedSvg(svg) : null;
    picture?.setAttribute("aria-hidden", "true");
    picture?.querySelectorAll("[data-spot]").forEach((spot) => {
      for (const name of ["data-spot", "role", "aria-label", "tabindex"]) spot.removeAttribute(name);
    });
    const button = element("button", { type: "button", class: picture ? "drawn" : "word", title: label, "aria-label": label, "aria-pressed": String(key === this.tool), "data-tool": key }, picture ?? label);
    button.addEventListener("click", () => {
      this.tool = key;
      for (const other of byId("palette").children) other.setAttribute("aria-pressed", String(other === button));
      if (this.here) this.display();
    });
    return button;
  }

  group({ fluent, fields }) {
    if (fields.length === 1) return this.field(fields[0], fluent);
    const rows = fields.map((field) => this.field(field, field.name || fluent));
    return element("details", { open: fields.length <= MANY_FIELDS }, element("summary", {}, fluent), element("div", { class: "rows" }, ...rows));
  }

  /** A choice of one of several facts, or whether a single one is true. */
  field({ is_needed: isNeeded, options }, label) {
    const texts = options.map(([fact]) => fact);
    const id = `field-${this.groups.length}`;
    const choose = (fact) => {
      const facts = new Set(this.facts);
      replace(facts, texts, fact);
      this.change([...facts]);
    };
    const isTrue = (fact) => (this.facts ?? []).includes(fact);
    if (options.length === 1) {
      const box = element("input", { type: "checkbox", id, onchange: () => choose(box.checked ? texts[0] : null) });
      this.groups.push(() => { box.checked = isTrue(texts[0]); });
      return element("div", { class: "row" }, element("label", { for: id }, label), box);
    }
    const none = element("option", { value: "", hidden: isNeeded }, "–");
    const select = element("select", { id, onchange: () => choose(select.value || null) }, none, ...options.map(([fact, text]) => element("option", { value: fact }, text)));
    this.groups.push(() => { select.value = texts.find(isTrue) ?? ""; });
    return element("div", { class: "row" }, element("label", { for: id }, label), select);
  }

  link() {
    return `${location.origin}${location.pathname}#position=${encodeURIComponent(JSON.stringify(this.facts))}`;
  }

  /** The facts that the address names; null if it names none. */
  linked() {
    try {
      const facts = JSON.parse(new URLSearchParams(location.hash.slice(1)).get("position"));
      return Array.isArray(facts) ? facts : null;
    } catch {
      return null;
    }
  }

  /** Begin a match from the position. */
  async start() {
    const button = byId("play-position");
    button.setAttribute("aria-busy", "true");
    byId("problem").hidden = true;
    try {
      const answer = await post(`${this.address}/match`, this.position());
      if (answer.error) throw new Error(told(answer.error));
      await begin(answer);
    } catch (error) {
      byId("problem").textContent = error.message;
      byId("problem").hidden = false;
    } finally {
      button.removeAttribute("aria-busy");
    }
  }
}

/** Leave only the place of a drawing, without the margin of a board. */
function crop(svg) {
  const { x, y, width, height } = svg.getBBox();
  svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
}

/** Replace facts of which one may be true by another one, or by none. */
function replace(facts, others, fact) {
  for (const other of others) facts.delete(other);
  if (fact) facts.add(fact);
}

const root = byId("editor");
const own = "own" in root.dataset ? JSON.parse(sessionStorage.getItem("ludens:rules") ?? "null") : {};
if (own === null) {
  location.replace("/lab");
} else {
  const editor = new Editor(root.dataset.address, { page: PAGE, ...own });
  byId("undo").addEventListener("click", () => editor.undo());
  byId("empty").addEventListener("click", () => editor.empty());
  byId("initial").addEventListener("click", () => editor.change(null));
  byId("analyse").addEventListener("click", () => editor.analyse());
  byId("play-position").addEventListener("click", () => editor.start());
  byId("share").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(editor.link());
      editor.say(t("The link is copied."));
    } catch {
      editor.say(t("The link is in the address bar.")); // browsers deny the clipboard to pages without https
    }
  });
  await editor.change(editor.linked());
  if (!editor.here) {
    const reason = byId("explore-status").textContent;
    await editor.change(null);
    if (reason) editor.say(reason);
  }
}
