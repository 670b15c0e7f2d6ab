// The views. Each gives an element, from what D holds and what it asks for; nothing in them waits for the stream.
import { h, $, icon, ms, hm, day, dayKey, num, run, live, badge, verdict, verdictOf, copyline, head, empty, seg, skeleton, table, patch, VirtualList, say } from './dom.js';
import { D, get, post, letter } from './data.js';
import { t } from './words.js';

export const V = { q: '', arg: '', filter: '', session: '', open: '', again: () => {} };
const matches = (...texts) => !V.q || texts.some(x => String(x || '').toLowerCase().includes(V.q.toLowerCase()));
const STATE = { waiting: 'Waiting for you', working: 'Working', idle: 'Idle', stale: 'Stale', gone: 'Gone' };
const none = () => h('span', { class: 'mm' }, '–');
export const who = s => s.prompt || s.branch || s.id.slice(0, 8);
const fault = e => h('div', { class: 'note', role: 'alert' }, e.message);

// later shows something at once, and the answer when it has come.
function later(promise, draw) {
  const el = h('div', null, skeleton());
  promise.then(got => el.replaceChildren(draw(got)), e => el.replaceChildren(fault(e)));
  return el;
}
const aboutOne = title => h('div', null, head(title), empty('Choose a project', 'This view is about one project.'));

/* Now */
function strip(s) {
  const end = Date.now(), from = end - 18e5, marks = D.events.filter(e => e.session_id === s.id && ms(e.created_at) > from);
  return h('svg', { class: 'strip', role: 'img', 'aria-label': t('Last events') }, h('line', { class: 'base', x1: 0, x2: '100%', y1: 10.5, y2: 10.5 }),
    marks.map(e => h('rect', { class: 'tick', x: (ms(e.created_at) - from) / 18e3 + '%', y: e.severity === 'info' ? 5 : 2, width: 2, height: e.severity === 'info' ? 5 : 8 })));
}
function lane(s, full) {
  const letterOf = letter(s.id), doing = D.events.find(e => e.session_id === s.id), tree = s.worktree.split(/[\\/]/).pop();
  const agents = s.agents.filter(a => !a.ended_at);
  return h('li', { class: 'lane ' + s.state, 'data-row': '', 'data-key': s.id, 'data-session': s.id, tabindex: '-1', 'aria-label': `${t('Session')} ${letterOf}, ${t(STATE[s.state])}, ${who(s)}` },
    h('div', { class: 'lg' },
      h('div', { class: 'c-state' }, h('div', { class: 'state' }, icon(s.state), h('div', null, h('b', null, t(STATE[s.state])), ' ', h('span', { class: 'told' + (s.inferred ? ' inferred' : '') }, t(s.inferred ? 'inferred' : 'told'), ' · ', live(ms(s.since)))))),
      h('div', { class: 'c-sess' }, h('div', { class: 'title' }, badge(letterOf), h('span', { class: 'cut', title: who(s) }, who(s))),
        h('div', { class: 'sub' }, s.model && h('span', { class: 'nw' }, s.model), s.branch && h('span', { class: 'cut', title: s.branch }, icon('branch'), ' ', s.branch), tree && h('span', { class: 'cut', title: s.worktree }, icon('project'), ' ', tree))),
      h('div', { class: 'c-do' }, s.state === 'waiting' ? [h('div', { class: 'do ask b' }, t('Waiting for you')), h('div', { class: 'cmd' }, doing?.summary || ''), s.tty && h('div', { class: 'xs mm' }, t('Answer in {s}', { s: s.tty }))]
        : s.state === 'working' ? [h('div', { class: 'do' }, h('b', null, doing?.event_type || ''), h('span', { class: 'run' }, live(ms(s.since), 'run'))), h('div', { class: 'cmd cut' }, doing?.summary || '')] : h('div', { class: 's m cut' }, doing?.summary || '')),
      h('div', { class: 'c-port s' }, s.port_id ? h('a', { href: '#ports/' + encodeURIComponent(s.port_id), class: 'mono' }, s.port_id) : h('span', { class: 'mm' }, t('no port'))),
      h('div', { class: 'c-unv s' }, s.wrote.length ? [h('b', null, num(s.wrote.length)), ' ', h('span', { class: 'm' }, t('files'))] : h('span', { class: 'mm' }, t('none'))),
      h('div', { class: 'c-snap snapx' }, s.snapshot ? [h('span', { class: 's m nw' }, live(ms(s.snapshot.at))), h('div', { class: 'sb' }, h('a', { class: 'btn sm', href: '#undo/' + encodeURIComponent(s.snapshot.id), 'aria-label': `${t('Undo')} ${letterOf}` }, icon('undo'), t('Undo')))] : h('span', { class: 's mm' }, t('no undo')))),
    full && s.state !== 'gone' && s.state !== 'stale' && h('div', { class: 'l2' }, h('div', { class: 'pr cut', title: s.prompt }, s.prompt), h('div', { class: 'st' }, strip(s))),
    full && agents.length > 0 && h('ul', { class: 'tree', 'aria-label': t('Agents') + ' ' + letterOf }, agents.map(a => h('li', null, h('span', { class: 'who' }, icon('working'), h('b', null, a.type || a.id), h('span', { class: 'mm' }, t('running'))), h('span', { class: 'ad cut' }), h('span', { class: 'nums' }, live(ms(a.started_at), 'run'))))));
}
function now() {
  if (!D.sessions) return h('div', null, head('Now'), skeleton());
  if (!D.sessions.length) return h('div', null, head('Now'), empty('No session yet', 'Start your agent in a project. Its first prompt appears here within a second.', ['Register the hooks. It shows the change and asks first.', 'moai init']));
  const s = D.stats, dense = D.sessions.length > 8, list = D.sessions.filter(x => matches(x.prompt, x.branch, x.id));
  const fact = (n, word) => h('span', null, h('b', null, num(n)), ' ', t(word));
  return h('div', null, head('Now', h('p', { class: 'facts' }, h('span', null, t('Today'), ' ', h('b', null, num(s.turns)), ' ', t('turns')), fact(s.edits, 'edits'), fact(s.denied, 'denied'), fact(s.asked, 'asked'), fact(s.snapshots, 'snapshots'), fact(s.failures, 'failures'))),
    h('div', { class: 'now has' },
      h('div', null, h('div', { class: 'lhead', 'aria-hidden': 'true' }, ['State', 'Session', 'Doing now'].map(x => h('span', null, t(x))), h('span', { class: 'c-port' }, t('Port')), h('span', { class: 'c-unv' }, t('Files')), h('span', null, t('Snapshot'))),
        h('ul', { class: 'lanes', role: 'list', 'aria-label': t('Session') }, list.map((x, i) => lane(x, !dense || x.state === 'waiting' && i < 3)), !list.length && h('li', { class: 'note' }, t('Nothing matches')))),
      h('aside', { class: 'feed', 'aria-label': t('Last events') }, h('h2', null, t('Last events')), h('ul', null, D.events.slice(0, 24).map(e => h('li', null, h('span', { class: 'mm' }, hm(ms(e.created_at))), icon(e.severity === 'info' ? 'ok' : 'ask', e.severity === 'info' ? 'mm' : 'ask'), e.session_id ? badge(letter(e.session_id)) : h('span'), h('span', { class: 'm' }, h('b', null, e.event_type), ' ', e.summary.slice(0, 120))))))));
}

