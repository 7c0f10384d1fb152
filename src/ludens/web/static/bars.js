// Values on a board: a bar for each move at the place where the move ends.

import { svgElement } from "./charts.js";

/** The place of a drawing that has this name; null if there is none. */
export function spotNamed(place, name) {
  return place.querySelector(`[data-spot="${CSS.escape(name)}"]`);
}

/** Show values (0 to 100, by place name) as bars, replacing earlier ones. */
export function showBars(svg, values) {
  svg.querySelector("g.bars")?.remove();
  if (values.size === 0) return;
  const layer = svg.appendChild(svgElement("g", { class: "bars", "aria-hidden": "true" }));
  for (const [name, value] of values) {
    const box = boxOf(svg, spotNamed(svg, name));
    if (box === null) continue;
    const width = box.width * 0.8;
    const height = Math.max(3, Math.min(box.height * 0.1, 7));
    const isColumn = box.height > 1.5 * box.width; // pieces are at its lower end
    const [x, y] = [box.x + box.width * 0.1, isColumn ? box.y + height * 0.6 : box.y + box.height - height * 1.6];
    layer.append(rounded("bar-ground", x, y, width, height), rounded("bar", x, y, (width * Math.max(0, Math.min(100, value))) / 100, height));
  }
}

function rounded(kind, x, y, width, height) {
  return svgElement("rect", { class: kind, x, y, width, height, rx: height / 2 });
}

function boxOf(svg, spot) {
  const [outer, own] = [svg.getScreenCTM(), spot?.getScreenCTM()];
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
