// What is alive now.
import { element, show, afterPause } from './dom.js';
import { get } from './api.js';
import { whileOpen } from './live.js';
import { short, whole, when, words, plural, bytes, isId, shortId } from './format.js';
import { heading, panel, empty, loading, curl, recordLink } from './parts.js';
import { bars } from './drawings.js';

const PAUSE = 250;
const HOURS = 24;
const HOUR = 3600000;

export async function overviewPage(view, parameters, signal) {
  const tiles = element('div', { class: 'tiles' });
  const attention = element('ul', { class: 'lines' });
  const alive = element('ul', { class: 'lines' });
  const happenings = element('ol', { class: 'lines', 'aria-live': 'off' });
  const day = element('div', {}, loading('the last day'));
  show(view, heading('Overview'), loading('the space'));
  let seen = new Set();
  let spaceIsEmpty = null;

  const layout = (isEmpty) => {
    if (isEmpty === spaceIsEmpty) return;
    spaceIsEmpty = isEmpty;
    show(view, heading('Overview'), tiles,
      isEmpty
        ? empty('Nothing has happened here yet', 'Agents write by REST, MCP or the command line. Say something to a session, and it appears here at once:', curl('/sessions/first/turns', { turns: [{ role: 'USER', text: 'Hello, remember that I prefer window seats.' }] }))
        : element('div', { class: 'grid' },
          element('div', { class: 'stack wide' }, panel('Alive now', {}, alive), panel('Tokens said in the last day', {}, day), panel('Needs attention', {}, attention)),
          element('div', { class: 'stack narrow' }, panel('Latest happenings', {}, happenings))));
  };

  const refresh = async () => {
    const [overview, tasks, traces] = await Promise.all([
      get('/overview', {}, signal),
      get('/trajectories', { limit: 40 }, signal),
      get('/traces', { limit: 24 }, signal),
    ]);
    layout(overview.sequence === 0 || (tasks.items.length === 0 && traces.items.length === 0));
    show(tiles, tileList(overview));
    show(attention, attentionList(overview, tasks.items));
    show(alive, aliveList(tasks.items, overview.trajectories.ACTIVE));
    show(happenings, traces.items.map((event) => happening(event, seen)));
    seen = new Set(traces.items.map((event) => event.id));
  };

  const drawDay = async () => {
    const until = Date.now();
    const activity = await get('/activity', { from: new Date(until - HOURS * HOUR).toISOString(), until: new Date(until).toISOString(), steps: HOURS * 2 }, signal);
    const steps = activity.steps.map((step) => ({ at: Date.parse(step.from), values: [step.tokens_input, step.tokens_output] }));
    const total = (index) => steps.reduce((sum, step) => sum + step.values[index], 0);
    show(day, bars({ title: `Tokens in the last day: ${whole(total(0))} in, ${whole(total(1))} out`, from: until - HOURS * HOUR, until, names: ['in', 'out'], height: 150 }, steps, HOUR / 2),
      element('ul', { class: 'legend' }, ['in', 'out'].map((name, index) => element('li', {}, element('i', { class: `c${index + 1}` }), `${name} ${short(total(index))}`))));
  };

  await refresh();
  if (!spaceIsEmpty) drawDay().catch(() => show(day, element('p', { class: 'quiet' }, 'The last day could not be read.')));
  const again = afterPause(PAUSE, () => refresh().catch(() => {}));
  const dayAgain = afterPause(PAUSE * 8, () => drawDay().catch(() => {}));
  whileOpen(signal, [], () => { again(); dayAgain(); });
}