/* Timeline: one flat virtual list of turns, commits and days */
let list, rows = [], turns = [], commits = [], ended = false, asking = false;
const rowHeight = () => innerWidth < 860 ? 56 : 32;
function rowsOf() {
  const all = [...turns.map(x => ({ kind: 'turn', at: ms(x.began_at), ...x })), ...(V.session || V.filter && V.filter !== 'commit' ? [] : commits.map(c => ({ kind: 'commit', when: c.at, ...c, at: ms(c.at) })))]
    .filter(x => (V.filter === '' || (V.filter === 'commit' ? x.kind === 'commit' : V.filter === 'clash' ? x.collides_with : x[V.filter])) && matches(x.prompt, x.title)).sort((a, b) => b.at - a.at);
  const out = [];
  let last = '';
  for (const x of all) { const key = dayKey(x.at); if (key !== last) { last = key; out.push({ kind: 'day', at: x.at }); } out.push(x); }
  return out;
}
function timelineRow(x, i) {
  if (x.kind === 'day') return h('div', { class: 'tr day', role: 'listitem' }, h('span', { class: 's' }, h('b', null, day(x.at))));
  const H = rowHeight(), c = H / 2, tracks = [...new Set(turns.map(y => y.session_id))].slice(0, 4), k = tracks.indexOf(x.session_id), beside = tracks.indexOf(x.collides_with), X = n => 9 + n * 16;
  const g = h('svg', { class: 'g gc', 'aria-hidden': 'true', width: 68, height: H }, tracks.map((_, n) => h('line', { x1: X(n) + .5, x2: X(n) + .5, y1: 0, y2: H })), beside >= 0 && k >= 0 && h('path', { class: 'x', d: `M${X(k)} ${c}H${X(beside)}m-3 -3l6 6m0 -6l-6 6` }),
    x.kind === 'commit' ? h('rect', { class: 'node', x: 5, y: c - 4, width: 9, height: 9 }) : k >= 0 && [h('circle', { class: 'node', cx: X(k) + .5, cy: c, r: 7.5 }), h('text', { x: X(k) + .5, y: c + 3.5 }, letter(x.session_id))]);
  const mark = (n, ic, cls, word) => n ? h('span', { class: cls }, icon(ic), String(n), h('span', { class: 'sr' }, ' ' + t(word))) : null;
  const text = x.kind === 'commit' ? x.title : x.prompt || t('no prompt'), took = x.ended_at || x.last_event;
  return h('div', { class: `tr ${x.kind}${V.open === keyOf(x) ? ' is-sel' : ''}`, role: 'listitem', 'data-row': '', 'data-i': i, 'data-key': keyOf(x), 'data-session': x.session_id, tabindex: '-1', 'aria-posinset': i + 1, 'aria-setsize': rows.length, 'aria-label': `${hm(x.at)}, ${x.kind === 'commit' ? t('commit') : t('Session') + ' ' + letter(x.session_id)}, ${text}`, onclick: () => openTurn(x) },
    h('span', { class: 'time s mm' }, hm(x.at)), g, h('span', { class: 'cell c-pr cut', title: text }, x.kind === 'commit' && h('span', { class: 'mono mm' }, x.hash.slice(0, 7) + ' '), text),
    h('span', { class: 'cell c-cmd cmd cut' }, x.kind === 'commit' ? x.author : `${num(x.events)} ${t('events')}`),
    h('span', { class: 'cell marks' }, mark(x.denied, 'deny', 'deny', 'denied'), mark(x.asked, 'ask', 'ask', 'asked'), mark(x.snapshots, 'snap', 'snap', 'snapshots'), x.collides_with && h('span', { class: 'deny' }, icon('clash'), letter(x.collides_with))),
    h('span', { class: 'cell c-files num s' }, x.files ? num(x.files) : none()), h('span', { class: 'cell c-snap2 s mm' }, x.failures ? h('span', { class: 'deny' }, num(x.failures)) : '–'),
    h('span', { class: 'cell c-dur num s mm' }, took ? run((ms(took) - x.at) / 1000) : ''));
}
const keyOf = x => x.kind === 'commit' ? x.hash : x.session_id + '/' + x.turn;
function openTurn(x) {
  V.open = V.open === keyOf(x) ? '' : keyOf(x);
  const body = $('.tlbody'), old = $('.panel', body), y = list.el.scrollTop;
  body.classList.toggle('open', !!V.open);
  old?.remove();
  if (V.open) body.append(panel(x));
  list.set(rows);
  list.el.scrollTop = y;
  $(`[data-key="${CSS.escape(keyOf(x))}"]`, list.el)?.focus({ preventScroll: true });
}
function panel(x) {
  const close = h('button', { class: 'btn sm quiet icon', 'aria-label': t('Close'), 'data-act': 'close', onclick: () => openTurn(x) }, icon('x'));
  const top = h('div', { class: 'ph' }, h('div', null, h('div', { class: 's mm' }, hm(x.at), ' · ', x.kind === 'commit' ? x.hash.slice(0, 10) : t('Session') + ' ' + letter(x.session_id)), h('h2', null, x.title || x.prompt || t('no prompt'))), close);
  if (x.kind === 'commit') return h('aside', { class: 'panel', 'aria-label': t('Details') }, top, later(get('/api/commits/' + x.hash, { project: D.project }), c => patch(c.patch)));
  const pick = { session: x.session_id, turn: x.turn, limit: 500 };
  return h('aside', { class: 'panel', 'aria-label': t('Details') }, top, x.collides_with && h('p', { class: 's deny row' }, icon('clash'), h('span', null, t('also changed by {s}', { s: letter(x.collides_with) }))),
    h('h3', { class: 'm' }, t('Events of this turn')), later(get('/api/events', pick), l => h('ul', { class: 'clist' }, l.reverse().map(e => h('li', null, icon(e.severity === 'error' ? 'deny' : e.severity === 'warn' ? 'ask' : 'ok', e.severity === 'error' ? 'deny' : e.severity === 'warn' ? 'ask' : 'mm'), h('div', null, h('code', null, e.event_type), h('div', { class: 's m' }, e.summary.slice(0, 400))), h('span', { class: 's num mm' }, hm(ms(e.created_at))))))),
    h('h3', { class: 'm' }, t('Files of this turn')), later(get('/api/files', pick), l => l.length ? h('ul', null, l.map(f => h('li', { class: 's' }, h('code', null, f.path), ' ', h('span', { class: 'mm' }, '× ' + f.edits)))) : none()),
    h('div', { class: 'row' }, h('button', { class: 'btn sm', 'data-copy': location.origin + '/#timeline/' + x.at }, icon('copy'), t('Copy link'))), copyline(`moai log --session ${x.session_id}`));
}
async function moreTurns(fresh) {
  if (asking || ended && !fresh) return;
  asking = true;
  try {
    const got = await get('/api/turns', { project: D.project, session: V.session, limit: 1000, before: fresh || !turns.length ? '' : ms(turns.at(-1).began_at) });
    if (fresh && turns.length) { const seen = new Set(got.map(keyOf)); turns = [...got, ...turns.filter(x => !seen.has(keyOf(x)))]; } else { turns = turns.concat(got); ended = got.length < 1000; }
    if (!commits.length && D.project) commits = await get('/api/commits', { project: D.project }).catch(() => []);
  } finally { asking = false; }
  rows = rowsOf();
  const y = list.el.scrollTop;
  list.set(rows);
  list.el.scrollTop = y;
  $('#rows').textContent = num(rows.filter(x => x.kind !== 'day').length);
  $('#noturn').hidden = rows.length > 0;
}
export const updateTimeline = () => moreTurns(true).catch(() => {});
function timeline() {
  turns = []; commits = []; ended = false; V.open = '';
  const choose = f => { V.filter = f; V.again(); };
  const vl = h('div', { class: 'vl', id: 'vl', role: 'list', tabindex: '-1', 'aria-label': t('Timeline') });
  list = new VirtualList(vl, rowHeight, timelineRow, () => moreTurns(false).catch(() => {}));
  const letters = [...D.letters].slice(0, 5);
  const el = h('div', { class: 'tl' }, head('Timeline', h('div', { class: 'filters' }, seg('Session', [['', t('All'), !V.session], ...letters.map(([id, l]) => [id, l, V.session === id])], s => { V.session = s; V.again(); }),
    seg('Show', [['', t('Everything'), !V.filter], ['denied', t('Denied'), V.filter === 'denied', 'deny'], ['asked', t('Asked'), V.filter === 'asked', 'ask'], ['commit', t('Commits'), V.filter === 'commit', 'commit'], ['clash', t('Collisions'), V.filter === 'clash', 'clash']], choose), h('span', { class: 's m' }, h('b', { id: 'rows' }, '–')))),
    h('div', { id: 'noturn', class: 'note', hidden: true }, t('Nothing matches')),
    h('div', { class: 'tlbody' }, h('div', { class: 'tlist' }, h('div', { class: 'thead', 'aria-hidden': 'true' }, h('span', null, t('Time')), h('span'), h('span', null, t('Prompt')), h('span', { class: 'c-cmd' }, t('Commands')), h('span', null, t('Verdicts')), h('span', { class: 'num' }, t('Files')), h('span', { class: 'c-snap2' }, t('Failed')), h('span', { class: 'num' }, t('Took'))), vl)));
  queueMicrotask(() => moreTurns(false).catch(e => el.append(fault(e))));
  return el;
}
export const stepTimeline = by => {
  if (!rows.length) return;
  const at = document.activeElement?.dataset?.i;
  let i = at == null ? (list.el.scrollTop / rowHeight() | 0) - (by > 0 ? 1 : 0) : +at;
  do i += by; while (rows[i]?.kind === 'day');
  if (!rows[i]) return;
  list.reveal(i);
  list.shown.get(i)?.focus({ preventScroll: true });
  if (V.open) { V.open = ''; openTurn(rows[i]); }
};
export const resized = () => list?.el.isConnected && list.set(rows);
export const openRow = i => rows[i] && openTurn(rows[i]);

