// Timeline: one flat list of turns, commits, what was taken back, and days, the newest first, with a bar of the day above it.
import { h, $, icon, fileName, ms, hm, live, day, dayKey, num, took, copyline, head, empty, seg, patch, verdictOf, VERDICT } from '../dom.js';
import { D, nameOf, get, letter, byLetter } from '../data.js';
import { VirtualList } from '../list.js';
import { t, tn } from '../words.js';
import { told } from '../said.js';
import { V, matches, none, fault, later, eventName, markOf, rowOf, turnOf, said, who, gapText, gapsTold, ranThen, oneStop, fact, manyOf, there } from './base.js';

const PAGE = 1000; // turns that are asked for at once
const LANES = 6; // sessions with a line of their own
const BIN = 15 * 60e3, BINS = 96; // of the bar: a quarter of an hour each
const rowHeight = () => (innerWidth < 860 ? 56 : 32);
const keyOf = x => (x.kind === 'commit' ? x.hash : x.kind === 'back' ? x.id : x.kind === 'gap' ? 'gap' + x.since : [x.project, x.session_id, x.turn].join('/')); // a turn may go on in another project

let list, rows = [], days = [], tracks = [], turns = [], commits = [], backs = [], ended = false, asking = false, stale = false, shownDay = '', drawn = 0;

/* rows */
const KIND = { denied: x => x.denied, asked: x => x.asked, commit: x => x.kind === 'commit', clash: x => x.collides_with };

// made gives what came from the server what a row needs, once: there may be a hundred thousand.
const made = (kind, x, time) => Object.assign(x, { kind, at: ms(time), day: dayKey(ms(time)) });

// arrange sorts what there is into rows, and finds the sessions with a line of their own: the few that did something last.
function arrange() {
  const gaps = gapsTold().map(g => made('gap', { ...g, title: gapText(g) }, g.since)), beside = [...commits, ...backs, ...gaps], kept = [...turns, ...(V.session ? beside.filter(x => x.by === V.session) : beside)]
    .filter(x => (!V.filter || KIND[V.filter](x)) && (!V.q || matches(x.prompt, x.title, x.command, x.kind === 'turn' && ranOf(x).map(c => c.command).join('\n')))).sort((a, b) => b.at - a.at);
  const had = new Map(days.map(x => [x.at, x]));
  rows = [];
  days = [];
  for (const x of kept) {
    if (x.day !== days.at(-1)?.day) rows.push(days[days.length] = had.get(x.at) || { kind: 'day', at: x.at, day: x.day });
    rows.push(x);
  }
  const ids = new Set();
  for (const x of turns) if (ids.add(x.session_id).size === LANES) break;
  tracks = [...ids].sort((a, b) => byLetter(letter(a), letter(b)));
}

// arrow leads back for an undo, and forward for what was brought again: a square is a commit.
const arrow = (x, y, way) => `M${x + 5 * way} ${y}L${x - 4 * way} ${y - 5}V${y + 5}Z`;

// What has no line of its own stands behind the lines: a session's with its letter, nobody's dashed.
function graph(x) {
  const by = x.kind === 'turn' ? x.session_id : x.by, H = rowHeight(), c = H / 2, all = tracks, k = all.indexOf(by), at = k < 0 ? all.length : k, beside = all.indexOf(x.collides_with), X = n => 9 + n * 12;
  return h('svg', { class: 'g gc', 'aria-hidden': 'true', width: 20 + Math.min(LANES, all.length + 1) * 12, height: H },
    all.map((_, n) => h('line', { x1: X(n) + .5, x2: X(n) + .5, y1: 0, y2: H })),
    beside >= 0 && k >= 0 && h('path', { class: 'x', d: `M${X(k)} ${c}H${X(beside)}m-3 -3l6 6m0 -6l-6 6` }),
    x.kind === 'gap' ? h('path', { class: 'x', d: `M${X(0)} ${c}m-4 -4l9 9m0 -9l-9 9` })
      : x.kind === 'back' ? h('path', { class: by ? 'node' : 'node nobody', d: arrow(X(at) + .5, c, x.details?.again ? 1 : -1) })
      : x.kind !== 'turn' ? h('rect', { class: by ? 'node' : 'node nobody', x: X(at) - 4, y: c - 4, width: 9, height: 9 })
      : [h('circle', { class: 'node', cx: X(at) + .5, cy: c, r: 7.5 }), h('text', { x: X(at) + .5, y: c + 3.5 }, letter(x.session_id))]);
}

