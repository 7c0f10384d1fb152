// Many moves that differ in one number, such as raises, become one slider with a button.

import { element } from "./dom.js";
import { t } from "./texts.js";

const LEAST = 8; // fewer moves are buttons
const NUMBER = /^(\D*?)(\d+)(\D*)$/;

/** The moves in families that differ in one number, and all others. Moves that are clicked on the board stay as they are. */
export function families(moves) {
  const found = new Map();
  for (const move of moves) {
    const [, before, number, after] = (move.spots.length === 0 && NUMBER.exec(move.label)) || [];
    if (number === undefined || before === "") continue;
    const key = `${before}#${after}`;
    if (!found.has(key)) found.set(key, []);
    found.get(key).push({ move, number: Number(number) });
  }
  const grouped = [...found.values()].filter((family) => family.length >= LEAST);
  for (const family of grouped) family.sort((one, other) => one.number - other.number);
  const taken = new Set(grouped.flat().map(({ move }) => move));
  return { grouped, others: moves.filter((move) => !taken.has(move)) };
}

/** A slider over a family of moves, a field for the number, and a button that plays the move. */
export function slider(family, play) {
  const last = family.length - 1;
  const name = family[0].move.label.replace(/\d+/, "").trim();
  const range = element("input", { type: "range", min: 0, max: last, value: 0, "aria-label": name });
  const field = element("input", { type: "number", min: family[0].number, max: family[last].number, "aria-label": t("{name}, number", { name }) });
  const button = element("button", { type: "button", class: "primary", onclick: () => play(family[Number(range.value)].move) });
  const show = () => {
    const chosen = family[Number(range.value)];
    field.value = chosen.number;
    button.textContent = chosen.move.label;
    range.setAttribute("aria-valuetext", String(chosen.number));
  };
  range.addEventListener("input", show);
  field.addEventListener("change", () => {
    const wanted = Number(field.value);
    let best = 0; // not every number may be legal: the nearest is taken
    family.forEach(({ number }, index) => {
      if (Math.abs(number - wanted) < Math.abs(family[best].number - wanted)) best = index;
    });
    range.value = best;
    show();
  });
  show();
  return element("li", { class: "slider" }, range, field, button);
}