/* Undo: the plan is moai's own, and so is what is done */
function undo() {
  if (!D.project) return aboutOne('Undo');
  const body = h('div', { class: 'uplan' }, h('div', { class: 'note' }, t('What is there now is saved first, so this can be undone.')));
  const choose = (c, el) => { for (const x of el.closest('.ulist').querySelectorAll('[aria-current]')) x.removeAttribute('aria-current'); el.setAttribute('aria-current', 'true'); body.replaceChildren(plan(c)); };
  return h('div', null, head('Undo'), later(get('/api/ask/checkpoints', { project: D.project }), all => {
    const found = Array.isArray(all) ? all.filter(c => matches(c.operation, c.name)) : [];
    if (!found.length) return empty('No snapshot yet', 'moai takes one before each risky command.', ['Open', 'moai checkpoint create']);
    const buttons = found.slice(0, 500).map(c => h('button', { class: 'ut', 'data-row': '', 'data-key': c.name, onclick: e => choose(c, e.currentTarget) }, icon('snap', 'snap'), h('span', { class: 'cut' }, c.operation), h('span', { class: 's mm' }, live(ms(c.time))), h('span', { class: 'sub2' }, h('span', null, `${num(c.stats.changed)} ${t('changed')}, ${num(c.stats.untracked)} ${t('untracked')}`), c.on && h('span', { class: 'cut' }, c.on))));
    const wanted = found.findIndex(c => V.arg && (c.name === V.arg || c.ref === V.arg || c.name.endsWith('/' + V.arg)));
    if (wanted >= 0) queueMicrotask(() => buttons[wanted].click());
    return h('div', { class: 'undo' }, h('div', { class: 'ulist' }, h('h2', null, t('Snapshots'), ' ', h('span', { class: 'mm' }, num(found.length))), buttons), body);
  }));
}
function plan(c) {
  const ask = { project: D.project, checkpoint: c.name };
  return later(Promise.all([get('/api/ask/plan', ask), get('/api/ask/diff', ask)]), ([p, d]) => {
    const group = (word, ic, cls, files) => files?.length > 0 && h('div', { class: 'fgroup' }, h('h3', null, icon(ic, cls), t(word), ' ', num(files.length)), h('ul', null, files.slice(0, 300).map(f => h('li', { class: 'file' }, h('div', { class: 'fh' }, h('code', { class: 'grow' }, typeof f === 'string' ? f : f.path || JSON.stringify(f)))))));
    const bar = h('div', { class: 'confirm' });
    const stage = (...parts) => bar.replaceChildren(...parts);
    const keep = () => stage(h('button', { class: 'btn primary', disabled: !p.written?.length && !p.deleted?.length, onclick: sure }, icon('undo'), t('Bring this back')), h('span', { class: 's m grow' }, p.written?.length || p.deleted?.length ? t('What is there now is saved first, so this can be undone.') : t('Nothing would change')), h('code', { class: 's' }, 'moai checkpoint restore ' + c.name));
    const sure = () => { bar.classList.add('sure'); const yes = h('button', { class: 'btn primary', onclick: go }, t('Yes, bring it back')); stage(yes, h('button', { class: 'btn', 'data-act': 'keep', onclick: () => { bar.classList.remove('sure'); keep(); $('.btn', bar).focus(); } }, t('Keep as it is'))); yes.focus(); };
    const go = async e => { e.currentTarget.disabled = true; try { const done = await post('/api/restore', { project: D.project, checkpoint: c.name, delete_new: false, refs: false }); say(t('Brought back')); $('#say').textContent = t('Brought back'); bar.classList.remove('sure'); stage(h('b', null, t('Brought back'), ': ', num(done.written?.length), ' ', t('files')), done.undo || done.safety ? copyline('moai checkpoint restore ' + (done.safety || done.undo)) : '', h('button', { class: 'btn', onclick: () => V.again() }, t('Show'))); $('.btn', bar).focus(); } catch (err) { stage(fault(err)); } };
    keep();
    return h('div', { class: 'uplan' }, h('div', { class: 'ubody' }, h('div', { class: 'uhead' }, h('h2', null, c.operation), h('p', { class: 'sum' }, h('span', null, h('b', null, num(p.written?.length)), t('written')), h('span', null, h('b', null, num(p.deleted?.length)), t('deleted')), h('span', null, h('b', null, num(p.kept?.length)), t('kept')))),
      h('div', { class: 'umain' }, group('written', 'undo', 'snap', p.written), group('deleted', 'minus', 'deny', p.deleted), group('kept', 'keep', '', p.kept), h('div', { class: 'fgroup' }, h('h3', null, t('Changes since then')), d.patch ? patch(d.patch) : none()))), bar);
  });
}

