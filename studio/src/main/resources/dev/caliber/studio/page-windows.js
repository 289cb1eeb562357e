// The windows that are kept, and a place to compose one.
import { element, show } from './dom.js';
import { get } from './api.js';
import { when, oneLine, percent, whole } from './format.js';
import { heading, empty, loading, curl, panel } from './parts.js';
import { ceiling, tokenBar } from './windows.js';

const SHOWN = 30;

export async function windowsPage(view, { trajectory }, signal) {
  show(view, heading('Windows'), loading('windows'));
  const [windows, tasks] = await Promise.all([get('/windows', { limit: SHOWN }, signal), get('/trajectories', { limit: 100 }, signal)]);
  const goals = new Map(tasks.items.map((task) => [task.id, task.goal]));
  show(view, heading('Windows', element('span', { class: 'quiet' }, 'the context that a model is given, and why')),
    tasks.items.length > 0 && composer(tasks.items, trajectory),
    windows.items.length === 0
      ? empty('No window was kept yet', 'A window is what a model gets to read, composed under a hard budget. One that is kept can be explained and replayed:', curl('/context/assemble', { session: 'first', query: 'seats', max_tokens: 2000, keep: 'PERMANENT' }))
      : [windows.next && element('p', { class: 'quiet' }, `The newest ${SHOWN}. All of them: `, element('code', {}, curl('/windows'))), element('ul', { class: 'stack', 'aria-label': 'Kept windows' }, windows.items.map((window) => element('li', {}, card(window, goals.get(window.trajectory)))))]);
}

function composer(tasks, chosen) {
  const task = element('select', { name: 'trajectory' }, tasks.map((one) => element('option', { value: one.id, selected: one.id === chosen }, oneLine(one.goal).slice(0, 70))));
  const question = element('input', { name: 'query', placeholder: 'What the next call is about' });
  const budget = element('input', { name: 'budget', type: 'number', min: '100', value: '2000', required: true });
  const go = (event) => {
    event.preventDefault();
    location.hash = `#/windows/draft?${new URLSearchParams({ trajectory: task.value, query: question.value, budget: budget.value })}`;
  };
  return panel('Compose one without keeping it', {}, element('form', { class: 'row', onsubmit: go },
    element('label', { class: 'field' }, 'Trajectory', task), element('label', { class: 'field' }, 'Question', question), element('label', { class: 'field' }, 'Budget in tokens', budget), element('button', { class: 'primary' }, 'Compose')));
}

function card(window, goal) {
  return element('a', { class: 'card', href: `#/windows/${window.id}` },
    element('span', { class: 'row' }, element('strong', {}, window.inputs.query ?? 'without a question'), element('span', { class: 'quiet' }, goal ?? ''), element('span', { class: 'side quiet' }, when(window.assembled_at))),
    element('span', { class: 'row' }, tokenBar(window, true), element('span', { class: 'quiet number' }, `${whole(window.used_tokens)} of ${whole(ceiling(window))}, ${percent(window.used_tokens, ceiling(window))}; ${whole(window.ledger.filter((line) => line.decision !== 'EXCLUDE').length)} of ${whole(window.ledger.length)} candidates`)));
}