function marks(x) {
  const mark = (n, ic, word) => n > 0 && h('span', { class: ic }, icon(ic), String(n), h('span', { class: 'sr' }, ' ' + tn(n, word)));
  return h('span', { class: 'cell marks' }, mark(x.denied, 'deny', 'denied'), mark(x.asked, 'ask', 'asked'), mark(x.snapshots, 'snap', 'snapshots'), mark(x.failures, 'fail', 'failures'),
    x.collides_with && h('span', { class: 'deny' }, icon('clash'), letter(x.collides_with)));
}

// ranOf are the commands of a turn that are known, each once, the oldest first: what the guard has met, what failed, and what changed something.
function ranOf(x) {
  const all = new Map();
  for (const { command, action, failed } of x.ran || []) {
    const had = all.get(nameOfRun(all, command));
    all.set(had?.command || command, { command: had?.command || command, v: had?.v || action && verdictOf(action), failed: failed || had?.failed });
  }
  for (const command of turnOf(x)?.commands.slice().reverse() || []) if (!nameOfRun(all, command)) all.set(command, { command });
  return [...all.values()];
}
const IN_ROW = 8; // commands; the drawer has all

// nameOfRun is the name under which a command is known, which may be cut elsewhere.
const CUT = 150; // no entry is cut shorter
function nameOfRun(all, command) {
  if (all.has(command) || command.length < CUT) return all.has(command) ? command : '';
  const begin = x => x.slice(0, CUT), same = [...all.keys()].filter(x => begin(x) === begin(command)), whole = x => x.replace(/…$/, '');
  return same.find(x => whole(x).startsWith(whole(command)) || whole(command).startsWith(whole(x))) || '';
}
const ranMarks = c => [c.v && c.v !== 'ok' && h('span', { class: c.v }, icon(c.v), h('span', { class: 'sr' }, t(VERDICT[c.v]) + ' ')), c.failed && h('span', { class: 'deny' }, icon('fail'), h('span', { class: 'sr' }, t('failed') + ' '))];

function commandsOf(x) {
  if (x.kind !== 'turn') return x.command || none();
  const ran = ranOf(x), others = x.failures - ran.filter(c => c.failed).length - (x.error ? 1 : 0); // of agents, hooks, and tools without a command
  if (!ran.length && !x.failures) return x.commands ? manyOf(x.commands, 'changing commands') : none();
  const first = [x.error && `${t('Turn failed')}: ${x.error}`, others > 0 && t('{n} failed', { n: others })].filter(Boolean);
  return [first.length > 0 && h('span', { class: 'deny' }, first.join(' · '), ran.length > 0 && ' · '), ran.slice(0, IN_ROW).map((c, i) => [i > 0 && ' · ', ranMarks(c), c.command])];
}

// way says whether there is a way back from a turn: a row without one is hatched, and says why.
function way(x) {
  if (x.kind !== 'turn' || !x.back && !x.undone) return none();
  if (x.back ? x.back.undone : x.undone) return h('span', { class: 'mm' }, t('undone'));
  return x.back.no_snapshot ? h('span', { class: 'deny', title: told(x.back.no_snapshot) }, t('no undo')) : icon('snap', 'snap');
}

// lines says how many a turn added and removed, where its snapshots tell.
const lines = changes => changes && h('span', { class: 'pm' }, h('span', { class: 'plus' }, ' +' + num(changes.added)), h('span', { class: 'minus' }, ' −' + num(changes.removed)));

// goesOn reports the last turn of a session that works or waits.
function goesOn(x) {
  const s = x.kind === 'turn' && !x.ended_at && D.sessions?.find(o => o.id === x.session_id);
  return s && s.turn === x.turn && (s.state === 'working' || s.state === 'waiting');
}

