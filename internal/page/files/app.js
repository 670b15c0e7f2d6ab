// The frame: top line, navigation, what needs somebody, keys. Each view is a file of view/.
import { num, h, $, $$, icon, age, run, live, copy, copyline, hm, say, skeleton } from './dom.js';
import { D, nameOf, get, refresh, refreshTurns, refreshGuard, isOff, letter, listen, unverified } from './data.js';
import { t, lang, switchLang } from './words.js';
import { V, NAMES, badge, said, waitsFor, kindOfWait } from './view/base.js';
import { now } from './view/now.js';
import { timeline, updateTimeline, stepTimeline, stepDay, openRow, resized } from './view/timeline.js';
import { undo } from './view/undo.js';
import { guard } from './view/guard.js';
import { agents } from './view/agents.js';
import { verification } from './view/verification.js';
import { ports } from './view/ports.js';
import { project } from './view/project.js';
import { doctor } from './view/doctor.js';

const views = { now, timeline, undo, guard, agents, verification, ports, project, doctor }, VIEWS = Object.keys(views), ICON = { verification: 'verify' };
let view = '', wait = -1, again = () => {};

/* the frame */
function frame() {
  document.documentElement.lang = lang;
  $('#skip').textContent = t('Skip to content');
  const button = (name, ic, onclick, cls = '') => h('button', { class: 'btn quiet icon ' + cls, 'aria-label': t(name), title: t(name), onclick }, icon(ic));
  const typed = e => {
    clearTimeout(frame.timer);
    frame.timer = setTimeout(() => { V.q = e.target.value; show(); }, 120);
  };
  $('#app').replaceChildren(
    h('header', { class: 'top' },
      h('a', { class: 'brand', href: '#now', 'aria-label': 'moai, ' + t('Now') }, h('svg', { class: 'i', viewBox: '0 0 20 20', 'aria-hidden': 'true' }, h('use', { href: '#i-moai' })), h('span', { class: 'w' }, 'moai')),
      h('div', { class: 'rel' }, h('select', { class: 'btn projbtn', id: 'which', 'aria-label': t('Project'), onchange: e => choose(e.target.value) })),
      h('label', { class: 'search' }, icon('search'),
        h('input', { id: 'q', type: 'search', 'aria-label': t('Search'), placeholder: t('Search'), autocomplete: 'off', spellcheck: 'false', oninput: typed }), h('kbd', { 'aria-hidden': 'true' }, '/')),
      h('span', { class: 'grow hide-s' }),
      D.me.demo && h('b', { class: 'demo', title: t('This is a recorded session: nothing in it can be changed.') }, t('demo')),
      h('a', { id: 'gstate', class: 'gstate', href: '#guard' }),
      h('span', { class: 'livedot', id: 'live', title: t('Age of the last event') }, h('i'), h('span', { class: 'w' }), ' ', h('span', { class: 'mm hide-s' }, t('last event'), ' ', h('span', { id: 'lastage' }))),
      h('button', { class: 'btn quiet lang', 'aria-label': lang === 'ko' ? 'EN, ' + t('Language') : '한국어, ' + t('Language'), onclick: switchLang }, lang === 'ko' ? 'EN' : '한국어'),
      button('Help', 'help', help, 'hide-s'), button('Switch light and dark', 'sun', theme)),
    h('nav', { class: 'nav', 'aria-label': t('Views') },
      VIEWS.map((v, i) => h('a', { href: '#' + v, 'data-view': v }, icon(ICON[v] || v), h('span', { class: 'lb' }, t(v === 'verification' ? 'Verify' : NAMES[v])), h('span', { class: 'n' }), h('kbd', { 'aria-hidden': 'true' }, String(i + 1)))),
      h('div', { class: 'foot' }, 'moai ' + D.me.build.split(' ')[0] + ' · ' + t('this machine only'))),
    h('div', { class: 'notices', id: 'notices', role: 'region', 'aria-label': t('What needs you') }),
    h('main', { id: 'main-content', tabindex: '-1' }));
}