/* Guard */
function guard() {
  const vl = h('div', { class: 'gl', role: 'list', 'aria-label': t('Guard') });
  const choose = f => { V.filter = f; V.open = ''; V.again(); };
  return h('div', null, head('Guard', seg('Verdicts', [['', t('All'), !V.filter], ['deny', t('Denied'), V.filter === 'deny', 'deny'], ['ask', t('Asked'), V.filter === 'ask', 'ask'], ['snap', t('Snapshot'), V.filter === 'snap', 'snap']], choose)),
    later(get('/api/decisions', { project: D.project, limit: 1000 }), all => {
      const found = all.filter(d => d.action && (!V.filter || verdictOf(d.action) === V.filter) && matches(d.command, d.summary, (d.rules || []).join(' ')));
      if (!found.length) return empty(all.length ? 'Nothing matches' : 'No verdict yet', all.length ? 'Take a filter away, or clear the search.' : 'What the guard denies, asks about or saves first appears here.');
      const body = h('div', { class: 'gbody' });
      const show = (d, el) => { const shut = V.open === d.id; V.open = shut ? '' : d.id; $('.gpanel', body)?.remove(); for (const x of body.querySelectorAll('.is-sel')) x.classList.remove('is-sel'); body.classList.toggle('open', !shut); if (!shut) { el.classList.add('is-sel'); body.append(verdictPanel(d, () => show(d, el))); } el.focus({ preventScroll: true }); };
      const rowOf = d => { const v = verdictOf(d.action), rule = (d.rules || []).join(', '); return h('div', { class: 'gr', role: 'listitem', 'data-row': '', 'data-key': d.id, 'data-session': d.session_id, 'data-allow': (d.rules || [])[0], tabindex: '-1', 'aria-label': `${hm(ms(d.created_at))}, ${v}, ${d.command || d.summary}`, onclick: e => show(d, e.currentTarget) },
        h('span', { class: 'gt s mm' }, hm(ms(d.created_at))), verdict(v), h('div', { class: 'gm' }, h('div', { class: 'cmd' }, h('span', { class: 'hit ' + v }, (d.command || d.summary).slice(0, 2000))), h('div', { class: 'line2' }, h('code', null, rule), h('span', null, d.tool || ''))), h('div', { class: 'gw s m' }, d.session_id && badge(letter(d.session_id)), ' ', live(ms(d.created_at)))); };
      let shown = 0;
      const add = () => { vl.append(...found.slice(shown, shown += 100).map(rowOf)); more.hidden = shown >= found.length; };
      const more = h('button', { class: 'btn', onclick: () => add() }, t('more'));
      add();
      body.append(h('div', null, vl, more));
      return body;
    }));
}
const quote = s => "'" + String(s).replaceAll("'", `'\\''`) + "'";
function verdictPanel(d, close) {
  const v = verdictOf(d.action), rule = (d.rules || [])[0];
  const kv = (word, value) => value ? [h('dt', null, t(word)), h('dd', null, value)] : [];
  return h('aside', { class: 'panel gpanel', 'aria-label': t('Details') }, h('div', { class: 'ph' }, h('div', null, verdict(v), h('h2', { class: 'mono' }, (d.rules || []).join(', '))), h('button', { class: 'btn sm quiet icon', 'data-act': 'close', 'aria-label': t('Close'), onclick: close }, icon('x'))),
    h('pre', { class: 'copyline pre' }, h('code', null, d.command || d.summary)), h('dl', { class: 'kv' }, kv('why', d.summary), kv('answer', d.answer), kv('tool', d.tool), kv('who', d.session_id && `${t('Session')} ${letter(d.session_id)}`), kv('exceptions', (d.exceptions || []).join(', '))),
    rule && [h('h3', null, t('Allow it once')), copyline(`moai risk allow ${rule} --once --reason ''`), h('p', { class: 'xs m' }, t('Run it in your own terminal. This page never grants anything, and neither can an agent.'))], d.command && [h('h3', null, t('Why exactly')), copyline('moai risk check --explain ' + quote(d.command))]);
}