function tileList({ trajectories, records, messages, index, jobs }) {
  const tile = (count, name, href, bad) => element(href ? 'a' : 'div', { class: `tile ${bad ? 'bad' : ''}`, href, 'data-tile': name }, element('b', {}, short(count)), element('span', {}, name));
  return [
    tile(trajectories.ACTIVE, 'active tasks', '#/trajectories?status=ACTIVE'),
    tile(records.turn, 'turns', '#/trajectories'),
    tile(records.note, 'notes', '#/memory'),
    tile(records.artifact, 'artifacts'),
    tile(records.context_window, 'windows', '#/windows'),
    tile(records.agent, 'agents', '#/coordination'),
    tile(records.lease, 'leases', '#/coordination'),
    tile(messages.PENDING + messages.DELIVERED, 'in inboxes', '#/coordination'),
    tile(index.backlog, 'to embed'),
    tile(jobs.DEAD ?? 0, 'dead jobs', null, jobs.DEAD > 0),
  ];
}

function attentionList({ jobs, index, messages, trajectories }, tasks) {
  const found = [];
  const line = (tone, text, end) => element('li', {}, element('span', { class: `dot ${tone}` }), element('span', { class: 'wrap' }, text), element('span', { class: 'end' }, end));
  if (jobs.DEAD > 0) found.push(line('failed', `${plural(jobs.DEAD, 'job')} gave up: ./caliber jobs list shows why, jobs retry tries again`, 'jobs'));
  if (messages.DEAD > 0) found.push(line('failed', element('a', { href: '#/coordination' }, `${plural(messages.DEAD, 'letter')} that nobody could take`), 'mail'));
  if (trajectories.SUSPENDED > 0) found.push(line('suspended', element('a', { href: '#/trajectories?status=SUSPENDED' }, `${plural(trajectories.SUSPENDED, 'task')} suspended`), 'tasks'));
  if (index.failed > 0) found.push(line('failed', `${plural(index.failed, 'document')} cannot be embedded`, 'index'));
  if (index.degraded) found.push(line('suspended', `Search is less than it could be: ${index.degraded}`, 'index'));
  if (index.behind > 100) found.push(line('suspended', `The index is ${plural(index.behind, 'commit')} behind`, 'index'));
  tasks.filter((task) => task.status === 'FAILED').slice(0, 4).forEach((task) =>
    found.push(line('failed', element('a', { href: `#/trajectories/${task.id}` }, task.goal), when(task.updated_at))));
  return found.length ? found : element('li', {}, element('span', { class: 'dot active' }), element('span', { class: 'wrap' }, `Nothing. The index holds ${plural(index.documents, 'document')} in ${bytes(index.bytes)} and is up to date.`));
}

function aliveList(tasks, all) {
  const active = tasks.filter((task) => task.status === 'ACTIVE').sort((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at)).slice(0, 10);
  const more = all > active.length && element('li', {}, element('a', { href: '#/trajectories?status=ACTIVE' }, `All ${plural(all, 'active task')}`));
  return all
    ? [active.map((task) => element('li', {}, element('span', { class: 'dot active' }), element('a', { class: 'grow', href: `#/trajectories/${task.id}` }, task.goal),
      element('span', { class: 'end' }, plural(task.counters.turns, 'turn')), element('span', { class: 'end' }, when(task.updated_at)))), more]
    : element('li', {}, element('span', { class: 'quiet wrap' }, 'No task is active. The next one shows here as soon as it starts.'));
}

/** What happened, leading to the record it happened to. */
function eventLink(event) {
  const known = recordLink(event.record.type, event.record.id, words(event.type));
  if (known.tagName === 'A') return known;
  const href = event.record.type === 'AGENT' ? '#/coordination' : event.trajectory && `#/trajectories/${event.trajectory}?turn=${event.record.id}`;
  return href ? element('a', { href, title: event.record.id }, words(event.type)) : known;
}

function happening(event, seen) {
  return element('li', { class: seen.size > 0 && !seen.has(event.id) ? 'fresh' : null },
    element('span', { class: 'grow' }, eventLink(event), event.detail && element('span', { class: 'quiet' }, ` ${isId(event.detail) ? shortId(event.detail) : event.detail}`)),
    element('span', { class: 'end' }, when(event.time)));
}
