// Compares two drawings and animates the difference: pieces slide, discs drop, dice roll, captured ones fade, new ones
// appear.

const MILLISECONDS = 220;
const ROLLING = 450;
const MOST = 24; // more changes than these are a new position, not a move

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The pieces of a drawing: what each looks like, and where it is when it has come to rest; null without a drawing. */
export function pieces(svg) {
  if (!svg) return null;
  for (const motion of svg.getAnimations({ subtree: true })) motion.finish(); // the next move was quick
  return [...svg.querySelectorAll(".d-piece:not(.ghost)")].filter((piece) => piece.getCTM()).map((piece) => {
    const matrix = piece.getCTM();
    return { piece, look: look(piece), x: matrix.e / matrix.a, y: matrix.f / matrix.d };
  });
}

function look(piece) {
  const copy = piece.cloneNode(true);
  copy.querySelectorAll("title, .d-hit").forEach((part) => part.remove());
  return copy.innerHTML;
}

/** Animate from the pieces of an old drawing to a new one that has taken its place. */
export function animate(before, svg) {
  if (before === null || !svg || isStill()) return;
  const gone = new Set(before);
  const fresh = pieces(svg).filter((now) => {
    const same = [...gone].find((old) => old.look === now.look && distance(old, now) < 1);
    if (same) gone.delete(same);
    return !same;
  });
  if (fresh.length + gone.size > MOST) return;
  const falls = svg.querySelector(".d-column") !== null;
  for (const old of [...gone]) if (isDie(old.piece)) gone.delete(old); // it has been picked up
  for (const now of fresh) {
    const old = nearest(gone, now);
    if (isDie(now.piece)) {
      roll(now.piece);
      continue;
    }
    if (old) {
      gone.delete(old);
      slide(now.piece, old.x - now.x, old.y - now.y);
    } else if (falls) {
      slide(now.piece, 0, -now.y, "cubic-bezier(0.5, 0, 0.9, 0.6)");
    } else {
      now.piece.animate([{ opacity: 0 }, { opacity: 1 }], MILLISECONDS);
    }
  }
  for (const old of gone) fade(old, svg);
}

function distance(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function nearest(candidates, now) {
  let best = null;
  for (const old of candidates) {
    if (old.look === now.look && (best === null || distance(old, now) < distance(best, now))) best = old;
  }
  return best;
}

function slide(piece, x, y, easing = "ease-in-out") {
  raise(piece);
  const way = piece.closest(".flipped .d-board") ? -1 : 1; // the piece moves in the directions of its board
  piece.animate([{ translate: `${way * x}px ${way * y}px` }, { translate: "0 0" }], { duration: MILLISECONDS, easing });
}

function isDie(piece) {
  return piece.closest("[aria-label]")?.getAttribute("aria-label").startsWith("die ") ?? false;
}

/** Turn a die round its middle, which is the origin of its drawing. */
function roll(die) {
  const { a, b, c, d, e, f } = die.transform.baseVal.consolidate()?.matrix ?? new DOMMatrix();
  const place = `matrix(${[a, b, c, d, e, f].join(", ")})`;
  die.animate([{ transform: `${place} rotate(-1turn) scale(0.6)` }, { transform: place }], { duration: ROLLING, easing: "ease-out" });
}

/** Draw a piece above its neighbours, which are in the order of the drawing. */
function raise(piece) {
  const place = piece.closest("[data-spot]") ?? piece;
  place.parentNode.append(place);
}

function fade({ piece, x, y }, svg) {
  const ghost = piece.cloneNode(true);
  ghost.setAttribute("transform", `translate(${x} ${y})`);
  ghost.classList.add("ghost");
  ghost.setAttribute("aria-hidden", "true");
  ghost.removeAttribute("data-spot");
  ghost.style.pointerEvents = "none";
  svg.append(ghost);
  ghost.animate([{ opacity: 1 }, { opacity: 0 }], MILLISECONDS).finished.finally(() => ghost.remove());
}