// choose shows one project, or all.
function choose(project) {
  if (project === D.project) return;
  D.project = $('#which').value = project;
  D.turns = D.status = null;
  localStorage.setItem('moai-project', project);
  V.session = '';
  load(true);
}
V.choose = choose;

// named fills the menu of projects; one that has begun since comes with its first session.
async function named() {
  if ($('#which option') && !D.sessions?.some(s => !D.projects.some(p => p.key === s.project))) return;
  D.projects = await get('/api/projects');
  $('#which').replaceChildren(h('option', { value: '' }, t('All projects')), ...D.projects.map(p => h('option', { value: p.key, selected: p.key === D.project }, nameOf(p.key))));
}

/* what needs somebody: the first lines of every view */
const LOCKED = 'This page is not let in: open the address that moai serve prints.';

function loud(title, text, command) {
  return h('div', { class: 'loud', role: 'alert' }, icon('warn'), h('div', { class: 'grow' }, h('div', { class: 't' }, title), h('div', null, text)),
    h('button', { class: 'btn', 'data-copy': command }, icon('copy'), t('Copy') + ': ' + command));
}

// offBar says that the guard is off: where, and what puts it on again.
function offBar({ guard, project }) {
  const off = guard.mode === 'off', file = guard.loosened?.find(x => x.startsWith('guard.mode'))?.match(/\((.+)\)$/)?.[1];
  const gap = D.gaps.find(g => g.project === project && !g.until);
  const text = [!D.project && nameOf(project), gap && t(gap.longer ? 'Since before {t}' : 'Since {t}', { t: hm(Date.parse(gap.since)) }), off && file && t('Switched off in {f}', { f: file }), gap?.ran > 0 && t('{n} commands ran.', { n: num(gap.ran) })].filter(Boolean).join(' · ');
  return loud(t(off ? 'The guard is off: no command is judged, and no snapshot is taken before one.' : 'Nothing calls moai here: no command is judged, and nothing is saved.'), text, off ? 'moai config set guard.mode standard' : 'moai init');
}

// lostBar says since when nobody answers, and when the next try is.
const lostBar = () => h('div', { class: 'quietbar', role: 'status' }, icon('stale'), h('span', null, t('No answer from moai serve since {t}. What you see is from then.', { t: hm(D.lostAt) }), ' ', h('span', { id: 'next', 'aria-live': 'off' }, nextTry())),
  h('button', { class: 'btn sm', onclick: () => again() }, t('Try now')));
const nextTry = () => (D.nextAt > Date.now() ? t('Next try in {n} s.', { n: Math.ceil((D.nextAt - Date.now()) / 1000) }) : t('Trying now.'));

// leadTo has the sessions of a project shown where one of another is meant.
const leadTo = s => { if (D.project && s.project !== D.project) choose(s.project); };

function waiting(waits) {
  const n = waits.length, words = !n ? t('Nobody waits for you') : n === 1 ? t('1 agent needs you') : t('{n} agents need you', { n });
  const one = s => h('li', null, h('a', { href: '#now/' + encodeURIComponent(s.id), onclick: () => leadTo(s) }, badge(s.id),
    h('span', { class: 'what cut' }, s.project !== D.project && D.projects.length > 1 && h('span', { class: 'mm' }, nameOf(s.project) + ' · '), h('b', null, kindOfWait(s)), ' ', waitsFor(s)), h('b', { class: 'nw ask' }, live(Date.parse(s.since), 'run'))));
  return h('div', { class: n ? 'attn wait' : 'attn' }, h('div', { class: 't' }, icon(n ? 'waiting' : 'ok', n ? 'ask' : 'ok'), words),
    h('ul', null, waits.slice(0, 3).map(one), n > 3 && h('li', { class: 's m' }, t('and {n} more', { n: n - 3 }))), n > 0 && h('span', { class: 's m nw hide-s' }, h('kbd', null, 'w'), ' ', t('next')));
}

