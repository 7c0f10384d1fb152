// The page of a game: facts are computed when somebody looks, and shown as they come.
import { showExamination } from "./examination.js";

const facts = document.getElementById("facts");
showExamination(facts, fetch(facts.dataset.source, { headers: { accept: "application/json" } }));