function drawRow(x, i) {
  if (x.kind === 'day') return h('div', { class: 'tr day', role: 'listitem' }, h('span', { class: 's' }, h('b', null, day(x.at))));
  x.back = turnOf(x);
  const commit = x.kind === 'commit', gap = x.kind === 'gap', text = x.title || x.prompt || t('no prompt'), end = x.ended_at || x.last_event;
  const side = tracks.indexOf(x.session_id) % 2 === 1 ? 'R' : 'L', label = `${hm(x.at)}, ${commit ? t('commit') : gap ? t('Guard off') : x.kind === 'back' ? eventName(x) : t('Session') + ' ' + letter(x.session_id)}, ${text}`;
  return h('div', {
    class: `tr ${x.kind} ${side}${V.open === keyOf(x) ? ' is-sel' : ''}`, role: 'listitem', ...rowOf(keyOf(x), x.session_id, label),
    'data-i': i, 'aria-posinset': i + 1, 'aria-setsize': rows.length, onclick: () => open(x),
  },
    h('span', { class: 'time s mm' }, hm(x.at)), graph(x),
    h('span', { class: gap ? 'cell c-pr cut deny' : 'cell c-pr cut', title: text }, gap && [icon('warn'), ' '], commit && h('span', { class: 'mono mm' }, x.hash.slice(0, 7) + ' '), x.kind === 'back' && h('b', null, eventName(x), ' '), !D.project && h('span', { class: 'mm' }, nameOf(x.project) + ' · '), text, x.author && h('span', { class: 'mm' }, ' · ' + x.author)),
    h('span', { class: 'cell c-cmd cmd cut' }, commandsOf(x)),
    marks(x),
    h('span', { class: 'cell c-files num s' }, x.files ? [h('span', { class: 'wide' }, num(x.files)), h('span', { class: 'narrow m' }, t('{n} files', { n: num(x.files) }))] : none(), lines(x.back?.changes)),
    h('span', { class: 'cell c-snap2 s' }, way(x)),
    h('span', { class: 'cell c-dur num s mm' }, goesOn(x) ? live(x.at, 'run') : end && x.kind === 'turn' ? took((ms(end) - x.at) / 1000) : ''),
    V.beside && h('span', { class: 'half' }, h('span', { class: 'cut', title: text }, x.kind === 'back' && h('b', null, eventName(x), ' '), text), marks(x)));
}

/* the bar of a day */
function drawBar() {
  const el = $('#scrub');
  if (!el || !list || !rows.length) return;
  const H = rowHeight(), at = i => rows[Math.max(0, Math.min(rows.length - 1, i))], first = at(list.top / H | 0), last = at((list.top + list.tall) / H | 0);
  const key = first.day, midnight = new Date(first.at).setHours(0, 0, 0, 0), place = x => Math.max(0, Math.min(100, (x - midnight) / (BIN * BINS) * 100));
  if (shownDay !== key + rows.length + ended) {
    shownDay = key + rows.length + ended;
    const from = rows.findIndex(x => x.day === key), next = days[days.findIndex(x => x.day === key) + 1];
    el.replaceChildren(...barOf(rows.slice(from + 1, next ? rows.indexOf(next) : undefined), key, first.at, midnight, place)); // without the row of the day itself
  }
  const hi = place(first.at), lo = place(last.at), win = $('.win', el), dens = $('#dens');
  win.style.left = lo + '%';
  win.style.width = Math.max(.6, hi - lo) + '%';
  dens.setAttribute('aria-valuenow', Math.round(hi * 14.4));
  dens.setAttribute('aria-valuetext', `${hm(first.at)}, ${day(first.at)}`);
}

