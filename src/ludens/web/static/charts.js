// Small charts in SVG, drawn from numbers; colours come from the style sheet.
import { t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";

export function svgElement(name, attributes = {}, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return element;
}

// Bars side by side: [[label, number], …].
export function barChart(rows, title, unit = "") {
  const width = 320, height = 130, base = height - 22;
  const most = Math.max(1, ...rows.map(([, number]) => number));
  const step = width / Math.max(rows.length, 1);
  const values = rows.map(([label, number]) => `${label}: ${number}`).join(", ");
  const chart = svgElement("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}. ${values}` });
  const every = Math.ceil(rows.length / 8);
  const barWidth = Math.max(1, Math.min(72, step - Math.min(6, step * 0.2)));
  rows.forEach(([label, number], place) => {
    const barHeight = number / most * (base - 16);
    const bar = svgElement("rect", {
      class: "bar", x: (place * step + (step - barWidth) / 2).toFixed(1), y: (base - barHeight).toFixed(1),
      width: barWidth.toFixed(1), height: barHeight.toFixed(1), rx: 2,
    });
    bar.append(svgElement("title", {}, `${label}${unit}: ${number}`));
    chart.append(bar);
    if (place % every === 0) chart.append(svgElement("text", { x: (place * step + step / 2).toFixed(1), y: height - 6, "text-anchor": "middle" }, label));
  });
  chart.append(svgElement("line", { class: "axis", x1: 0, y1: base, x2: width, y2: base }));
  return chart;
}

// One line through numbers by turn.
export function lineChart(numbers, title) {
  const width = 320, height = 130, base = height - 22, left = 34;
  const most = Math.max(1, ...numbers);
  const chart = svgElement("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("{title}: from {first} to {last} over {n} turns, at most {most}", { title, first: numbers[0], last: numbers.at(-1), n: numbers.length, most }) });
  const x = (turn) => left + turn / Math.max(1, numbers.length - 1) * (width - left - 8);
  const y = (number) => base - number / most * (base - 14);
  chart.append(svgElement("line", { class: "axis", x1: left, y1: base, x2: width, y2: base }));
  chart.append(svgElement("text", { x: left - 6, y: y(most) + 4, "text-anchor": "end" }, String(Math.round(most))));
  chart.append(svgElement("text", { x: left - 6, y: base, "text-anchor": "end" }, "0"));
  chart.append(svgElement("text", { x: left, y: height - 6 }, t("turn {n}", { n: 1 })));
  chart.append(svgElement("text", { x: width - 4, y: height - 6, "text-anchor": "end" }, String(numbers.length)));
  const points = numbers.map((number, turn) => `${x(turn).toFixed(1)},${y(number).toFixed(1)}`).join(" ");
  chart.append(svgElement("polyline", { class: "curve", points }));
  return chart;
}

const short = new Intl.NumberFormat(document.documentElement.lang, { notation: "compact", maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 2 });
export const shown = (number) => (Math.abs(number) >= 100000 ? short : whole).format(number);