/* Agents */
function agents() {
  return h('div', null, head('Agents'), later(get('/api/agents', { project: D.project, limit: 1000 }), all => {
    if (!all.length) return empty('No sub-agent ran yet', '');
    const end = Date.now(), from = end - 18e5, recent = all.filter(a => ms(a.ended_at) > from || !a.ended_at && ms(a.began_at) > from), place = at => Math.max(0, Math.min(100, (at - from) / 18e3));
    const bar = a => { const b = place(ms(a.began_at) || ms(a.ended_at)), e = a.ended_at ? place(ms(a.ended_at)) : 100; return h('div', { class: 'gb ' + (a.error ? 'fail' : a.empty ? 'none' : a.ended_at ? '' : 'run'), style: { left: b + '%', width: Math.max(.4, e - b) + '%' }, title: `${a.agent_type || a.id}: ${run((a.ended_at ? ms(a.ended_at) : end) / 1000 - ms(a.began_at) / 1000)}` }); };
    const sessions = [...new Set(recent.map(a => a.session_id))];
    const types = [...Map.groupBy(all, a => a.agent_type || '–')].map(([type, runs]) => { const took = runs.filter(a => a.began_at && a.ended_at).map(a => (ms(a.ended_at) - ms(a.began_at)) / 1000).sort((x, y) => x - y), q = p => took.length ? run(took[Math.min(took.length - 1, Math.floor(took.length * p))]) : '–'; return h('tr', null, h('th', { scope: 'row' }, type), h('td', { class: 'num' }, num(runs.length)), h('td', { class: 'num' }, q(.5)), h('td', { class: 'num' }, q(.95)), h('td', { class: 'num' }, num(runs.filter(a => a.error).length)), h('td', { class: 'num' }, num(runs.filter(a => a.empty).length)), h('td', { class: 'num' }, num(runs.reduce((n, a) => n + (a.tokens || 0), 0)))); });
    return h('div', null, h('div', { class: 'gantt' }, h('div', { class: 'gx' }, h('span'), h('div', { class: 'gtrack' }, ['−30 min', '−20', '−10', t('Now')].map((w, i) => h('span', { style: { left: i * 33.3 + '%' } }, w)))),
      sessions.map(s => [h('div', { class: 'ga main' }, h('div', { class: 'lab' }, badge(letter(s))), h('div', { class: 'gtrack' })), recent.filter(a => a.session_id === s).slice(0, 40).map(a => h('div', { class: 'ga', 'data-row': '', tabindex: '-1', 'data-key': a.id, 'data-session': s, 'aria-label': `${a.agent_type || a.id}, ${t(a.error ? 'failed' : a.empty ? 'no answer' : a.ended_at ? 'done' : 'running')}` }, h('div', { class: 'lab' }, h('span', { class: 'cut' }, a.agent_type || a.id)), h('div', { class: 'gtrack' }, bar(a))))])), table('Agents', ['Type', '#Runs', '#p50', '#p95', '#Failed', '#Empty', '#Tokens'], types));
  }));
}

