// Ready set-ups, which the card of a game declares: one click makes all moves of one.

import { element } from "./dom.js";

export class Setups {
  /** `setups` are lists of moves with names. */
  constructor(setups) {
    this.setups = setups;
    this.plan = [];
    this.hasChosen = false;
  }

  /** The next move of the set-up that was chosen; null if there is none. Forced moves are not asked for: they are skipped. */
  next(moves) {
    const legal = new Map(moves.map((move) => [move.move, move]));
    const place = this.plan.findIndex((move) => legal.has(move));
    const move = place < 0 ? null : legal.get(this.plan[place]);
    this.plan = place < 0 ? [] : this.plan.slice(place + 1);
    return move;
  }

  /** The person has made a move: no set-up is offered any more. */
  close() {
    this.hasChosen = true;
  }

  /** Buttons for the set-ups that begin with a legal move; `choose()` is called when one is chosen. */
  buttons(moves, choose) {
    if (this.hasChosen) return [];
    const offered = this.setups.filter((setup) => moves.some((move) => move.move === setup.moves[0]));
    return offered.map((setup) => element("button", { type: "button", lang: "en", onclick: () => {
      this.plan = [...setup.moves];
      choose();
    } }, setup.name));
  }
}
