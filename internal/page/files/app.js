// The frame: top line, navigation, what needs somebody, keys. Views are in views.js.
import { h, $, $$, icon, age, run, live, badge, copy, hm } from './dom.js';
import { D, get, refresh, listen, letter } from './data.js';
import { views, NAMES, V, who, updateTimeline, stepTimeline, openRow, resized } from './views.js';
import { t, lang, switchLang } from './words.js';

const VIEWS = Object.keys(views), ICON = { verification: 'verify' };
let view = '', guard = null, projects = [], wait = -1, again = () => {};

function frame() {
  document.documentElement.lang = lang;
  $('#skip').textContent = t('Skip to content');
  const button = (act, name, ic, onclick, cls = '') => h('button', { class: 'btn quiet icon ' + cls, 'aria-label': t(name), title: t(name), 'data-act': act, onclick }, icon(ic));
  const choice = h('select', { class: 'btn projbtn', id: 'choice', 'aria-label': t('Project'), onchange: e => { D.project = e.target.value; localStorage.setItem('moai-project', D.project); V.session = ''; load(true); } }, h('option', { value: '' }, t('All projects')), projects.map(p => h('option', { value: p.key, selected: p.key === D.project }, p.root ? p.root.split(/[\\/]/).pop() : p.key)));
  $('#app').replaceChildren(
    h('header', { class: 'top' }, h('a', { class: 'brand', href: '#now', 'aria-label': 'moai, ' + t('Now') }, h('svg', { class: 'i', viewBox: '0 0 20 20', 'aria-hidden': 'true' }, h('use', { href: '#i-moai' })), h('span', { class: 'w' }, 'moai')), h('div', { class: 'rel' }, choice),
      h('label', { class: 'search' }, icon('search'), h('span', { class: 'sr' }, t('Search')), h('input', { id: 'q', type: 'search', placeholder: t('Search'), autocomplete: 'off', spellcheck: 'false', oninput: e => { clearTimeout(frame.timer); frame.timer = setTimeout(() => { V.q = e.target.value; show(); }, 120); } }), h('kbd', { 'aria-hidden': 'true' }, '/')), h('span', { class: 'grow hide-s' }),
      h('a', { id: 'gstate', class: 'gstate', href: '#guard' }), h('span', { class: 'livedot', id: 'live' }, h('i'), h('span', { class: 'w' }), ' ', h('span', { class: 'mm', id: 'lastage' })),
      h('button', { class: 'btn quiet hide-s', 'aria-label': t('Language'), onclick: switchLang }, lang === 'ko' ? 'EN' : '한국어'), button('help', 'Keyboard help', 'help', () => help(), 'hide-s'), button('theme', 'Switch light and dark', 'sun', theme)),
    h('nav', { class: 'nav', 'aria-label': t('Views') }, VIEWS.map((v, i) => h('a', { href: '#' + v, 'data-view': v }, icon(ICON[v] || v), h('span', { class: 'lb' }, t(v === 'verification' ? 'Verify' : NAMES[v])), h('span', { class: 'n' }), h('kbd', { 'aria-hidden': 'true' }, String(i + 1)))), h('div', { class: 'foot' }, (D.me.demo ? t('demo') + ' · ' : '') + 'moai ' + D.me.build.split(' ')[0] + ' · ' + t('this machine only'))),
    h('div', { class: 'notices', id: 'notices', role: 'region', 'aria-label': t('What needs you') }), h('main', { id: 'main-content', tabindex: '-1' }));
}

