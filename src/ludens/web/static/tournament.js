// Keeps the tables of a tournament up to date while it is played.
const EVERY = 2000;
const table = document.getElementById("table");

async function refresh() {
  const known = table.querySelector("[data-version]").dataset.version;
  const response = await fetch(`${table.dataset.source}?known=${encodeURIComponent(known)}`);
  if (response.status !== 200) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-version]");
  const focused = document.activeElement?.closest("#table a")?.getAttribute("href");
  table.replaceChildren(document.importNode(fresh, true));
  if (focused) [...table.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
}

async function follow() {
  if (!document.hidden) await refresh().catch(() => {});
  setTimeout(follow, EVERY);
}
setTimeout(follow, EVERY);
