// Drag and drop on a board: pressing a spot, moving and letting go is two clicks, and the piece follows the pointer.

const FAR = 6; // pixels that make a press a drag

export function enableDrag(board) {
  let pressed = null;

  board.place.addEventListener("pointerdown", (event) => {
    const spot = event.target.closest?.("[data-spot].is-legal");
    if (!spot || event.button !== 0 || board.path.length > 0) return;
    pressed = { spot, x: event.clientX, y: event.clientY, piece: null };
  });
  addEventListener("pointermove", (event) => {
    if (pressed === null) return;
    const [x, y] = [event.clientX - pressed.x, event.clientY - pressed.y];
    if (pressed.piece === null && Math.hypot(x, y) > FAR && !pick(pressed)) return;
    if (pressed.piece === null) return;
    const { a, b, c, d } = pressed.piece.parentNode.getScreenCTM().inverse();
    pressed.piece.style.translate = `${x * a + y * c}px ${x * b + y * d}px`;
    event.preventDefault();
  }, { passive: false });
  addEventListener("pointerup", (event) => drop(event.clientX, event.clientY));
  addEventListener("pointercancel", () => drop(null, null));

  /** Begin to drag, if something on this spot can be moved to another one. */
  function pick(press) {
    board.click(press.spot.dataset.spot);
    const piece = press.spot.matches(".d-piece") ? press.spot : press.spot.querySelector(".d-piece");
    if (board.path.length === 0 || !piece) {
      pressed = null;
      return false;
    }
    press.piece = piece;
    press.spot.parentNode.append(press.spot);
    piece.style.pointerEvents = "none";
    return true;
  }

  function drop(x, y) {
    const press = pressed;
    pressed = null;
    if (press === null || press.piece === null) return;
    press.piece.style.translate = "";
    press.piece.style.pointerEvents = "";
    const target = x === null ? null : document.elementFromPoint(x, y)?.closest("[data-spot].target");
    board.swallowClick();
    if (target) board.click(target.dataset.spot);
    else board.reset();
  }
}