function barOf(mine, key, at, midnight, place) {
  const bins = Array(BINS).fill(0);
  for (const x of mine) bins[Math.min(BINS - 1, (x.at - midnight) / BIN | 0)]++;
  const most = Math.max(...bins, 1), loud = mine.filter(x => x.denied || x.asked).slice(0, 24);
  const sum = what => mine.reduce((n, x) => n + (x[what] || 0), 0), denied = sum('denied'), asked = sum('asked');
  const its = days.findIndex(x => x.day === key), none = by => (by < 0 ? ended && its === days.length - 1 : its === 0);
  const step = (by, word, sign) => h('button', { class: 'btn sm quiet icon', 'aria-label': t(word), title: `${t(word)} ${sign}`, disabled: none(by), onclick: () => stepDay(by) }, icon('chev', by < 0 ? 'back' : ''));
  return [
    h('div', { class: 'row' }, step(-1, 'Day before', '['), h('b', { class: 'nw' }, day(at)), step(1, 'Day after', ']')),
    h('div', { class: 'dens', id: 'dens', role: 'slider', tabindex: '0', 'aria-label': t('Time of day'), 'aria-valuemin': 0, 'aria-valuemax': 1440 },
      h('svg', { 'aria-hidden': 'true' },
        bins.map((n, k) => n > 0 && h('rect', { class: 'q', x: k / BINS * 100 + '%', width: '0.82%', y: 36 - n / most * 25, height: n / most * 25 })),
        h('line', { class: 'axis', x1: 0, x2: '100%', y1: 36.5, y2: 36.5 }),
        [0, 3, 6, 9, 12, 15, 18, 21].map(hour => h('text', { x: hour / .24 + '%', y: 50 }, String(hour).padStart(2, '0'))),
        loud.map(x => h('use', { class: 'mark i ' + (x.denied ? 'deny' : 'ask'), href: x.denied ? '#i-deny' : '#i-ask', x: place(x.at) + '%', y: 0, width: 10, height: 10 }))),
      h('div', { class: 'win' })),
    h('div', { class: 's m tot' }, fact(mine.length, 'rows'), h('br'),
      h('span', { class: denied && 'deny' }, t('{n} denied', { n: denied })), ' · ', h('span', { class: asked && 'ask' }, t('{n} asked', { n: asked }))),
  ];
}

// seek brings a moment into view, and gives the row that is there.
function seek(at) {
  let i = rows.findIndex(x => x.kind !== 'day' && x.at <= at);
  if (i < 0) i = rows.length - 1;
  if (i >= 0) list.el.scrollTop = i * rowHeight();
  return rows[i];
}
function seekShare(share) {
  const H = rowHeight(), at = rows[Math.min(rows.length - 1, list.el.scrollTop / H | 0)]?.at || Date.now();
  seek(new Date(at).setHours(0, 0, 0, 0) + Math.max(0, Math.min(1, share)) * BIN * BINS);
}
export function stepDay(by) {
  if (!rows.length) return;
  const first = rows[Math.min(rows.length - 1, list.el.scrollTop / rowHeight() | 0)];
  const now = days.findIndex(x => x.day === first.day), next = days[Math.max(0, Math.min(days.length - 1, now - by))];
  list.el.scrollTop = rows.indexOf(next) * rowHeight();
}
function listenToBar(el) {
  let drag = false;
  const move = e => { const box = $('#dens').getBoundingClientRect(); seekShare((e.clientX - box.left) / box.width); };
  el.addEventListener('pointerdown', e => { if (e.target.closest('#dens')) { drag = true; el.setPointerCapture(e.pointerId); move(e); } });
  el.addEventListener('pointermove', e => drag && move(e));
  el.addEventListener('pointerup', () => { drag = false; });
  el.addEventListener('keydown', e => {
    const by = { ArrowLeft: -15, ArrowRight: 15, PageDown: -60, PageUp: 60, Home: -1440, End: 1440 }[e.key];
    if (!by || e.target.id !== 'dens') return;
    e.preventDefault();
    seekShare((+e.target.getAttribute('aria-valuenow') + by) / 1440);
  });
}

/* what a row holds */
function open(x) {
  V.open = V.open === keyOf(x) ? '' : keyOf(x);
  const body = $('.tlbody'), y = list.el.scrollTop;
  body.classList.toggle('open', !!V.open);
  $('.panel', body)?.remove();
  if (V.open) body.append(panel(x));
  list.set(rows);
  list.el.scrollTop = y;
  $(`[data-key="${CSS.escape(keyOf(x))}"]`, list.el)?.focus({ preventScroll: true });
}

