// Premoves: clicks while the opponent thinks are kept, and played if they are a legal move when the turn comes.

const LONGEST = 2; // a piece and its destination

export class Premove {
  /** `changed(path)` is called when the spots of the premove change. */
  constructor(board, changed) {
    this.board = board;
    this.changed = changed;
    this.path = [];
  }

  click(name) {
    const isFull = this.path.length >= LONGEST;
    if (this.path.at(-1) === name) this.path = [];
    else this.path = isFull ? [name] : [...this.path, name];
    this.mark();
    this.changed(this.path);
  }

  cancel() {
    if (this.path.length === 0) return;
    this.path = [];
    this.mark();
    this.changed(this.path);
  }

  /** Show the clicks so far, also on a new drawing. */
  mark() {
    for (const spot of this.board.place.querySelectorAll(".premove")) spot.classList.remove("premove");
    for (const name of this.path) this.board.spot(name)?.classList.add("premove");
  }

  /** The legal move that was meant, if there is exactly one; the premove is over in any case. */
  take(moves) {
    const path = this.path;
    this.cancel();
    if (path.length === 0) return null;
    for (const meant of [path, path.slice(-1)]) { // of two clicks, the second may correct the first
      const found = moves.filter((move) => move.spots.length === meant.length && move.spots.every((spot, index) => spot === meant[index]));
      if (found.length > 0) return found.length === 1 ? found[0] : null;
    }
    return null;
  }
}