function notices() {
  const waits = (D.sessions || []).filter(s => s.state === 'waiting'), n = waits.length, list = [], off = guard && guard.guard && (guard.guard.mode === 'off' || guard.guard.registered === false);
  const loud = (title, text, command) => h('div', { class: 'loud', role: 'alert' }, icon('deny'), h('div', { class: 'grow' }, h('div', { class: 't' }, t(title)), h('div', null, text)), h('button', { class: 'btn', 'data-copy': command }, icon('copy'), t('Copy') + ': ' + command));
  if (off) list.push(loud('The guard is off: no command is judged, and nothing is saved.', guard.needs?.[0]?.text || '', guard.needs?.[0]?.hint || 'moai doctor'));
  if (D.loud.length) list.push(loud('A hook failed or was slow: calls may have passed unjudged.', D.loud[0].summary, 'moai doctor'));
  if (D.lostAt) list.push(h('div', { class: 'quietbar', role: 'status' }, icon('stale'), h('span', null, t('No answer from moai serve since {t}. What you see is from then.', { t: hm(D.lostAt) })), h('button', { class: 'btn sm', onclick: () => again() }, t('Try now'))));
  const words = !n ? t('Nobody waits for you') : n === 1 ? t('1 agent needs you') : t('{n} agents need you', { n });
  list.push(h('div', { class: 'attn' + (n ? ' wait' : '') }, h('div', { class: 't' }, icon(n ? 'waiting' : 'ok', n ? 'ask' : 'ok'), words), h('ul', null, waits.slice(0, 3).map(s => h('li', null, h('a', { href: '#now/' + encodeURIComponent(s.id) }, badge(letter(s.id)), h('span', { class: 'what cut' }, D.events.find(e => e.session_id === s.id)?.summary || who(s)), h('b', { class: 'nw ask' }, live(Date.parse(s.since), 'run'))))), n > 3 && h('li', { class: 's m' }, t('and {n} more', { n: n - 3 })))));
  const el = $('#notices'), key = list.map(x => x.textContent.replace(/[\d:]+/g, '')).join('|');
  if (el.dataset.key !== key) { el.dataset.key = key; el.replaceChildren(...list); }
  document.documentElement.style.setProperty('--notice-h', el.offsetHeight + 'px');
  document.title = (off ? t('Guard off').toUpperCase() + ' · ' : n ? `(${n}) ` : '') + 'moai';
  const g = $('#gstate');
  g.className = 'gstate' + (off ? ' off' : '');
  g.setAttribute('aria-label', off ? t('Guard off') : t('Guard') + ' ' + t(guard?.guard?.mode || ''));
  g.replaceChildren(icon(off ? 'deny' : 'guard', off ? '' : 'ok'), h('span', { class: off ? '' : 'w' }, off ? t('Guard off') : t('Guard') + ' ', !off && h('b', null, t(guard?.guard?.mode || ''))));
  const dot = $('#live');
  dot.classList.toggle('gone', !D.live);
  $('.w', dot).textContent = t(D.live ? 'live' : 'not live');
  const count = $('[data-view=now] .n');
  count.textContent = n || D.sessions?.length || '';
  count.className = 'n' + (n ? ' ask' : '');
}

// show draws the view anew; what had the focus has it again, and the page stays where it was.
function show() {
  const main = $('#main-content'), focus = document.activeElement?.dataset?.key, y = scrollY;
  main.replaceChildren(views[view]());
  for (const a of $$('.nav a')) a.dataset.view === view ? a.setAttribute('aria-current', 'page') : a.removeAttribute('aria-current');
  const first = $('[data-row]', main);
  if (first && first.tagName !== 'BUTTON') first.tabIndex = 0;
  if (focus) $(`[data-key="${CSS.escape(focus)}"]`, main)?.focus({ preventScroll: true });
  scrollTo(0, y);
}
V.again = show;

function route() {
  const [name, ...rest] = location.hash.slice(1).split('/'), next = views[name] ? name : 'now';
  if (next !== view) { V.filter = ''; V.open = ''; if (view) $('#say').textContent = t(NAMES[next]); }
  view = next;
  V.arg = decodeURIComponent(rest.join('/'));
  show();
  if (view === 'now' && V.arg) { const row = $(`[data-key="${CSS.escape(V.arg)}"]`); if (row) { row.tabIndex = 0; row.focus(); row.scrollIntoView({ block: 'nearest' }); } }
}

let loading = false, wanted = false;
async function load(anew) {
  if (loading) { wanted = true; return; }
  loading = true;
  try {
    await refresh();
    if (anew) guard = D.project && !D.me.demo ? await get('/api/ask/status', { project: D.project }).catch(() => null) : null;
    notices();
    if (anew || view === 'now') show(); else if (view === 'timeline') await updateTimeline();
  } catch (e) { if (!D.lostAt) { D.lostAt = Date.now(); D.live = false; } notices(); }
  loading = false;
  if (wanted) { wanted = false; soon(); }
}
let timer = 0;
const soon = () => { if (!timer) timer = setTimeout(() => { timer = 0; load(false); }, 120); };

