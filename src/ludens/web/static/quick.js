// Buttons that begin a match at once.

import { byId } from "./dom.js";
import { enableButtons } from "./matches.js";

enableButtons((text) => {
  byId("problem").textContent = text;
  byId("problem").hidden = false;
});
