/** Short, woody sounds, made when they are wanted: no recordings. */
import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/**
 * A knock: a burst of noise through a narrow body, and the body's own tone dying away.
 *
 * @param {AudioContext} audio @param {{ at?: number, tone: number, loud: number, long?: number }} knock
 */
function knock(audio, { at = 0, tone, loud, long = 0.09 }) {
  const start = audio.currentTime + at;
  const noise = audio.createBufferSource();
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * 0.03), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 3;
  noise.buffer = buffer;
  const body = audio.createBiquadFilter();
  body.type = "bandpass";
  body.frequency.value = tone * 4;
  body.Q.value = 2.2;
  const wood = audio.createOscillator();
  wood.type = "triangle";
  wood.frequency.setValueAtTime(tone * 1.4, start);
  wood.frequency.exponentialRampToValueAtTime(tone, start + 0.03);
  const fade = audio.createGain();
  fade.gain.setValueAtTime(loud, start);
  fade.gain.exponentialRampToValueAtTime(0.0001, start + long);
  noise.connect(body).connect(fade);
  wood.connect(fade);
  const volume = audio.createGain();
  volume.gain.value = settings().volume / 70;
  fade.connect(volume).connect(audio.destination);
  noise.start(start);
  wood.start(start);
  wood.stop(start + long);
}

/** @type {Record<string, { at?: number, tone: number, loud: number, long?: number }[]>} */
const SOUNDS = {
  move: [{ tone: 190, loud: 0.35 }],
  capture: [{ tone: 240, loud: 0.45 }, { at: 0.045, tone: 150, loud: 0.4 }],
  check: [{ tone: 300, loud: 0.4 }, { at: 0.09, tone: 380, loud: 0.3 }],
  end: [{ tone: 260, loud: 0.35, long: 0.2 }, { at: 0.14, tone: 195, loud: 0.35, long: 0.2 }, { at: 0.28, tone: 130, loud: 0.4, long: 0.4 }],
  low: [{ tone: 520, loud: 0.2, long: 0.05 }],
};

/** @param {"move" | "capture" | "check" | "end" | "low"} name */
export function play(name) {
  if (!settings().sound) return;
  try {
    context ??= new AudioContext();
    // Browsers let us speak only after a click; until then we are silent.
    if (context.state === "suspended") void context.resume();
    for (const one of SOUNDS[name]) knock(context, one);
  } catch {
    // A machine without sound plays on in silence.
  }
}