/* Verification */
function verification() {
  return h('div', null, head('Verification'), later(get('/api/verifications', { project: D.project, limit: 500 }), all => {
    const found = all.filter(x => matches(x.summary, x.agent));
    if (!found.length) return empty('Nobody has looked at work yet', '', ['Open', 'moai init --verify']);
    return table('Verification', ['When', 'Session', 'Verifier', 'Found', '#Files', 'What'], found.map(x => h('tr', { 'data-row': '', tabindex: '-1', 'data-key': x.id, 'data-session': x.session_id }, h('td', { class: 'nw m' }, hm(ms(x.created_at)), ' · ', live(ms(x.created_at))), h('td', null, x.session_id && badge(letter(x.session_id)), ' ', num(x.turn)), h('th', { scope: 'row' }, x.agent || t('nobody looked')),
      h('td', null, h('span', { class: 'verdict ' + (x.found === 'passed' ? 'ok' : x.found === 'blockers' ? 'deny' : 'ask') }, icon(x.found === 'passed' ? 'ok' : x.found === 'blockers' ? 'deny' : 'ask'), x.found || x.does || '')), h('td', { class: 'num' }, num(x.files)), h('td', { class: 'm' }, x.why || x.summary))));
  }));
}

/* Ports: one column a status */
function ports() {
  return h('div', null, head('Ports'), later(get('/api/ports', { project: D.project }), all => {
    const runs = new Map((D.sessions || []).filter(s => s.port_id && s.state !== 'gone').map(s => [s.port_id, s]));
    const found = all.filter(p => matches(p.id, p.title));
    if (!found.length) return empty('No port yet', 'A port is a unit of work.', ['Open', "moai port create --title 'First port'"]);
    const status = p => runs.has(p.id) && p.status === 'pending' ? 'running' : p.status, columns = ['blocked', 'pending', 'running', 'complete'], ic = { complete: 'ok', running: 'working', blocked: 'deny', pending: 'idle' };
    const card = p => h('button', { class: `pn ${status(p)}${V.arg === p.id ? ' is-sel' : ''}`, 'data-row': '', 'data-key': p.id, onclick: () => { location.hash = 'ports/' + encodeURIComponent(p.id); } }, h('span', { class: 'row' }, icon(ic[status(p)]), h('span', { class: 'mono cut' }, p.id), runs.has(p.id) && badge(letter(runs.get(p.id).id))), h('span', { class: 'cut s' }, p.title));
    return h('div', null, h('div', { class: 'dag', tabindex: '0', role: 'region', 'aria-label': t('Ports') }, h('div', { class: 'cols' }, columns.map(c => h('div', { class: 'col' }, h('h2', null, t(c), ' ', h('span', { class: 'mm' }, num(found.filter(p => status(p) === c).length))), found.filter(p => status(p) === c).slice(0, 100).map(card))))),
      table('Ports', ['Port', 'Title', 'Status', 'Needs', 'why'], found.map(p => h('tr', { class: V.arg === p.id ? 'is-sel' : null }, h('th', { scope: 'row', class: 'mono' }, p.id), h('td', null, p.title), h('td', { class: 'nw' }, icon(ic[status(p)] || 'x'), ' ', t(status(p))), h('td', { class: 'mono' }, (p.needs || []).join(' ') || '–'), h('td', { class: 'm' }, p.why || '–')))));
  }));
}

