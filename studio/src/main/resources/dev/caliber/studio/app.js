// The shell: pages by address, keys, the light, who is here, and whether the server is.
import { element, show } from './dom.js';
import { get, currentSpace, enterSpace, loggedInAs, logOut } from './api.js';
import { live } from './live.js';
import { failure } from './parts.js';
import { loginPage } from './page-login.js';
import { overviewPage } from './page-overview.js';
import { trajectoriesPage } from './page-trajectories.js';
import { trajectoryPage } from './page-trajectory.js';
import { windowsPage } from './page-windows.js';
import { windowPage } from './page-window.js';
import { memoryPage } from './page-memory.js';
import { notePage } from './page-note.js';
import { entityPage } from './page-entity.js';
import { metricsPage } from './page-metrics.js';
import { coordinationPage } from './page-coordination.js';

const PAGES = [
  [/^\/$/, overviewPage, 'Overview', '/'],
  [/^\/trajectories$/, trajectoriesPage, 'Trajectories', '/trajectories'],
  [/^\/trajectories\/(?<id>[^/]+)$/, trajectoryPage],
  [/^\/windows$/, windowsPage, 'Windows', '/windows'],
  [/^\/windows\/(?<id>[^/]+)$/, windowPage],
  [/^\/memory$/, memoryPage, 'Memory', '/memory'],
  [/^\/memory\/note\/(?<id>[^/]+)$/, notePage],
  [/^\/memory\/entity\/(?<name>.+)$/, entityPage],
  [/^\/coordination$/, coordinationPage, 'Coordination', '/coordination'],
  [/^\/metrics$/, metricsPage, 'Metrics', '/metrics'],
];

const main = document.getElementById('main');
let open = null;

function address() {
  const [path, search = ''] = (location.hash.slice(1) || '/').split('?', 2);
  return { path: path.startsWith('/') ? path : null, parameters: Object.fromEntries(new URLSearchParams(search)) };
}

/** Shows the page of the address; the one before is told by its signal that it is over. */
function route() {
  const { path, parameters } = address();
  if (path === null) return; // a place on this page, such as #main
  const [pattern, page] = PAGES.find(([known]) => known.test(path)) ?? [/^/, unknownPage];
  const named = Object.fromEntries(Object.entries(pattern.exec(path)?.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]));
  run(page, { ...parameters, ...named });
  for (const link of document.querySelectorAll('#nav a')) {
    const target = link.getAttribute('href').slice(1);
    const here = target === '/' ? path === '/' : path === target || path.startsWith(`${target}/`);
    if (here) { link.setAttribute('aria-current', 'page'); link.scrollIntoView({ block: 'nearest', inline: 'nearest' }); }
    else link.removeAttribute('aria-current');
  }
}

async function run(page, parameters) {
  open?.abort();
  open = new AbortController();
  const { signal } = open;
  document.body.classList.remove('locked');
  main.className = '';
  show(main);
  main.scrollTop = 0;
  try {
    await page(main, parameters, signal);
  } catch (problem) {
    if (signal.aborted || problem.name === 'AbortError') return;
    if (problem.needsLogin) return;
    show(main, failure(problem, route));
  }
  const title = document.getElementById('title')?.textContent;
  document.title = title ? `${title} · Caliber Studio` : 'Caliber Studio';
}

async function unknownPage(view) {
  show(view, failure(Object.assign(new Error('There is no such page'), { advice: 'The pages are on the left.', code: location.hash })));
}

function locked() {
  live.stop();
  document.body.classList.add('locked');
  run(async (view) => {
    document.body.classList.add('locked');
    await loginPage(view, () => { start(); route(); });
  }, {});
}

function setTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  try { localStorage.setItem('caliber.theme', root.dataset.theme); } catch { /* then until the page is closed */ }
}

function nav() {
  show(document.getElementById('nav'), PAGES.filter(([, , title]) => title).map(([, , title, path]) => element('a', { href: `#${path}` }, title)));
}

async function foot() {
  const state = element('div', { class: 'connection', role: 'status', 'data-state': live.state }, element('span', {}, live.state));
  live.addEventListener('state', (event) => {
    state.dataset.state = event.detail;
    show(state, element('span', {}, event.detail));
  });
  const theme = element('button', { type: 'button', class: 'plain', onclick: setTheme, 'aria-label': 'Switch between light and dark' }, '◐ ', element('span', {}, 'light / dark'));
  const foot = document.getElementById('foot');
  show(foot, state, element('div', { id: 'spaces' }), theme, element('div', { id: 'who' }));
}

/** What depends on who asks. */
async function who() {
  const name = loggedInAs();
  show(document.getElementById('who'), name && element('button', { type: 'button', class: 'plain', onclick: async () => { await logOut().catch(() => {}); location.reload(); } }, `${name}: log out`));
  const { items } = await get('/spaces').catch(() => ({ items: [] }));
  const chosen = currentSpace() ?? (items.length === 1 ? items[0].space : 'default');
  const names = [...new Set([...items.map((one) => one.space), chosen])];
  show(document.getElementById('spaces'), element('label', {}, 'Space', element('select', { onchange: (event) => { enterSpace(event.target.value); live.restart(); route(); } },
    names.map((one) => element('option', { value: one, selected: one === chosen }, one)))));
}

function keys(event) {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === 'Escape' && typing) { event.target.blur(); return; }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (event.key === '/') {
    const field = main.querySelector('input[type=search]');
    if (field) { event.preventDefault(); field.focus(); field.select(); } else { location.hash = '#/memory'; event.preventDefault(); }
  } else if (event.key === 'j' || event.key === 'k') {
    const list = main.querySelector('.long-list');
    list?.focus();
    list?.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, bubbles: false }));
  } else if (event.key === 'Escape' && location.hash.split('/').length > 2) {
    location.hash = location.hash.split('/').slice(0, 2).join('/');
  }
}

function start() {
  live.start();
  who();
}

addEventListener('hashchange', route);
addEventListener('keydown', keys);
addEventListener('caliber-login', () => { if (!document.querySelector('.login')) locked(); });
nav();
foot();
start();
route();
