// What a space costs and gains, drawn.
import { element, show, afterPause } from './dom.js';
import { get, metrics } from './api.js';
import { short, whole, clock, moment, plural } from './format.js';
import { whileOpen } from './live.js';
import { heading, loading, choices, failure, empty, curl } from './parts.js';
import { bars, lines, dots } from './drawings.js';

const HOUR = 3600000;
const RANGES = [[1, '1 hour'], [24, '1 day'], [168, '7 days'], [720, '30 days']];
const STEPS = 48;
const SAMPLE_EVERY = 3000;
const SAMPLES = 60;
const PAUSE = 250;
const RECALL = /^http_server_requests_seconds_(sum|count)\{[^}]*route="\/api\/v1\/recall"[^}]*\} (\S+)/gm;

export async function metricsPage(view, { hours = '168' }, signal) {
  const figures = element('div', { class: 'grid two' }, loading('the past'));
  const recall = element('div');
  const samples = [];
  let range = Number(hours);
  let isEmpty = false;
  const draw = async () => {
    const until = Date.now();
    const from = until - range * HOUR;
    try {
      const [activity, traces] = await Promise.all([
        get('/activity', { from: new Date(from).toISOString(), until: new Date(until).toISOString(), steps: STEPS }, signal),
        get('/traces', { type: 'context_assembled', limit: 100 }, signal)]);
      const windows = traces.items.map(windowOf).filter((one) => one && one.at >= from);
      isEmpty = Object.values(activity.steps.at(-1).there).every((count) => count === 0);
      if (isEmpty) { show(figures, nothingYet()); return; }
      show(figures, tokens(activity, from, until), fill(windows, from, until), growth(activity, from, until), took(windows, from, until), figure('Recall latency', 'The mean of all recalls between two readings of /metrics, since this page was opened. Ask something in Memory to see it move.', recall));
    } catch (problem) {
      if (!signal.aborted) show(figures, failure(problem, draw));
    }
  };
  show(view, heading('Metrics', element('span', { class: 'side' }, choices('Period', RANGES.map(([value, name]) => [String(value), name]), hours, (value) => { history.replaceState(null, '', `#/charts?hours=${value}`); range = Number(value); draw(); }))), figures);
  await draw();
  whileOpen(signal, [], afterPause(PAUSE, () => { if (isEmpty) draw(); }));
  const sample = async () => {
    const read = await metrics(signal).catch(() => null);
    if (read === null) return;
    samples.push({ at: Date.now(), ...totals(read) });
    if (samples.length > SAMPLES) samples.shift();
    show(recall, latency(samples));
  };
  await sample();
  const timer = setInterval(sample, SAMPLE_EVERY);
  signal.addEventListener('abort', () => clearInterval(timer));
}

const nothingYet = () => empty('There is nothing to draw yet', 'Tokens in and out, how full windows are, what they take and how the store grows are drawn here from the first turn on:', curl('/sessions/first/turns', { turns: [{ role: 'USER', text: 'Hello, remember that I prefer window seats.' }] }));
const figure = (title, caption, ...drawn) => element('figure', { class: 'panel' }, element('h2', {}, title), drawn, element('figcaption', {}, caption));
const legend = (names) => element('ul', { class: 'legend' }, names.map((name, index) => element('li', {}, element('i', { class: `c${index + 1}` }), name)));

function tokens(activity, from, until) {
  const steps = activity.steps.map((step) => ({ at: Date.parse(step.from), label: moment(step.from), values: [step.tokens_input, step.tokens_output] }));
  const total = (index) => steps.reduce((sum, step) => sum + step.values[index], 0);
  return figure('Tokens in and out', activity.complete ? 'All turns of the period.' : 'The newest turns of the period; there are more than one answer reads.',
    bars({ title: `Tokens: ${whole(total(0))} in, ${whole(total(1))} out`, from, until, names: ['in', 'out'] }, steps, (until - from) / STEPS), legend([`in ${short(total(0))}`, `out ${short(total(1))}`]));
}

function windowOf(event) {
  const [, used, most] = /^(\d+)\/(\d+)/.exec(event.detail ?? '') ?? [];
  return used && { at: Date.parse(event.time), used: Number(used), most: Number(most), took: event.duration_ms ?? 0, id: event.record.id };
}

function fill(windows, from, until) {
  const points = windows.map((one) => ({ at: one.at, value: (100 * one.used) / one.most, colour: 2, href: `#/windows/${one.id}`, words: `${whole(one.used)} of ${whole(one.most)} tokens, ${moment(one.at)}` }));
  return figure('Window fill', points.length ? `How much of its budget each of the last ${plural(points.length, 'window')} uses, in percent. Each dot leads to its window.` : 'No window was composed in this period.',
    dots({ title: 'Window fill in percent', from, until, least: 100 }, points));
}

function took(windows, from, until) {
  const points = windows.map((one) => ({ at: one.at, value: one.took, colour: 3, words: `${one.took} ms, ${moment(one.at)}` }));
  return figure('Time to compose', points.length ? 'Milliseconds that each window took.' : 'No window was composed in this period.', dots({ title: 'Milliseconds to compose a window', from, until, least: 10 }, points));
}

function growth(activity, from, until) {
  const names = ['turn', 'artifact', 'note', 'trajectory', 'context_window'];
  const ends = activity.steps.map((step, index) => Date.parse(activity.steps[index + 1]?.from ?? activity.until));
  const series = names.map((name) => activity.steps.map((step, index) => [ends[index], step.there[name] ?? 0]));
  const last = activity.steps.at(-1).there;
  return figure('Store growth', 'Records that are there, by kind.', lines({ title: 'Records in the store over time', from, until }, series), legend(names.map((name) => `${name.replace('context_', '')} ${short(last[name])}`)));
}

function totals(text) {
  const found = { sum: 0, count: 0 };
  for (const [, name, value] of text.matchAll(RECALL)) found[name] += Number(value);
  return found;
}

function latency(samples) {
  const points = [];
  for (let i = 1; i < samples.length; i++) {
    const count = samples[i].count - samples[i - 1].count;
    if (count > 0) points.push([samples[i].at, (1000 * (samples[i].sum - samples[i - 1].sum)) / count]);
  }
  const last = samples.at(-1);
  const from = Math.min(samples[0].at, last.at - SAMPLES * SAMPLE_EVERY);
  const mean = last.count > 0 ? `${((1000 * last.sum) / last.count).toFixed(1)} ms over ${plural(last.count, 'recall')} since the server started` : 'no recall since the server started';
  return [lines({ title: `Recall latency: ${mean}`, from, until: last.at + 1, least: 20, unit: (value) => `${value} ms` }, [points]), element('p', { class: 'quiet' }, `${mean}; read at ${clock(last.at)}.`)];
}
