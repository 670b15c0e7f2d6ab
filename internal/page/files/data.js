import { t } from './words.js';

// What the page knows: asked of the server, and kept up by one stream that all tabs share.
export const D = {
  me: null, projects: [], project: '', sessions: null, waits: [], events: [], stats: null, turns: null, status: null, gaps: [], clashes: new Map(), letters: new Map(), types: new Map(), loud: [],
  live: false, lastAt: Date.now(), lostAt: 0, nextAt: 0, refused: false,
};

// The key comes behind # in the address, and never leaves this page: a cookie goes to every server of this machine, and another one may
// answer at this address some day. What the page says with each request it gets for a proof that it has the key. The browser keeps it so
// that no script can read it, not even one of this address: it can only be used.
const bytes = text => new TextEncoder().encode(text), settled = request => new Promise((done, fail) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});
async function keys(mode) {
  const request = indexedDB.open('moai', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('keys');
  const db = await settled(request);
  db.onversionchange = () => db.close();
  return db.transaction('keys', mode).objectStore('keys');
}
async function take(text) {
  const key = await crypto.subtle.importKey('raw', bytes(text), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  await settled((await keys('readwrite')).put(key, 'page'));
}
const came = location.hash.match(/^#key=(\w+)$/), taken = came ? take(came[1]) : Promise.resolve();
if (came) history.replaceState(null, '', location.pathname);
localStorage.removeItem('moai-key'); // an older page kept it there
let pass = '', proving = null;

async function proved() {
  const challenge = await reach('/api/proof'), { nonce } = await challenge.json();
  await taken;
  const key = await settled((await keys('readonly')).get('page'));
  if (!key) {
    D.refused = true;
    return pass = '';
  }
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(`moai ${location.port} ${nonce}`))), proof = [...mac].map(b => b.toString(16).padStart(2, '0')).join('');
  const answer = await reach('/api/proof', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ nonce, proof }) });
  D.refused = answer.status === 401;
  return pass = answer.ok ? (await answer.json()).key : '';
}
const prove = () => (proving ||= proved().finally(() => { proving = null; }));

// reach is fetch that says in words that nobody answers.
const reach = (path, options) => fetch(path, options).catch(() => { throw Object.assign(new Error(t('No answer: moai serve has ended. Start it again, and this page goes on.')), { gone: true }); });

// ask sends a request, and once more where the server is another one than that which took the last proof.
async function ask(path, options) {
  const send = () => reach(path, { ...options, headers: { ...options.headers, 'X-Moai-Key': pass, ...options.body && { 'X-Moai-Token': D.me.token } } });
  if (!pass) await prove();
  let answer = await send();
  if (answer.status === 401 && await prove()) {
    if (options.body) D.me = await fresh('/api/me'); // with its token for changes
    answer = await send();
  }
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error || answer.statusText);
  return body;
}

// get asks, and gives what was answered last while nobody answers: content stays, as it was then.
const kept = new Map(), KEPT = 60;
export async function get(path, params = {}) {
  const key = JSON.stringify([path, params]);
  try {
    const got = await fresh(path, params);
    kept.delete(key);
    kept.set(key, got);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value);
    return got;
  } catch (e) {
    if (e.gone && kept.has(key)) return structuredClone(kept.get(key)); // views add to what they are given
    throw e;
  }
}

async function fresh(path, params = {}) {
  const q = new URLSearchParams();
  for (const [k, v] of Object.entries(params)) for (const one of [].concat(v)) if (one !== '' && one != null) q.append(k, one);
  return ask(path + (q.size ? '?' + q : ''), { headers: { Accept: 'application/json' } });
}

