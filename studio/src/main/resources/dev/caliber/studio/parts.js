// Pieces that several pages are made of: states, heads, panels, dialogs.
import { element } from './dom.js';
import { words, shortId } from './format.js';

export const loading = (what) => element('p', { class: 'state loading', role: 'status' }, element('span', { class: 'spin', 'aria-hidden': 'true' }), `Reading ${what}…`);

/** A view with nothing in it says what would be there, and how it gets there. */
export function empty(title, text, command) {
  return element('section', { class: 'state empty' },
    element('h2', {}, title), element('p', {}, text),
    command && element('pre', { class: 'command', tabindex: '0', 'aria-label': 'A command that fills this view' }, command));
}

/** What went wrong and what to do about it. */
export function failure(problem, again) {
  return element('section', { class: 'state failed', role: 'alert' },
    element('h2', {}, problem.message || 'Something went wrong'),
    problem.advice && element('p', {}, problem.advice),
    element('p', { class: 'quiet' }, problem.code ?? problem.name),
    again && element('button', { type: 'button', onclick: again }, 'Try again'));
}

export const curl = (path, body) =>
  body === undefined
    ? `curl ${location.origin}/api/v1${path}`
    : `curl -X POST ${location.origin}/api/v1${path} \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`;

export function heading(title, ...more) {
  return element('div', { class: 'heading' }, element('h1', { id: 'title' }, title), ...more);
}

export const panel = (title, attributes, ...children) =>
  element('section', { ...attributes, class: `panel ${attributes?.class ?? ''}` }, element('h2', {}, title), ...children);

export const badge = (word, tone) => element('span', { class: `badge ${tone ?? `is-${words(word).replaceAll(' ', '-')}`}` }, words(word));

/** Names and values; what has no value is left out. */
export function facts(pairs) {
  return element('dl', { class: 'facts' }, Object.entries(pairs)
    .filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
    .map(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
}

const ROUTES = { trajectory: '#/trajectories/', note: '#/memory/note/', context_window: '#/windows/', window: '#/windows/' };

/** A link to a record's page, where it has one. */
export function recordLink(kind, id, label) {
  const route = ROUTES[String(kind).toLowerCase()];
  const text = label ?? `${words(kind)} ${shortId(id)}`;
  return route ? element('a', { href: route + id, title: id }, text) : element('span', { title: id }, text);
}

/** Asks before something is done; answers whether to. */
export function confirmed({ title, body, action, typed }) {
  return new Promise((resolve) => {
    const button = element('button', { class: 'danger', value: 'yes', disabled: Boolean(typed) }, action);
    const field = typed && element('label', {}, `Type “${typed}” to go on`,
      element('input', { autocomplete: 'off', oninput: (event) => { button.disabled = event.target.value !== typed; } }));
    const dialog = element('dialog', { 'aria-labelledby': 'ask', onclose: () => { resolve(dialog.returnValue === 'yes'); dialog.remove(); } },
      element('form', { method: 'dialog' }, element('h2', { id: 'ask' }, title), body, field,
        element('div', { class: 'buttons' }, element('button', { value: 'no', formnovalidate: true }, 'Cancel'), button)));
    document.body.append(dialog);
    dialog.returnValue = 'no';
    dialog.showModal();
  });
}

/** Buttons of which one is chosen. */
export function choices(label, options, chosen, choose) {
  return element('div', { class: 'choices', role: 'group', 'aria-label': label },
    options.map(([value, text]) => element('button', {
      type: 'button', 'aria-pressed': String(value === chosen),
      onclick: (event) => {
        for (const other of event.target.parentElement.children) other.setAttribute('aria-pressed', 'false');
        event.target.setAttribute('aria-pressed', 'true');
        choose(value);
      },
    }, text)));
}
