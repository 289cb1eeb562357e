// All tasks, however many.
import { element, show, afterPause } from './dom.js';
import { all, get } from './api.js';
import { whileOpen } from './live.js';
import { short, whole, when, words, plural } from './format.js';
import { heading, empty, curl, choices, failure } from './parts.js';
import { LongList } from './list.js';

const HEIGHT = 44;
const PAUSE = 150;
const STATUSES = [['', 'All'], ['ACTIVE', 'Active'], ['SUSPENDED', 'Suspended'], ['COMPLETED', 'Completed'], ['FAILED', 'Failed']];

export async function trajectoriesPage(view, parameters, signal) {
  view.className = 'full';
  let status = parameters.status ?? '';
  let text = '';
  let reading = null;
  const tasks = [];
  const count = element('span', { class: 'quiet number', role: 'status' });
  const list = new LongList({ label: 'Trajectories', height: HEIGHT, draw: row });
  const search = element('input', { type: 'search', placeholder: 'Filter by goal, session, subject or tag  ( / )', 'aria-label': 'Filter trajectories', oninput: afterPause(PAUSE, (event) => { text = event.target.value.toLowerCase(); filter(); }) });
  const body = element('div', { class: 'stack' });
  body.style.flex = '1';
  body.style.minHeight = '0';

  const passes = (task) => (!status || task.status === status) && (!text || haystack(task).includes(text));
  const say = () => show(count, list.items.length === tasks.length ? plural(tasks.length, 'task') : `${whole(list.items.length)} of ${plural(tasks.length, 'task')}`);
  const filter = () => { list.set(tasks.filter(passes)); say(); };

  const read = async () => {
    reading?.abort();
    reading = new AbortController();
    tasks.length = 0;
    list.set([]);
    await all('/trajectories', {}, AbortSignal.any([signal, reading.signal]), (some) => {
      tasks.push(...some);
      list.add(some.filter(passes));
      say();
    });
    if (tasks.length === 0) {
      show(body, empty('No task has begun', 'A trajectory is one task with everything that was said and made for it. A session starts one by itself, or start one:', curl('/trajectories', { goal: 'Plan the move to the new office', session: 'office' })));
    } else if (!list.node.isConnected) {
      showList();
    }
  };

  const showList = () => show(body,
    element('div', { class: 'task task-head', 'aria-hidden': 'true' }, element('span'), element('span', {}, 'goal'), element('span', {}, 'session, subject'), element('span', {}, 'turns'), element('span', {}, 'tokens'), element('span', {}, 'touched')),
    list.node);

  const update = async (changes) => {
    if (changes.length === 0) { await read(); return; }
    for (const id of new Set(changes.filter((change) => change.table === 'trajectory').map((change) => change.key))) {
      const fresh = await get(`/trajectories/${id}`, {}, signal).catch(() => null);
      const at = tasks.findIndex((task) => task.id === id);
      if (fresh && at >= 0) tasks[at] = fresh;
      else if (fresh) tasks.unshift(fresh);
      else if (at >= 0) tasks.splice(at, 1);
    }
    if (!list.node.isConnected && tasks.length) showList();
    filter();
  };

  show(view, heading('Trajectories', count), element('div', { class: 'row' }, search, choices('Status', STATUSES, status, (value) => { status = value; filter(); })), body);
  showList();
  read().catch((problem) => { if (!signal.aborted && problem.name !== 'AbortError') show(body, failure(problem, () => read())); });
  let waiting = [];
  const flush = afterPause(PAUSE, () => { const some = waiting; waiting = []; update(some).catch(() => {}); });
  whileOpen(signal, ['trajectory'], (changes) => { waiting.push(...changes); flush(); });
}

const haystack = (task) => [task.goal, task.labels.external_id, task.labels.subject, ...task.tags].join(' ').toLowerCase();

function row(task) {
  const tokens = task.counters.tokens_input + task.counters.tokens_output;
  return element('a', { class: 'task', href: `#/trajectories/${task.id}`, tabindex: '-1' },
    element('span', { class: `dot ${words(task.status)}`, title: words(task.status) }),
    element('span', { class: 'goal' }, task.goal, element('span', { class: 'visually-hidden' }, `, ${words(task.status)}`)),
    element('span', { class: 'who' }, [task.labels.external_id, task.labels.subject].filter(Boolean).join(', ')),
    element('span', { class: 'number', title: 'turns' }, whole(task.counters.turns)),
    element('span', { class: 'number', title: 'tokens' }, short(tokens)),
    when(task.updated_at));
}
