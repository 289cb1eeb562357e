// Numbers, times and names as people read them.
import { element } from './dom.js';

const WHOLE = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const STEPS = [[60, 'second', 1], [3600, 'minute', 60], [86400, 'hour', 3600], [2592000, 'day', 86400], [31536000, 'month', 2592000], [Infinity, 'year', 31536000]];

export const whole = (number) => WHOLE.format(number ?? 0);
export const short = (number) => (Math.abs(number ?? 0) < 10000 ? whole(number) : SHORT.format(number));
export const percent = (part, all) => (all > 0 ? `${Math.round((100 * part) / all)} %` : '–');
export const score = (number) => (number === undefined || number === null ? '–' : Number(number).toFixed(3));
export const plural = (count, one, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`;
export const words = (constant) => String(constant ?? '').toLowerCase().replaceAll('_', ' ');
export const oneLine = (text) => String(text ?? '').replace(/\s+/g, ' ').trim();
/** The end of an id tells it apart; its beginning is its time. */
export const isId = (text) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(text);
export const shortId = (id) => (id ? `…${String(id).slice(-6)}` : '');

export function bytes(count) {
  let value = count ?? 0;
  for (const unit of ['B', 'KiB', 'MiB', 'GiB']) {
    if (value < 1024 || unit === 'GiB') return `${unit === 'B' ? value : value.toFixed(1)} ${unit}`;
    value /= 1024;
  }
  return '';
}

export function ago(time, now = Date.now()) {
  const seconds = Math.round((now - Date.parse(time)) / 1000);
  if (Math.abs(seconds) < 5) return 'now';
  const [, unit, size] = STEPS.find(([most]) => Math.abs(seconds) < most);
  const count = Math.round(Math.abs(seconds) / size);
  const label = { second: 's', minute: 'min', hour: 'h', day: 'd', month: 'mo', year: 'y' }[unit];
  return seconds < 0 ? `in ${count} ${label}` : `${count} ${label} ago`;
}

export const moment = (time) => new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
export const day = (time) => new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
export const clock = (time) => new Date(time).toLocaleTimeString('en-GB');

/** A time that says how long ago it was, and on hovering when. */
export const when = (time) =>
  time ? element('time', { datetime: time, title: moment(time) }, ago(time)) : '–';

/** The words of a turn, whatever it is made of. */
export function turnText(turn) {
  return turn.parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'tool_call') return `${part.tool}(${part.arguments})`;
      if (part.kind === 'tool_result') return part.content;
      return `[${part.media_type}]`;
    })
    .join('\n');
}

/** JSON with line breaks where it is JSON. */
export function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Content as text, or nothing where it is none. */
export function decoded(base64) {
  const raw = Uint8Array.from(atob(base64 ?? ''), (letter) => letter.charCodeAt(0));
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(raw), size: raw.length };
  } catch {
    return { text: null, size: raw.length };
  }
}
