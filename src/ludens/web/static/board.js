// The board: clicks on spots narrow down the legal moves until one is left. Works with the keyboard alike.

import { parsedSvg } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const MOST_SCALED = 2.6; // small boards do not fill a large window
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /** `choose(moves)` is called with the moves that the clicks so far mean: one to be sent, several to choose from. */
  constructor(place, choose) {
    this.place = place;
    this.choose = choose;
    this.moves = [];
    this.path = [];
    place.addEventListener("click", (event) => this.click(spotOf(event.target)));
    place.addEventListener("keydown", (event) => this.key(event));
  }

  /** Show a drawing; the old moves are no longer offered. */
  show(svg) {
    const focused = this.place.contains(document.activeElement) ? spotOf(document.activeElement) : null;
    const drawn = svg ? parsedSvg(svg) : null;
    if (drawn) drawn.style.width = `${drawn.width.baseVal.value * MOST_SCALED}px`;
    this.place.replaceChildren(...(drawn ? [drawn] : []));
    this.moves = [];
    this.path = [];
    if (focused) this.spot(focused)?.focus();
  }

  /** Offer moves. */
  ask(moves) {
    const hadFocus = this.place.contains(document.activeElement);
    this.moves = moves.filter((move) => move.spots.length > 0);
    this.path = [];
    this.mark();
    if (hadFocus && !document.activeElement.classList.contains("is-legal")) this.place.querySelector(".is-legal")?.focus();
  }

  /** Forget what was clicked. */
  reset() {
    this.path = [];
    this.mark();
  }

  /** Show a move that somebody proposes. */
  hint(spots) {
    this.place.querySelectorAll(".hinted").forEach((spot) => spot.classList.remove("hinted"));
    for (const name of spots) this.spot(name)?.classList.add("hinted");
  }

  /** Show values (0 to 100) as bars on spots. */
  bars(values) {
    const svg = this.place.querySelector("svg");
    svg?.querySelector("g.bars")?.remove();
    if (!svg || values.size === 0) return;
    const layer = svg.appendChild(document.createElementNS(SVG, "g"));
    layer.setAttribute("class", "bars");
    layer.setAttribute("aria-hidden", "true");
    for (const [name, value] of values) {
      const box = this.boxOf(svg, name);
      if (box === null) continue;
      const width = box.width * 0.8;
      const height = Math.max(3, Math.min(box.height * 0.1, 7));
      const [x, y] = [box.x + box.width * 0.1, box.y + box.height - height * 1.6];
      layer.append(rect("bar-ground", x, y, width, height), rect("bar", x, y, (width * value) / 100, height));
    }
  }

  boxOf(svg, name) {
    const spot = this.spot(name);
    if (!spot) return null;
    const [outer, own] = [svg.getScreenCTM(), spot.getScreenCTM()];
    if (!outer || !own) return null;
    const matrix = outer.inverse().multiply(own);
    const box = spot.getBBox();
    const from = new DOMPoint(box.x, box.y).matrixTransform(matrix);
    const to = new DOMPoint(box.x + box.width, box.y + box.height).matrixTransform(matrix);
    return {
      x: Math.min(from.x, to.x), y: Math.min(from.y, to.y),
      width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y),
    };
  }

  spot(name) {
    return this.place.querySelector(`[data-spot="${CSS.escape(name)}"]`);
  }

  candidates() {
    return this.moves.filter((move) => this.path.every((spot, index) => move.spots[index] === spot));
  }

  click(name) {
    if (name === null || this.moves.length === 0) return;
    const next = this.candidates().filter((move) => move.spots[this.path.length] === name);
    if (next.length > 0) {
      this.path.push(name);
      const open = next.filter((move) => move.spots.length > this.path.length);
      const whole = next.filter((move) => move.spots.length === this.path.length);
      this.mark();
      if (whole.length > 0) this.choose(whole, open.length > 0);
      return;
    }
    const again = this.path.length > 0 && this.path[0] !== name;
    this.path = again && this.moves.some((move) => move.spots[0] === name) ? [name] : [];
    this.mark();
  }

  mark() {
    const next = new Set(this.candidates().map((move) => move.spots[this.path.length]));
    let first = true;
    for (const spot of this.place.querySelectorAll("[data-spot]")) {
      const can = next.has(spot.dataset.spot);
      const chosen = this.path.includes(spot.dataset.spot);
      spot.classList.toggle("is-legal", can);
      spot.classList.toggle("target", can && this.path.length > 0);
      spot.classList.toggle("is-chosen", chosen);
      spot.setAttribute("tabindex", can && first ? "0" : "-1");
      if (can) first = false;
      spot.setAttribute("aria-disabled", String(!can && !chosen));
    }
  }

  key(event) {
    const name = spotOf(event.target);
    if (event.key === "Escape" && this.path.length > 0) {
      this.reset();
    } else if ((event.key === "Enter" || event.key === " ") && name !== null) {
      this.click(name);
      const focused = spotOf(document.activeElement);
      if (focused === name && this.path.length > 0) this.place.querySelector(".target")?.focus();
    } else if (event.key in ARROWS && name !== null) {
      this.move(event.target.closest("[data-spot]"), ARROWS[event.key]);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Give the focus to the nearest spot in a direction that can be clicked. */
  move(from, [right, down]) {
    const here = centre(from);
    let best = null;
    let least = Infinity;
    for (const spot of this.place.querySelectorAll(".is-legal, .is-chosen")) {
      const there = centre(spot);
      const along = (there.x - here.x) * right + (there.y - here.y) * down;
      const aside = Math.abs((there.x - here.x) * down) + Math.abs((there.y - here.y) * right);
      const far = along + 2 * aside;
      if (spot !== from && along > 1 && far < least) [best, least] = [spot, far];
    }
    if (best === null) return;
    from.setAttribute("tabindex", "-1");
    best.setAttribute("tabindex", "0");
    best.focus();
  }
}

function spotOf(target) {
  return target?.closest?.("[data-spot]")?.dataset.spot ?? null;
}

function centre(spot) {
  const box = spot.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function rect(kind, x, y, width, height) {
  const made = document.createElementNS(SVG, "rect");
  made.setAttribute("class", kind);
  for (const [name, value] of Object.entries({ x, y, width, height, rx: height / 2 })) made.setAttribute(name, value);
  return made;
}
