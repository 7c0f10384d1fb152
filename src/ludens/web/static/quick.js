// Buttons that begin a match at once.

import { byId, element } from "./dom.js";
import { enableButtons } from "./matches.js";
import { t } from "./texts.js";

enableButtons((text) => {
  const matches = element("a", { href: "/play#mine" }, t("See your matches")); // some of them may have to be ended first
  byId("problem").replaceChildren(text, " ", matches);
  byId("problem").hidden = false;
});
