// Charts, drawn: axes, bars, lines, dots. Sizes are those of the drawing; a browser scales it.
import { drawing } from './dom.js';
import { short, clock, day } from './format.js';

const LEFT = 46;
const RIGHT = 10;
const TOP = 10;
const BOTTOM = 24;

/** A round number that is not less. */
function ceiling(value) {
  if (value <= 0) return 1;
  const size = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * size).find((step) => step >= value);
}

const timeLabel = (time, span) => (span > 2 * 86400000 ? day(time).replace(/ \d{4}$/, '') : clock(time).slice(0, 5));

/** A frame with values up and time along; `draw(x, y)` gets the two scales. */
export function chart({ title, from, until, most, unit = short, height = 190, width = 620, role = 'img' }, draw) {
  const top = ceiling(most);
  const x = (time) => LEFT + ((time - from) / (until - from)) * (width - LEFT - RIGHT);
  const y = (value) => height - BOTTOM - (value / top) * (height - TOP - BOTTOM);
  const marks = [0, 0.5, 1].map((part) => part * top);
  const times = [0, 0.25, 0.5, 0.75, 1].map((part) => from + part * (until - from));
  return drawing('svg', { class: 'chart', viewBox: `0 0 ${width} ${height}`, role, 'aria-label': title },
    marks.map((value) => [
      drawing('line', { class: 'axis', x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      drawing('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, unit(value))]),
    times.map((time, index) => drawing('text', { x: x(time), y: height - 6, 'text-anchor': ['start', 'middle', 'middle', 'middle', 'end'][index] }, timeLabel(time, until - from))),
    draw(x, y));
}

/** Stacked bars; each step has a start and values in the order of the colours. */
export function bars(options, steps, length) {
  const most = Math.max(1, ...steps.map((step) => step.values.reduce((sum, value) => sum + value, 0)));
  return chart({ ...options, most }, (x, y) => steps.map((step) => {
    let below = 0;
    return step.values.map((value, index) => {
      const from = below;
      below += value;
      const width = Math.max(1, x(step.at + length) - x(step.at) - 1.5);
      return value > 0 && drawing('rect', { class: `f${index + 1}`, x: x(step.at), y: y(below), width, height: Math.max(0.5, y(from) - y(below)), rx: 1 },
        drawing('title', {}, `${step.label ?? clock(step.at)}: ${options.names[index]} ${short(value)}`));
    });
  }));
}

/** Lines; each series is a list of [time, value]. */
export function lines(options, series) {
  const most = Math.max(options.least ?? 0, ...series.flat().map(([, value]) => value));
  return chart({ ...options, most }, (x, y) => series.map((points, index) => [
    points.length > 1 && drawing('polyline', { class: `line l${index + 1}`, points: points.map(([time, value]) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`).join(' ') }),
    points.length === 1 && drawing('circle', { class: `f${index + 1}`, cx: x(points[0][0]), cy: y(points[0][1]), r: 3 })]));
}

/** Dots, each with a colour, a time, a value and words. */
export function dots(options, points) {
  const most = Math.max(options.least ?? 0, ...points.map((point) => point.value));
  return chart({ ...options, most, role: points.some((point) => point.href) ? 'group' : 'img' }, (x, y) => points.map((point) => {
    const dot = drawing('circle', { class: `f${point.colour ?? 1}`, cx: x(point.at), cy: y(point.value), r: 3.5, opacity: 0.75 }, drawing('title', {}, point.words));
    return point.href ? drawing('a', { href: point.href, 'aria-label': point.words }, dot) : dot;
  }));
}
