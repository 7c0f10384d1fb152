// Short synthesised sounds, off by default.

import { storage } from "./dom.js";

const KEY = "ludens:sound";
let context = null;

export const isOn = () => storage.get(KEY, false);

export function turn(on) {
  storage.set(KEY, on);
}

/** A click for a move; lower and longer at the end of a match. */
export function play(kind) {
  if (!isOn()) return;
  context ??= new AudioContext();
  const [frequency, seconds] = { move: [520, 0.06], mine: [660, 0.08], end: [330, 0.35] }[kind];
  const tone = new OscillatorNode(context, { type: "triangle", frequency });
  const volume = new GainNode(context, { gain: 0.15 });
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + seconds);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + seconds);
}