function panel(x) {
  const commit = x.kind === 'commit', of = x.kind === 'turn' ? x.session_id : x.by, about = [commit && x.hash.slice(0, 10), of && t('Session') + ' ' + letter(of)].filter(Boolean).join(' · ');
  const top = h('div', { class: 'ph' },
    h('div', null, h('div', { class: 's mm' }, hm(x.at), ' · ', about), h('h2', null, x.title || x.prompt || t('no prompt'))),
    h('button', { class: 'btn sm quiet icon', 'aria-label': t('Close'), 'data-act': 'close', onclick: () => open(x) }, icon('x')));
  const aside = (...parts) => h('aside', { class: 'panel', 'aria-label': t('Details') }, top, ...parts.flat(2).filter(Boolean));
  if (commit) return aside(later(get('/api/commits/' + x.hash, { project: D.project }), c => patch(c.patch)));
  if (x.kind === 'gap') return aside(h('p', { class: 's' }, ranThen(x)));
  if (x.kind === 'back') {
    const { branch, paths, safety, again, session } = x.details || {};
    return aside(h('p', { class: 's' }, eventName(x)), paths?.length > 0 && files(paths.map(path => ({ path }))),
      copyline(branch === 'undo' ? `moai undo ${again ? '' : 'redo '}--session ${session} --dry-run` : `moai checkpoint restore ${safety} --dry-run`, there(x.project)));
  }
  const pick = { session: x.session_id, turn: x.turn, limit: 500 }, back = turnOf(x), ran = ranOf(x);
  return aside(
    x.collides_with && h('p', { class: 's deny row' }, icon('clash'), h('span', null, t('also changed by {s}', { s: letter(x.collides_with) }))),
    ran.length > 0 && [h('h3', { class: 'm' }, t('Commands')),
      h('ul', { class: 'clist' }, ran.map(c => h('li', null, c.v || c.failed ? icon(c.v || 'fail', c.v || 'deny') : icon('proc', 'mm'), h('code', null, c.command),
        h('span', { class: 's num' }, [c.v && h('span', { class: c.v }, t(VERDICT[c.v])), c.failed && h('span', { class: 'deny' }, t('failed'))].filter(Boolean).flatMap((w, i) => [i > 0 && ' · ', w])))))],
    h('div', { class: 'row' },
      back && !back.no_snapshot && !back.undone && h('a', { class: 'btn sm', href: '#undo/' + encodeURIComponent(back.id), onclick: () => V.choose(x.project) }, icon('undo'), t('Undo this turn')),
      h('button', { class: 'btn sm', 'data-copy': `${location.origin}/#timeline/${x.at}` }, icon('copy'), t('Copy link'))),
    back?.no_snapshot && h('p', { class: 's deny' }, t('no undo'), ': ', told(back.no_snapshot)),
    h('h3', { class: 'm' }, t('Events of this turn')), later(get('/api/events', pick), events),
    back?.from && [h('h3', { class: 'm' }, t(back.to ? 'What changed here during this turn, by whomever' : 'What changed here since this turn began, by whomever')),
      later(get('/api/diff', { project: x.project, from: back.from, to: back.to || '' }), d => (d.patch ? patch(d.patch) : h('p', { class: 's m' }, t('nothing'))))],
    [h('h3', { class: 'm' }, t('Files of this turn'), lines(back?.changes)), later(get('/api/files', pick), all => touched(x.project, all))],
    copyline(back ? `moai undo --to ${back.id} --session ${x.session_id} --dry-run` : `moai log --session ${x.session_id}`, there(x.project)));
}
const events = newest => h('ul', { class: 'clist' }, newest.toReversed().map(e => {
  const [ic, cls] = markOf(e, newest);
  return h('li', null, icon(ic, cls), h('div', null, h('b', { class: 's' }, eventName(e)), h('div', { class: 's m' }, said(e, newest).slice(0, 400))),
    h('span', { class: 's num mm' }, hm(ms(e.created_at))));
}));
const files = all => (all.length ? h('ul', null, all.map(f => h('li', { class: 's' }, h('code', null, fileName(f.path)), f.edits && h('span', { class: 'mm' }, ' × ' + f.edits)))) : none());