export async function post(path, body) {
  return ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

// nameOf is how people know a project: its folder, which its key begins with where no session has said it.
export function nameOf(key) {
  const root = D.projects.find(p => p.key === key)?.root;
  return root ? root.split(/[\\/]/).pop() : key.replace(/-[0-9a-f]{16}$/, '');
}

// letter names a session: A to Z, then AA. The browser keeps it for a week, so that it is the same in every tab and after a reload.
const LETTERS = 'moai-letters', DAY = 86400e3, WEEK = 7 * DAY, MOST = 500;
export function letter(session) {
  if (!D.letters.has(session)) {
    const kept = keptLetters();
    if (!kept.some(([id]) => id === session)) {
      const taken = new Set(kept.map(([, n]) => n));
      let n = 0;
      while (taken.has(n)) n++;
      kept.push([session, n, Date.now()]);
      localStorage.setItem(LETTERS, JSON.stringify(kept));
    }
    for (const [id, n] of kept) D.letters.set(id, (n >= 26 ? String.fromCharCode(64 + (n / 26 | 0)) : '') + String.fromCharCode(65 + n % 26));
  }
  return D.letters.get(session);
}

export const byLetter = (a, b) => a.length - b.length || a.localeCompare(b);

// letterOf names a session by the beginning of its id, as moai writes ids; one that nobody knows keeps it.
export function letterOf(id) {
  const known = D.sessions?.find(s => s.id.startsWith(id))?.id || [...D.letters.keys()].find(x => x.startsWith(id));
  return known ? letter(known) : id.slice(0, 8);
}

// keptLetters are [session, number, when it was given]; another tab may have given some since.
function keptLetters() {
  try {
    return JSON.parse(localStorage.getItem(LETTERS) || '[]').filter(([id, n, at]) => D.letters.has(id) || n >= 0 && Date.now() - at < WEEK).slice(-MOST);
  } catch {
    return [];
  }
}

const midnight = () => new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
const SOON = 10 * 60e3; // within which two sessions at one file are told of

export async function refresh() {
  const project = D.project, recent = new Date(Date.now() - 15 * 60e3).toISOString();
  const [sessions, stats, events, failed, all] = await Promise.all([
    fresh('/api/sessions', { project, limit: 200 }), fresh('/api/stats', { project, since: midnight() }), fresh('/api/events', { project, limit: 300 }),
    fresh('/api/events', { project, type: 'hook_failed', since: recent, limit: 20 }), project && fresh('/api/sessions', { since: new Date(Date.now() - DAY).toISOString(), limit: 200 }),
  ]);
  const recently = Date.now() - DAY, late = s => Date.parse(s.last_event) > recently, age = (a, b) => Date.parse(a.first_event) - Date.parse(b.first_event);
  for (const s of [...(all || sessions).filter(late).sort(age), ...[...sessions].sort(age)]) letter(s.id); // the same, whichever project comes first
  Object.assign(D, { sessions, waits: (all || sessions).filter(s => s.state === 'waiting' || s.failed), stats, events, loud: failed, clashes: clashesOf(sessions) });
  if (events[0]) D.lastAt = Date.parse(events[0].created_at);
}

// unverified is how many files nobody else has looked at: one that two sessions changed is one.
export const unverified = () => new Set((D.sessions || []).flatMap(s => s.unverified.map(f => s.project + '/' + f))).size;

// clashesOf finds, for each session, a file that another one changed lately, too.
function clashesOf(sessions) {
  const found = new Map(), last = new Map();
  for (const s of sessions) for (const w of s.wrote) if (Date.now() - Date.parse(w.at) < SOON) (last.get(w.path) || last.set(w.path, []).get(w.path)).push(s.id);
  for (const [path, ids] of last) {
    for (const id of ids) {
      const other = ids.find(x => x !== id);
      if (other && !found.has(id)) found.set(id, { file: path.split(/[\\/]/).pop(), session: other });
    }
  }
  return found;
}

// listOf is an answer that is a list; what says no to it is an error with moai's words.
export const listOf = got => { if (Array.isArray(got)) return got; throw new Error([got?.error, got?.hint].filter(Boolean).join(' · ')); };

// refreshTurns asks moai what can be taken back: in the project that is shown, else in those where something happened last. Each is a
// process of its own: one at a time, and not one an event.
const ASKED = 6; // projects
function shownProjects() {
  const worked = [...new Set((D.sessions || []).map(s => s.project))].slice(0, ASKED), here = D.projects.filter(p => p.key === D.me.project).map(p => p.key);
  return D.project ? [D.project] : worked.length ? worked : here;
}
let asked = null, askedAt = 0, askedOf = '';
const wait = time => new Promise(done => { setTimeout(done, time); });
export function refreshTurns(anew) {
  if (asked && !anew && askedOf === D.project) return asked;
  const project = D.project, keys = shownProjects(), mine = (async () => {
    await wait(anew ? 0 : Math.max(0, askedAt + 1000 * keys.length - Date.now())); // nothing below runs before the promise has its name
    askedAt = Date.now();
    const got = [];
    for (const key of keys) for (const turn of await get('/api/ask/turns', { project: key }).then(listOf).catch(() => [])) got.push({ ...turn, project: key });
    if (asked === mine) asked = null;
    return project === D.project ? D.turns = got : got;
  })();
  askedOf = project;
  return asked = mine;
}

// refreshGuard asks moai how the guard stands where the page looks: in the project that is shown, else in those where something happened last.
// The worst of them counts, and says which it is.
const MODES = ['off', 'standard', 'strict'];
export const isOff = status => !!status && (status.guard.mode === 'off' || status.guard.registered === false);
export async function refreshGuard() {
  const project = D.project, rank = s => (isOff(s) ? 0 : MODES.indexOf(s.guard.mode)), got = [];
  const list = await Promise.all(shownProjects().map(key => get('/api/ask/status', { project: key }).then(s => ({ ...s, project: key }), () => null)));
  for (const s of list) if (s?.guard) got.push(s);
  const gaps = await get('/api/gaps', { project }).catch(() => D.gaps);
  for (const s of got) s.guard.registered ||= !gaps.some(g => g.project === s.project && !g.until && !g.off); // something calls moai all the same
  if (project === D.project) Object.assign(D, { gaps, status: got.sort((a, b) => rank(a) - rank(b))[0] || null });
}

// listen calls changed for each event, and state when the server goes and comes. What it gives back tries again at once. After each loss the
// page proves itself before it asks anything: another server may answer, that knows nothing of the last proof.
const RETRY = 3000;
export function listen(changed, state) {
  let timer = 0;
  const connect = connector(message => heard(message));
  const again = () => {
    clearTimeout(timer);
    prove().then(got => (got ? connect(got) : state()), later);
  };
  const later = () => {
    D.nextAt = Date.now() + RETRY;
    clearTimeout(timer);
    timer = setTimeout(again, RETRY);
    state();
  };
  const heard = ({ kind, data }) => {
    if (kind === 'event') {
      D.lastAt = Date.now();
      changed(JSON.parse(data));
    } else if (kind === 'live') {
      clearTimeout(timer);
      const was = D.live;
      D.live = true;
      D.lostAt = 0;
      if (!was) state();
    } else if (kind === 'lost') {
      pass = '';
      D.live = false;
      D.lostAt ||= Date.now();
      later();
    } else if (kind === 'reset') state();
  };
  connect(pass);
  return again;
}

// connector opens the stream with a key: in the worker that all tabs share, else in this page.
function connector(heard) {
  if (globalThis.SharedWorker) {
    const own = url => { if (url === '/stream.js') return url; throw new TypeError(url); };
    const trusted = globalThis.trustedTypes?.createPolicy('moai', { createScriptURL: own });
    const worker = new SharedWorker(trusted ? trusted.createScriptURL('/stream.js') : '/stream.js');
    worker.port.onmessage = e => heard(e.data);
    worker.port.start();
    return key => worker.port.postMessage({ key });
  }
  return key => {
    const source = new EventSource('/api/events/stream?' + new URLSearchParams({ key }));
    source.addEventListener('session.event', e => heard({ kind: 'event', data: e.data }));
    source.addEventListener('hello', () => heard({ kind: 'live' }));
    source.addEventListener('reset', () => heard({ kind: 'reset' }));
    source.onerror = () => {
      source.close();
      heard({ kind: 'lost' });
    };
  };
}
