// The thinking of a search: move values as bars, the best line, and speed.

import { element } from "./dom.js";
import { figure, t } from "./texts.js";

/** The panel of one search. */
export function showThinking(search) {
  const facts = [
    search.value === null ? "" : t("expects {value}", { value: search.value.toFixed(0) }),
    search.rate ? t("{count} playouts/s", { count: figure(search.rate) }) : "",
    search.depth ? t("depth {n}", { n: search.depth }) : "",
  ].filter(Boolean);
  const most = Math.max(1, ...search.moves.map((move) => move.visits));
  return element(
    "div",
    { class: "search" },
    element("p", {}, element("strong", {}, search.role), ` ${facts.join(", ")}`),
    search.line.length > 0 ? element("p", { class: "line" }, element("span", { class: "soft" }, `${t("Best line:")} `), search.line.join(" → ")) : null,
    element("ul", { class: "bars-list" }, ...search.moves.map((move) => bar(move, most))),
  );
}

function bar(move, most) {
  const value = move.value ?? 0;
  const track = element("span", { class: "track", "aria-hidden": "true" });
  const filled = element("span", { class: "filled" });
  filled.style.width = `${Math.max(0, Math.min(100, value))}%`;
  filled.style.opacity = String(0.45 + (0.55 * move.visits) / most);
  track.append(filled);
  const figure = move.value === null ? "–" : `${value.toFixed(0)}${move.proven ? "!" : ""}`;
  return element("li", {}, element("span", { class: "bar-label" }, move.label), track, element("span", { class: "bar-value" }, figure));
}

/** For each spot where moves end, the best value of such a move. */
export function valuesOnSpots(searches) {
  const values = new Map();
  for (const search of searches) {
    for (const move of search.moves) {
      if (move.spot && move.value !== null) values.set(move.spot, Math.max(values.get(move.spot) ?? 0, move.value));
    }
  }
  return values;
}