// touched are the files of a turn, each with its lines and the turn whose commit touched them last, on demand.
const touched = (project, all) => (all.length ? h('ul', null, all.map(f => h('li', { class: 's' }, h('details', { ontoggle: e => blame(e.target, project, f.path) },
  h('summary', { title: t('line by line: the turn that touched it last') }, h('code', null, fileName(f.path)), f.edits && h('span', { class: 'mm' }, ' × ' + f.edits)))))) : none());
function blame(el, project, path) {
  if (!el.open || el.children.length > 1) return;
  const by = l => (l.session_id ? `${letter(l.session_id)} ${l.turn}` : l.hash.slice(0, 7));
  el.append(later(get('/api/blame', { project, path }), lines => h('div', { class: 'diff' }, lines.slice(0, MOST_LINES).map((l, i) => h('div', { class: 'dl bl' }, h('span', { title: `${l.hash.slice(0, 10)} · ${l.author}` }, i && by(l) === by(lines[i - 1]) ? '' : by(l)), h('span', null, String(l.line)), h('span'), h('span', null, l.text || ' '))),
    lines.length > MOST_LINES && h('p', { class: 'note' }, t('and {n} more', { n: num(lines.length - MOST_LINES) })))));
}
const MOST_LINES = 2000;

/* loading */
// commitsOf are the commits of a project, each with the session whose command made it, where one did.
async function commitsOf(project) {
  const [all, changes] = await Promise.all([get('/api/commits', { project }), get('/api/events', { project, type: 'command_change', limit: 1000 })]);
  const by = new Map(changes.map(e => [e.details?.commit, e]));
  return all.map(c => Object.assign(made('commit', c, by.get(c.hash)?.created_at || c.at), { by: by.get(c.hash)?.session_id, command: by.get(c.hash)?.details.command }));
}

// backsOf are the undos and restores of a project.
async function backsOf(project) {
  const all = await get('/api/events', { project, type: 'checkpoint_restored', limit: 1000 });
  return all.map(e => Object.assign(made('back', e, e.created_at), { by: e.session_id || e.details?.session, title: said(e), files: e.details?.paths?.length }));
}

async function more(fresh) {
  const mine = drawn; // what was asked for a view that was drawn anew since is not of this one
  if (asking) { stale ||= fresh; return; } // what came meanwhile is asked for behind it
  if (ended && !fresh) return;
  asking = true;
  try {
    const before = fresh || !turns.length ? '' : ms(turns.at(-1).began_at);
    const got = await get('/api/turns', { project: D.project, session: V.session, limit: PAGE, before });
    if (mine !== drawn) return;
    for (const x of got) made('turn', x, x.began_at);
    if (fresh && turns.length) {
      const seen = new Set(got.map(keyOf)), older = turns.filter(x => !seen.has(keyOf(x)));
      if (got.length === PAGE && older.length === turns.length) { // more has come than one page: what lies between is asked for again
        turns = got;
        ended = false;
      } else {
        turns = [...got, ...older];
        ended &&= got.length < PAGE; // a journal that was read meanwhile has more
      }
    } else {
      turns = turns.concat(got);
      ended = got.length < PAGE;
    }
    const other = [!commits.length && D.project ? commitsOf(D.project).catch(() => []) : commits, fresh || !backs.length ? backsOf(D.project).catch(() => backs) : backs], both = await Promise.all(other);
    if (mine !== drawn) return;
    [commits, backs] = both;
  } finally { if (mine === drawn) asking = false; }
  const once = stale;
  stale = false;
  if (!list.el.isConnected) return;
  const had = rows, lanes = tracks.join();
  arrange();
  if (!fresh && had.length && lanes === tracks.join() && had.every((x, i) => x === rows[i])) list.extend(rows);
  else list.set(rows, document.activeElement === document.body && V.focus); // the rows of a view that was drawn anew come late
  V.focus = '';
  list.el.classList.remove('busy');
  const n = rows.filter(x => x.kind !== 'day').length;
  $('#rows').textContent = num(n);
  $('#rowsof').textContent = tn(n, 'rows');
  $('#noturn').hidden = rows.length > 0;
  $('#scrub').hidden = rows.length === 0;
  drawBar();
  if (once) await more(true);
}
export const updateTimeline = () => more(true).catch(() => {});