function theme() { const r = document.documentElement, dark = r.dataset.theme ? r.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches; r.dataset.theme = dark ? 'light' : 'dark'; localStorage.setItem('moai-theme', r.dataset.theme); }
function help() {
  const d = $('#help'), rows = [['1 – 9', 'Go to a view'], ['j, k', 'Next and previous row'], ['Enter', 'Open the row'], ['Esc', 'Close, or clear the search'], ['/', 'Search this view'], ['w', 'Next agent that waits'], ['u', 'Undo view'], ['c', 'Copy the allow command'], ['t', 'Light and dark'], ['?', 'This help']];
  d.replaceChildren(h('div', { class: 'row' }, h('h1', { id: 'help-t', class: 'grow' }, t('Keyboard')), h('button', { class: 'btn sm quiet icon', 'aria-label': t('Close'), onclick: () => d.close() }, icon('x'))), h('table', null, h('tbody', null, rows.map(([k, w]) => h('tr', null, h('td', null, h('kbd', null, k)), h('td', null, t(w)))))));
  d.showModal();
}
function step(by) {
  if (view === 'timeline') return stepTimeline(by);
  const list = $$('main [data-row]');
  if (!list.length) return;
  const at = list.indexOf(document.activeElement.closest?.('[data-row]')), next = list[Math.max(0, Math.min(list.length - 1, at + by))];
  for (const x of list) if (x.tagName !== 'BUTTON') x.tabIndex = -1;
  next.tabIndex = 0;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
}

document.addEventListener('click', e => { const c = e.target.closest('[data-copy]'); if (c) { e.stopPropagation(); copy(c.dataset.copy); } });
document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || $('#help').open) return;
  const field = e.target.matches('input, textarea, select'), row = document.activeElement?.closest?.('[data-row]'), k = e.key;
  if (k === 'Escape') {
    if (field && e.target.id === 'q') { e.target.value = V.q = ''; e.target.blur(); show(); } else ($('[data-act=keep]') || $('[data-act=close]'))?.click();
    return;
  }
  if (field) return;
  if (k >= '1' && k <= '9') location.hash = VIEWS[k - 1];
  else if (k === 'j' || k === 'k') { e.preventDefault(); step(k === 'j' ? 1 : -1); }
  else if (k === '/') { e.preventDefault(); $('#q').focus(); }
  else if (k === '?') help();
  else if (k === 't') theme();
  else if (k === 'u') { const s = D.sessions?.find(x => x.id === row?.dataset.session); location.hash = 'undo' + (s?.snapshot ? '/' + encodeURIComponent(s.snapshot.id) : ''); }
  else if (k === 'w') { const waits = D.sessions.filter(s => s.state === 'waiting'); if (waits.length) { wait = (wait + 1) % waits.length; location.hash = 'now/' + encodeURIComponent(waits[wait].id); } }
  else if (k === 'c' && row?.dataset.allow) copy(`moai risk allow ${row.dataset.allow} --once --reason ''`);
  else if (k === 'Enter' && row && e.target === row) { if (row.dataset.i) openRow(+row.dataset.i); else if (view === 'now') { V.session = row.dataset.session; location.hash = 'timeline'; } else if (row.tagName !== 'BUTTON') row.click(); }
});
addEventListener('hashchange', route);
addEventListener('resize', () => { document.documentElement.style.setProperty('--notice-h', $('#notices').offsetHeight + 'px'); resized(); });

const saved = localStorage.getItem('moai-theme');
if (saved) document.documentElement.dataset.theme = saved;
D.me = await get('/api/me');
projects = await get('/api/projects');
const chosen = localStorage.getItem('moai-project');
D.project = projects.some(p => p.key === chosen) ? chosen : projects.some(p => p.key === D.me.project) ? D.me.project : '';
frame();
route();
await load(true);
again = listen(soon, () => { notices(); if (D.live) load(true); });
setInterval(() => {
  if (document.hidden || D.lostAt) return; // what is seen is from then, and so are its ages
  for (const el of $$('time[data-at]')) { const s = (Date.now() - el.dataset.at) / 1000, text = el.dataset.form === 'run' ? run(s) : age(s); if (el.textContent !== text) el.textContent = text; }
  $('#lastage').textContent = age((Date.now() - D.lastAt) / 1000);
}, 1000);