/* Project and Doctor: moai's own answers */
function project() {
  if (!D.project) return aboutOne('Project');
  const ask = what => get('/api/ask/' + what, { project: D.project });
  return h('div', null, head('Project'), later(ask('detect'), d => {
    const langs = (d.languages || []).slice(0, 12), tools = Object.entries(d.tools || {}).flatMap(([use, one]) => [].concat(one || []).map(x => [use, typeof x === 'string' ? { name: x } : x]));
    return h('div', null, h('div', { class: 'pad' }, h('h2', null, t('Languages')), h('ul', { class: 'langs' }, langs.map(l => h('li', null, h('b', null, l.name || l.id || ''), h('span', { class: 'm' }, l.version?.value || l.version || '', l.share ? ` ${Math.round(l.share * 100)} %` : ''))), !langs.length && none())),
      table('Tools', ['Tools', 'For', 'Evidence'], tools.map(([use, x]) => h('tr', null, h('th', { scope: 'row' }, x.name || x.id || x.tool || JSON.stringify(x)), h('td', { class: 'm' }, use.replace('_', ' ')), h('td', { class: 'm' }, [].concat(x.evidence || x.why || []).map(e => typeof e === 'string' ? e : e.path || e.text || '').join(', ') || '–')))));
  }), h('div', { class: 'pad sec' }, h('h2', null, 'SPEC')), later(ask('specs'), all => { const l = Array.isArray(all) ? all : all.specs || []; return l.length ? table('SPEC', ['Title', 'Status'], l.map(s => h('tr', null, h('th', { scope: 'row', class: 'mono' }, s.id || s.dir || ''), h('td', { class: 'm' }, s.status || '')))) : h('div', { class: 'note' }, t('Nothing to show yet')); }),
    h('div', { class: 'pad sec' }, h('h2', null, t('TAG chains'))), later(ask('tags'), r => { const l = r.problems || r.findings || r.chains || (Array.isArray(r) ? r : []); return l.length ? table('TAG chains', ['What', 'Detail'], l.slice(0, 200).map(x => h('tr', null, h('th', { scope: 'row', class: 'mono' }, x.tag || x.id || x.kind || ''), h('td', { class: 'm' }, x.text || x.message || x.why || x.path || '')))) : h('div', { class: 'note' }, t('no gap')); }));
}
function doctor() {
  if (!D.project) return aboutOne('Doctor');
  return h('div', null, head('Doctor', h('span', { class: 's m' }, t('moai answers in a moment'))), later(get('/api/ask/doctor', { project: D.project }), all => table('Doctor', ['Check', 'State', 'Detail', 'Fix'], all.map(c => { const ok = c.status === 'ok', bad = c.status === 'fail'; return h('tr', { 'data-row': '', tabindex: '-1', 'data-key': c.id }, h('th', { scope: 'row' }, c.id), h('td', null, h('span', { class: 'verdict ' + (ok ? 'ok' : bad ? 'deny' : 'ask') }, icon(ok ? 'ok' : bad ? 'deny' : 'ask'), c.status)), h('td', { class: 'm' }, c.detail), h('td', null, c.fix ? copyline(c.fix) : '')); }))));
}

export const views = { now, timeline, undo, guard, agents, verification, ports, project, doctor };
export const NAMES = { now: 'Now', timeline: 'Timeline', undo: 'Undo', guard: 'Guard', agents: 'Agents', verification: 'Verification', ports: 'Ports', project: 'Project', doctor: 'Doctor' };