// goTo opens what a link names: the row of that moment, which may lie on a later page.
async function goTo(at) {
  for (let page = 0; page < 20 && !ended && (!turns.length || ms(turns.at(-1).began_at) > at); page++) await more(false);
  const row = seek(at);
  if (row && row.kind !== 'day' && row.at === at && V.open !== keyOf(row)) open(row);
}

export function timeline() {
  turns = [];
  commits = [];
  backs = [];
  rows = [];
  ended = asking = stale = false;
  drawn++;
  shownDay = V.open = '';
  const box = h('div', { class: 'vl busy', id: 'vl', role: 'list', tabindex: '-1', 'aria-label': t('Timeline') });
  list = new VirtualList(box, rowHeight, drawRow, { atEnd: () => more(false).catch(() => {}), moved: drawBar, drawn: oneStop });
  const scrub = h('div', { class: 'scrubgrid', id: 'scrub', hidden: true }), named = (D.sessions || []).map(s => [s.id, letter(s.id), who(s)]);
  const letters = named.slice(0, 5).sort((a, b) => byLetter(a[1], b[1])), others = named.slice(5), chosen = s => { V.session = s; V.again(); };
  listenToBar(scrub);
  const show = [['', t('Everything')], ['denied', t('Denied'), 'deny'], ['asked', t('Asked'), 'ask'], D.project && ['commit', t('Commits'), 'commit'], ['clash', t('Collisions'), 'clash']].filter(Boolean);
  const el = h('div', { class: V.beside ? 'tl split' : 'tl' },
    head('Timeline', h('div', { class: 'filters' },
      seg('Session', [['', t('All'), !V.session], ...letters.map(([id, l]) => [id, l, V.session === id])], chosen),
      others.length > 0 && h('select', { class: 'btn sm', 'aria-label': t('More sessions'), onchange: e => chosen(e.target.value) },
        h('option', { value: '' }, t('More sessions…')), others.map(([id, l, words]) => h('option', { value: id, selected: V.session === id }, `${l} · ${words.slice(0, 40)}`))),
      seg('Show', show.map(([key, word, ic]) => [key, word, V.filter === key, ic]), f => { V.filter = f; V.again(); }),
      seg('Layout', [['beside', t('Side by side'), V.beside]], () => { V.beside = !V.beside; V.again(); }),
      h('span', { class: 's m nw' }, h('b', { id: 'rows' }, '–'), ' ', h('span', { id: 'rowsof' }, t('rows'))))),
    h('div', { class: 'scrub' }, scrub),
    h('div', { class: 'tlbody' }, h('div', { class: 'tlist' },
      h('div', { class: 'thead', 'aria-hidden': 'true' }, h('span', null, t('Time')), h('span'), h('span', null, t('Prompt')), h('span', { class: 'c-cmd' }, t('Commands')),
        h('span', null, t('Verdicts')), h('span', { class: 'num' }, t('Files')), h('span', { class: 'c-snap2' }, t('Undo')), h('span', { class: 'num' }, t('Took'))),
      h('div', { id: 'noturn', hidden: true }, V.q || V.filter || V.session ? empty('Nothing matches', 'Take a filter away, or clear the search.')
        : empty('No prompt yet', 'Every prompt becomes one row here, with its commands, verdicts, files and the way back.', ['See what the journal holds on this machine.', 'moai events --since yesterday'])),
      box)));
  const at = /^\d+$/.test(V.arg) ? +V.arg : 0;
  queueMicrotask(() => more(false).then(() => at && goTo(at)).catch(e => el.append(fault(e))));
  return el;
}

export function stepTimeline(by) {
  if (!rows.length) return;
  const at = document.activeElement?.dataset?.i;
  let i = at == null ? (list.el.scrollTop / rowHeight() | 0) - (by > 0 ? 1 : 0) : +at;
  do i += by; while (rows[i]?.kind === 'day');
  if (!rows[i]) return;
  list.reveal(i);
  list.shown.get(i)?.focus({ preventScroll: true });
  if (V.open) {
    V.open = '';
    open(rows[i]);
  }
}
export const resized = () => list?.el.isConnected && list.set(rows);
export const openRow = i => rows[i] && open(rows[i]);
