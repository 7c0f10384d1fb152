// The board: clicks on spots narrow down the legal moves until one is left. The keyboard works too.

import { showBars, spotNamed } from "./bars.js";
import { parsedSvg } from "./dom.js";
import { enableDrag } from "./drag.js";
import { animate, pieces } from "./motion.js";

const MOST_SCALED = 1.8; // small boards do not fill a large window
const MANY = 20;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ON_BOARD = ".d-board [data-spot]";

export class Board {
  /** `choose(moves)` receives the moves that match the clicks so far: one to send, or several to choose from. */
  constructor(place, choose) {
    this.place = place;
    this.choose = choose;
    this.moves = [];
    this.path = [];
    this.isFlipped = false;
    /** Receives clicks on spots while there is nothing to choose, if `isOpen()`. */
    this.onIdleClick = () => {};
    this.isOpen = () => false;
    this.ignoresClick = false;
    place.addEventListener("click", (event) => {
      if (this.ignoresClick) this.ignoresClick = false;
      else this.click(spotOf(event.target));
    });
    place.addEventListener("keydown", (event) => this.key(event));
    enableDrag(this);
  }

  /** Show a drawing and withdraw the old moves. */
  show(svg) {
    const focused = this.place.contains(document.activeElement) ? spotOf(document.activeElement) : null;
    const drawn = svg ? parsedSvg(svg) : null;
    if (drawn) drawn.style.width = `${drawn.width.baseVal.value * MOST_SCALED}px`;
    drawn?.classList.toggle("flipped", this.isFlipped);
    const before = pieces(this.place.querySelector("svg"));
    this.place.replaceChildren(...(drawn ? [drawn] : []));
    animate(before, drawn);
    this.moves = [];
    this.path = [];
    if (focused) this.spot(focused)?.focus();
  }

  /** True if there is a board that can be turned round. */
  get canFlip() {
    return this.place.querySelector(ON_BOARD) !== null && this.place.querySelector(".d-column") === null;
  }

  /** Turn the board so that a role's pieces are near the reader, if the drawing names them so. */
  turnTowards(role) {
    const spots = [...this.place.querySelectorAll(ON_BOARD)];
    const own = spots.filter((spot) => spot.getAttribute("aria-label")?.startsWith(`${role} `));
    const height = (chosen) => chosen.reduce((sum, spot) => sum + centre(spot).y, 0) / chosen.length;
    if (this.canFlip && own.length > 0 && !this.isFlipped && height(own) < height(spots) - 1) this.flip();
  }

  /** Turn the board round. */
  flip() {
    this.isFlipped = !this.isFlipped;
    this.place.querySelector("svg")?.classList.toggle("flipped", this.isFlipped);
  }

  /** Ignore the click that browsers send after a drag. */
  swallowClick() {
    this.ignoresClick = true;
    setTimeout(() => { this.ignoresClick = false; });
  }

  /** Offer moves. */
  ask(moves) {
    const hadFocus = this.place.contains(document.activeElement);
    this.moves = moves.filter((move) => move.spots.length > 0);
    this.path = [];
    this.mark();
    if (hadFocus && !document.activeElement.classList.contains("is-legal")) this.place.querySelector(".is-legal")?.focus();
  }

  /** Clear the clicks. */
  reset() {
    this.path = [];
    this.mark();
  }

  /** Show a proposed move. */
  hint(spots) {
    this.place.querySelectorAll(".hinted").forEach((spot) => spot.classList.remove("hinted"));
    for (const name of spots) this.spot(name)?.classList.add("hinted");
  }

  /** Show values (0 to 100) as bars on spots. */
  bars(values) {
    const svg = this.place.querySelector("svg");
    if (svg) showBars(svg, values);
  }

  spot(name) {
    return spotNamed(this.place, name);
  }

  candidates() {
    return this.moves.filter((move) => this.path.every((spot, index) => move.spots[index] === spot));
  }

  click(name) {
    if (name === null) return;
    if (this.moves.length === 0) {
      if (this.isOpen()) this.onIdleClick(name);
      return;
    }
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
    const isIdle = this.moves.length === 0 && this.isOpen();
    const spots = this.place.querySelectorAll("[data-spot]").length;
    // If almost everything can be clicked, frames around it would hide the board.
    this.place.querySelector("svg")?.classList.toggle("many", next.size > MANY && next.size > spots / 2);
    for (const spot of this.place.querySelectorAll("[data-spot]")) {
      const can = next.has(spot.dataset.spot);
      const chosen = this.path.includes(spot.dataset.spot);
      spot.classList.toggle("is-legal", can);
      spot.classList.toggle("target", can && this.path.length > 0);
      spot.classList.toggle("is-chosen", chosen);
      spot.setAttribute("tabindex", can && first ? "0" : "-1");
      if (can) first = false;
      spot.setAttribute("aria-disabled", String(!can && !chosen && !isIdle));
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

  /** Focus the nearest clickable spot in a direction. */
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
