// The page of a game: facts are computed on demand and shown as they arrive.
import { showExamination } from "./examination.js";

const facts = document.getElementById("facts");
showExamination(facts, fetch(facts.dataset.source, { headers: { accept: "application/json" } }));