function notices() {
  const waits = D.waits, off = isOff(D.status), list = [];
  if (off) list.push(offBar(D.status));
  if (D.loud.length) list.push(loud(t('A hook failed or was slow: unless guard.on_failure is closed, calls may have passed unjudged.'), [said(D.loud[0]), D.loud[0].session_id && `${t('Session')} ${letter(D.loud[0].session_id)}`, !D.project && nameOf(D.loud[0].project), t('{n} in the last 15 minutes, the last at {t}', { n: D.loud.length, t: hm(Date.parse(D.loud[0].created_at)) })].filter(Boolean).join(' · '), 'moai doctor'));
  if (D.refused) list.push(h('div', { class: 'quietbar', role: 'alert' }, icon('warn', 'ask'), h('span', null, t(LOCKED))));
  else if (D.lostAt) list.push(lostBar());
  list.push(waiting(waits));
  const el = $('#notices'), key = list.map(x => x.querySelector('#next') ? 'lost' : x.textContent.replace(/[\d:]+/g, '')).join('|');
  if (el.dataset.key !== key) {
    el.dataset.key = key;
    el.replaceChildren(...list);
  }
  document.documentElement.style.setProperty('--notice-h', el.offsetHeight + 'px');
  titled();
  topLine(off);
  counts(waits.length);
}

// titled names the view in the title, behind what needs somebody.
function titled() {
  document.title = (isOff(D.status) ? t('Guard off').toUpperCase() + ' · ' : D.waits.length ? `(${D.waits.length}) ` : '') + [t(NAMES[view] || 'Now'), 'moai'].join(' · ');
}

function topLine(off) {
  const g = $('#gstate'), mode = t(D.status?.guard.mode || ''), dot = $('#live');
  g.hidden = !D.status;
  g.className = off ? 'gstate off' : 'gstate';
  g.setAttribute('aria-label', off ? t('Guard off') : `${t('Guard')} ${mode}`);
  g.replaceChildren(icon(off ? 'warn' : 'guard', off ? '' : 'ok'), off ? h('span', null, t('Guard off')) : h('span', { class: 'w' }, t('Guard'), ' ', h('b', null, mode)));
  dot.classList.toggle('gone', !D.live);
  $('.w', dot).textContent = t(D.live ? 'live' : 'not live');
}

// counts stand beside the names of views: who waits, and how much there is today.
function counts(waits) {
  const set = (v, n, cls = '') => { const el = $(`[data-view=${v}] .n`); el.textContent = n || ''; el.className = 'n ' + cls; };
  const s = D.stats || {}, running = (D.sessions || []).reduce((n, x) => n + x.agents.filter(a => !a.ended_at).length, 0);
  set('now', waits || D.sessions?.length, waits ? 'ask' : '');
  set('guard', (s.denied || 0) + (s.asked || 0));
  set('agents', running);
  set('verification', unverified());
}

/* drawing and loading */
// show draws the view anew; what had the focus has it again, and the page stays where it was.
function show() {
  const main = $('#main-content'), focus = document.activeElement?.dataset?.key, y = scrollY;
  main.replaceChildren(views[view]());
  for (const a of $$('.nav a')) a.dataset.view === view ? a.setAttribute('aria-current', 'page') : a.removeAttribute('aria-current');
  const first = $('[data-row]', main);
  if (first && first.tagName !== 'BUTTON') first.tabIndex = 0;
  V.focus = focus || (document.activeElement === document.body && V.focus) || ''; // drawn twice before its rows came
  if (focus) $(`[data-key="${CSS.escape(focus)}"]`, main)?.focus({ preventScroll: true });
  scrollTo(0, y);
}
V.again = show;

function route() {
  const [name, ...rest] = location.hash.slice(1).split('/'), next = views[name] ? name : 'now';
  if (next !== view) {
    V.filter = V.open = '';
    if (view === 'timeline') V.session = ''; // what was chosen there is of that visit
    if (view) $('#say').textContent = t(NAMES[next]);
  }
  view = next;
  if (name && name !== next) history.replaceState(null, '', '#' + next); // there is no such view
  titled();
  try { V.arg = decodeURIComponent(rest.join('/')); } catch { V.arg = ''; }
  show();
  if (!D.turns && !loading) wayBack(false);
  if (view !== 'now' || !V.arg) return;
  const row = $(`[data-key="${CSS.escape(V.arg)}"]`);
  if (!row) return;
  row.tabIndex = 0;
  row.focus();
  row.scrollIntoView({ block: 'nearest' });
}

