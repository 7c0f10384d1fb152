// Small helpers to build elements; text is always set as text, never as markup.
import { t, told } from "./texts.js";

export const byId = (id) => document.getElementById(id);

/** An element with attributes (true: present, false or null: absent), listeners (onclick…) and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** The element drawn by the server; null if the text is no SVG. */
export function parsedSvg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.localName !== "svg") return null;
  for (const words of parsed.querySelectorAll("text")) if (words.textContent.includes(" ")) words.textContent = told(words.textContent);
  return document.importNode(parsed, true);
}

/** Post JSON and return the JSON answer; throws an Error with the server's message if it refuses. */
export async function post(path, data, token = "") {
  const headers = { "content-type": "application/json", accept: "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(data) });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ? told(answer.error) : t("the server answered {status}", { status: response.status }));
  return answer;
}

/** Values in the browser's storage; without it (private windows) they last as long as the page. */
export const storage = {
  get(key, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // the page works without storage
    }
  },
};
