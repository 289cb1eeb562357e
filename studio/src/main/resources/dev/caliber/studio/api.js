// The public API, and nothing beside it.

const BASE = '/api/v1';

function kept(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch { /* a browser that keeps nothing works until it is closed */ }
}

let csrf = kept('caliber.csrf');
let space = kept('caliber.space');

/** What the server refused, or that it did not answer. */
export class Problem extends Error {
  constructor({ status = 0, code = 'NO_ANSWER', detail = 'The server does not answer.', advice } = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.advice = advice ?? (status === 0 ? 'Start it with ./caliber serve; this page goes on by itself.' : undefined);
  }

  get needsLogin() {
    return this.status === 401 || this.code === 'CALIBER_VALIDATION_CSRF_TOKEN_MISSING';
  }
}

export const currentSpace = () => space;

export function enterSpace(name) {
  space = name;
  keep('caliber.space', name);
}

function headers(more = {}) {
  const all = { ...more };
  if (space) all['Caliber-Space'] = space;
  if (csrf) all['Caliber-Csrf'] = csrf;
  return all;
}

/** One request; the answer as it comes. */
export async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(BASE + path, { ...options, credentials: 'same-origin', headers: headers(options.headers) });
  } catch (failure) {
    if (failure.name === 'AbortError') throw failure;
    throw new Problem();
  }
  if (!answer.ok) {
    const body = await answer.json().catch(() => ({}));
    const problem = new Problem({ ...body, status: answer.status });
    if (problem.needsLogin) globalThis.dispatchEvent(new CustomEvent('caliber-login', { detail: problem }));
    throw problem;
  }
  return answer;
}

function query(parameters = {}) {
  const filled = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return filled.length ? `?${new URLSearchParams(filled)}` : '';
}

export async function get(path, parameters, signal) {
  return (await ask(path + query(parameters), { signal })).json();
}

export async function post(path, body = {}, signal) {
  return (await ask(path, { method: 'POST', signal, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } })).json();
}

/** All pages of a list as they come: each call gets some records. */
export async function all(path, parameters, signal, take) {
  const answer = await ask(path + query(parameters), { signal, headers: { Accept: 'application/x-ndjson' } });
  let rest = '';
  for await (const chunk of decodedChunks(answer)) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    if (lines.length) take(lines.map((line) => JSON.parse(line)));
  }
  if (rest) take([JSON.parse(rest)]);
}

/** The same, whole. */
export async function every(path, parameters, signal) {
  const found = [];
  await all(path, parameters, signal, (some) => found.push(...some));
  return found;
}

export async function* decodedChunks(answer) {
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** What Prometheus reads. */
export async function metrics(signal) {
  let answer;
  try {
    answer = await fetch('/metrics', { signal, credentials: 'same-origin' });
  } catch (failure) {
    if (failure.name === 'AbortError') throw failure;
    throw new Problem();
  }
  if (!answer.ok) throw new Problem({ status: answer.status, code: 'REFUSED', detail: 'The server does not show its metrics.' });
  return answer.text();
}

export async function logIn(key) {
  const made = await post('/login', { key });
  csrf = made.csrf;
  keep('caliber.csrf', csrf);
  keep('caliber.name', made.name);
  return made.name;
}

export async function logOut() {
  await post('/logout');
  csrf = null;
  keep('caliber.csrf', null);
  keep('caliber.name', null);
}

export const loggedInAs = () => (csrf ? kept('caliber.name') : null);