let loading = false, wanted = false, wholly = false; // wholly: with the view, since another project was chosen meanwhile
async function load(anew) {
  if (loading) {
    wanted = true;
    wholly ||= anew;
    return;
  }
  loading = true;
  try {
    await refresh();
    await named();
    if (anew) await refreshGuard();
    notices();
    if (anew && D.project) get('/api/ask/checkpoints', { project: D.project }).catch(() => {}); // is kept for when nobody answers
    if (anew || view === 'now') show(); else if (view === 'timeline') await updateTimeline();
    wayBack(anew);
  } catch {
    if (!D.lostAt) {
      D.lostAt = Date.now();
      D.live = false;
    }
    notices();
  }
  loading = false;
  if (wanted) {
    wanted = false;
    if (wholly) load(true); else soon();
    wholly = false;
  }
}

// wayBack looks what can be taken back, and shows it where that is not what stands there.
async function wayBack(anew) {
  if (view !== 'now' && view !== 'timeline') return;
  const before = JSON.stringify(D.turns);
  await refreshTurns(anew);
  if (JSON.stringify(D.turns) === before) return;
  if (view === 'now') show(); else if (view === 'timeline') await updateTimeline();
}

let timer = 0, guardAt = 0;
function soon() {
  timer ||= setTimeout(() => { timer = 0; load(false); guardNow(GUARD_SOONEST); }, 120);
}

// guardNow asks how the guard stands, if the last answer is old enough: with events, and while somebody looks also without any.
const GUARD_SOONEST = 500, GUARD_LATEST = 2e3; // an answer costs a process of some 10 ms
async function guardNow(age) {
  if (D.lostAt || Date.now() - guardAt < age) return;
  guardAt = Date.now();
  const before = JSON.stringify(D.gaps);
  await refreshGuard();
  notices();
  if (JSON.stringify(D.gaps) === before) return;
  if (view === 'guard') show(); else if (view === 'timeline') await updateTimeline();
}

/* keys */
function theme() {
  const r = document.documentElement, dark = r.dataset.theme ? r.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  r.dataset.theme = dark ? 'light' : 'dark';
  localStorage.setItem('moai-theme', r.dataset.theme);
}

const KEYS = [
  ['1 – 9', 'Go to a view'], ['j, k', 'Next and previous row'], ['Enter', 'Open the row'], ['Esc', 'Close, clear the search, or keep as it is'], ['/', 'Search this view'],
  ['w', 'Next agent that waits'], ['u', 'Undo plan of the session'], ['c', 'Copy the allow command'], ['[ ]', 'Day before, day after'], ['t', 'Light and dark'], ['?', 'This help'],
];
function help() {
  const d = $('#help'), close = h('button', { class: 'btn sm quiet icon', 'aria-label': t('Close'), onclick: () => d.close() }, icon('x'));
  d.replaceChildren(h('div', { class: 'row' }, h('h1', { id: 'help-t', class: 'grow' }, t('Keyboard')), close),
    h('table', null, h('tbody', null, KEYS.map(([k, w]) => h('tr', null, h('td', null, h('kbd', null, k)), h('td', null, t(w)))))));
  d.showModal();
}

function step(by) {
  if (view === 'timeline') return stepTimeline(by);
  const list = $$('main [data-row]');
  if (!list.length) return;
  const at = list.indexOf(document.activeElement.closest?.('[data-row]')), next = list[Math.max(0, Math.min(list.length - 1, at + by))];
  for (const x of list) if (x.tagName !== 'BUTTON') x.tabIndex = -1;
  if (next.tagName !== 'BUTTON') next.tabIndex = 0;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
  if ($('main .gpanel') && !next.classList.contains('is-sel')) next.click(); // the panel follows
}

function escape(field) {
  if (field?.id === 'q') {
    field.value = V.q = '';
    field.blur();
    show();
    $('#main-content').focus({ preventScroll: true });
  } else ($('[data-act=keep]') || $('[data-act=close]'))?.click();
}

function planOf(row) {
  const id = row?.dataset.session, turn = D.turns?.find(u => u.session === id && !u.undone && !u.no_snapshot), s = D.sessions?.find(x => x.id === id);
  if (turn || s) choose((turn || s).project);
  const arg = turn?.id || s?.snapshot?.id;
  location.hash = 'undo' + (arg ? '/' + encodeURIComponent(arg) : '');
}

function nextWaiting() {
  if (!D.waits.length) return;
  wait = (wait + 1) % D.waits.length;
  leadTo(D.waits[wait]);
  location.hash = 'now/' + encodeURIComponent(D.waits[wait].id);
}

function turnsOf(session) {
  V.session = session;
  location.hash = 'timeline';
}
V.turnsOf = turnsOf;

function enter(row) {
  if (row.dataset.i) openRow(+row.dataset.i);
  else if (view === 'now') turnsOf(row.dataset.session);
  else if (row.tagName !== 'BUTTON') row.click();
}

const single = {
  j: () => step(1), k: () => step(-1), '/': () => $('#q').focus(), '?': help, t: theme, u: planOf, w: nextWaiting, '[': () => view === 'timeline' && stepDay(-1), ']': () => view === 'timeline' && stepDay(1),
  c: row => (row?.dataset.allow ? copy(row.dataset.there + row.dataset.allow) : say(t('There is no command that allows this.'))),
};

document.addEventListener('click', e => {
  const c = e.target.closest('[data-copy]');
  if (!c) return;
  e.stopPropagation();
  copy(c.dataset.copy);
});
document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || $('#help').open) return;
  const field = e.target.matches('input, textarea, select') ? e.target : null, row = document.activeElement?.closest?.('[data-row]');
  if (e.key === 'Escape') return escape(field);
  if (field) return;
  if (e.key >= '1' && e.key <= '9') location.hash = VIEWS[e.key - 1];
  else if (e.key === 'Enter' && row && e.target === row) enter(row);
  else if (single[e.key]) {
    if (e.key.length === 1 && 'jk/'.includes(e.key)) e.preventDefault();
    single[e.key](row);
  }
});
addEventListener('resize', () => {
  document.documentElement.style.setProperty('--notice-h', $('#notices').offsetHeight + 'px');
  resized();
});

/* the beginning */
const saved = localStorage.getItem('moai-theme');
if (saved) document.documentElement.dataset.theme = saved;

let ticks = 0;
async function begin() {
  D.me = await get('/api/me');
  [D.projects, D.types] = [await get('/api/projects'), new Map((await get('/api/types')).map(x => [x.type, x]))];
  const chosen = localStorage.getItem('moai-project');
  D.project = D.projects.some(p => p.key === chosen) ? chosen : D.projects.some(p => p.key === D.me.project) ? D.me.project : '';
  frame();
  $('#main-content').append(skeleton());
  await refresh().catch(() => {}); // sessions have their letters by their age, whatever view comes first
  route();
  addEventListener('hashchange', route);
  await load(true);
  again = listen(soon, () => {
    notices();
    if (D.live) load(true);
  });
  setInterval(() => {
    if (D.lostAt && $('#next')) $('#next').textContent = nextTry();
    if (document.hidden || D.lostAt) return; // what is seen is from then, and so are its ages
    guardNow(GUARD_LATEST);
    for (const el of $$('time[data-at]')) {
      const s = (Date.now() - el.dataset.at) / 1000, text = el.dataset.form === 'run' ? run(s) : age(s);
      if (el.textContent !== text) el.textContent = text;
    }
    $('#lastage').textContent = age((Date.now() - D.lastAt) / 1000);
    if (['now', 'verification'].includes(view) && ++ticks % 5 === 0 && D.sessions?.some(s => s.state === 'working')) soon(); // a command that begins, and tests that pass, are no events
  }, 1000);
}
begin().catch(e => $('#app').replaceChildren(h('main', { id: 'main-content', class: 'pad' }, h('h1', null, 'moai'), h('p', { role: 'alert' }, D.refused ? t(LOCKED) : e.message), copyline('moai serve'))));
