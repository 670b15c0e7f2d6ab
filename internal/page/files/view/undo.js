// Undo: what each turn of a session did, the plan of taking it back, and the doing of it. Both are moai's own.
import { h, $, icon, ms, num, live, say, size, fileName, copyline, head, empty, patch, backwards, word } from '../dom.js';
import { D, get, post, letter, letterOf, byLetter, refreshTurns, listOf } from '../data.js';
import { t, tn } from '../words.js';
import { told as reason } from '../said.js';
import { V, matches, none, later, sure, aboutOne, fact, badge, ageOf, lastEvent, there } from './base.js';
import { kept } from './drawer.js';

// GROUPS are what a plan does to files, in the order in which people ask about it.
const GROUPS = [
  ['brings back', 'Come back', 'plus', 'ok'], ['writes', 'Written as they were', 'undo', 'snap'], ['deletes', 'Go: this session made them', 'minus', 'deny'],
  ['merges', 'Merged line by line', 'merge', 'm'], ['mode', 'Permissions only', 'keep', 'm'],
];

// whose names the session of a reason by its letter.
const SINCE = /^(?:session ([\w-]{8,})|somebody else) has changed it since$/;
function whose(why) {
  const by = why.match(SINCE);
  if (by) return by[1] ? t('changed since by {s}', { s: `${t('Session')} ${letterOf(by[1])}` }) : t('changed since by somebody else');
  return why.replace(/session ([\w-]{8,})/g, (_, id) => `${t('Session')} ${letterOf(id)}`);
}
const counts = p => p.added + p.removed > 0 && h('span', { class: 's nw' }, h('span', { class: 'plus' }, '+' + num(p.added)), ' ', h('span', { class: 'minus' }, '−' + num(p.removed)));
const fileRow = (ic, cls, name, ...more) => h('div', { class: 'file' }, h('div', { class: 'fh' }, icon(ic, cls), h('code', { class: 'grow cut', title: fileName(name) }, fileName(name)), ...more));

function group(title, rows) {
  const most = 300, over = rows.length - most;
  return rows.length > 0 && h('div', { class: 'fgroup' }, h('h3', null, t(title), ' ', h('span', { class: 'mm' }, num(rows.length))), rows.slice(0, most),
    over > 0 && h('p', { class: 's m' }, t('and {n} more', { n: over })));
}

/* turns */
function turnPlan(turn) {
  const ask = { project: D.project, session: turn.session, to: turn.id };
  return kept(() => get('/api/ask/undo', ask), p => {
    const of = does => (p.paths || []).filter(x => x.does === does), force = `${there(D.project)}moai undo --to ${turn.id} --session ${turn.session} --force`;
    const refs = [...(p.refs || []), ...(p.index ? [t('the index goes back')] : []), ...(p.vault || []).map(x => t('{f} comes from the vault', { f: x }))];
    const changed = new Set((p.paths || []).map(x => x.path)), left = (p.kept || []).filter(f => !changed.has(f.path)); // what is merged keeps a part of it
    const beyond = [...(p.gone || []).map(f => t('{f}: gone, and Git ignores it', { f })), ...(p.changed || []).map(f => t('{f}: written to since', { f })), ...(p.pushed || [])];
    const partly = new Map((p.kept || []).map(f => [f.path, f.why]));
    const many = (p.paths || []).length, folders = p.folders || [], changes = many + refs.length + folders.length > 0;
    return h('div', { class: 'uplan' },
      h('div', { class: 'ubody' },
        h('div', { class: 'uhead' }, h('h2', null, t('Back to before “{p}”', { p: turn.prompt || t('no prompt') })), h('p', { class: 's m' }, t('Other sessions’ work is never touched.')),
          p.running && h('p', { class: 's ask row' }, icon('warn'), h('span', null, goOn(turn, p.running))),
          h('p', { class: 'sum' }, GROUPS.map(([does, word, ic, cls]) => of(does).length > 0 && h('span', { class: cls }, icon(ic), h('b', null, num(of(does).length)), ' ', t(word))),
            left.length > 0 && h('span', { class: 'ask' }, icon('keep'), h('b', null, num(left.length)), ' ', t('kept as they are')), !changes && t('Nothing would change'))),
        h('div', { class: 'uside' },
          p.cannot_be_undone?.length > 0 && h('div', { class: 'cannot' }, h('h2', { class: 'row' }, icon('warn', 'ask'), t('Cannot be undone')),
            h('ul', null, p.cannot_be_undone.map(c => h('li', null, icon('proc', 'm'), h('code', null, c))))),
          beyond.length > 0 && h('div', null, h('h3', { class: 'm' }, t('Not taken back')), h('ul', null, beyond.map(x => h('li', { class: 's' }, x)))),
          stillRuns(turn),
          p.elsewhere?.length > 0 && h('div', null, h('h3', { class: 'm' }, t('Also changed elsewhere')), p.elsewhere.map(w => [h('p', { class: 's' }, num(w.files), ' ', tn(w.files, 'files'), ' · ', h('code', null, w.dir)), w.command ? copyline(w.command) : h('p', { class: 's m' }, t('No snapshot is there.'))])),
          p.work_trees?.length > 0 && h('div', null, h('h3', { class: 'm' }, t('Work trees that are gone')), p.work_trees.map(w => [h('p', { class: 's' }, h('code', null, w.path)), copyline(w.command)])),
          folders.length > 0 && h('div', null, h('h3', { class: 'm' }, t('Folders and permissions')), h('ul', null, folders.map(f => h('li', { class: 's' }, h('code', null, f))))),
          refs.length > 0 && h('div', null, h('h3', { class: 'm' }, t('References')), h('ul', null, refs.map(r => h('li', { class: 's' }, r))))),
        h('div', { class: 'umain' },
          GROUPS.map(([does, word, ic, cls]) => group(word, of(does).map(f => fileRow(ic, cls, f.path, partly.has(f.path) && h('span', { class: 's ask' }, icon('keep'), ' ', t('kept in part'), ': ', whose(partly.get(f.path))), counts(f))))),
          group('Kept as they are', left.map(f => fileRow('keep', 'ask', f.path, h('span', { class: 's m' }, whose(f.why)),
            h('button', { class: 'btn sm quiet', 'data-copy': `${force} --file ${word(f.path)}` }, icon('copy'), t('Copy the command to force it'))))),
          many > 0 && turnDiff(ask))),
      turnBar(turn, changes, many, (p.refs || []).length, p.running));
  }).el;
}

// stillRuns tells of processes that began since the turn did: no undo ends them. Whose they are, nothing tells.
function stillRuns(turn) {
  if (!turn.began_at) return null;
  const at = h('div', null), ports = x => x.ports.map(port => [' · ', t('port {n}', { n: port })]);
  const one = x => h('li', null, icon('proc', 'm'), h('span', null, h('code', null, x.command), h('span', { class: 's m' }, ' · ', t('process {n}', { n: x.pid }), ports(x))));
  get('/api/left', { project: D.project, session: turn.session, since: turn.began_at }).then(all => {
    if (all.length) at.append(h('div', { class: 'cannot' }, h('h2', { class: 'row' }, icon('warn', 'ask'), t('Begun here since then, and still running')), h('ul', null, all.map(one))));
  }, () => {}); // nothing that the plan needs
  return at;
}

// goOn names the sessions that are in the middle of a turn in the folder of one: moai's answer names the first.
function goOn(turn, first) {
  const tree = D.sessions?.find(s => s.id === first)?.worktree, others = (D.sessions || []).filter(s => s.worktree === tree && ['waiting', 'working', 'stale'].includes(s.state)).map(s => s.id);
  const names = [...new Set([first, ...others])].map(letterOf).sort(byLetter);
  return names.length > 1 ? t('Sessions {s} are in the middle of a turn and go on with the files.', { s: names.join(', ') }) : t('Session {s} is in the middle of a turn and goes on with the files.', { s: names[0] });
}

// turnDiff shows what the undo does, line by line.
const turnDiff = ask => h('div', { class: 'fgroup' }, h('h3', null, t('What the undo does, line by line: + comes back, − goes')), later(get('/api/ask/lines', ask), d => patch(d.patch)));

function way(text, paths) {
  const back = backwards(text, new Set(paths));
  return back.trim() ? patch(back) : none();
}

// told is what the last change came to: it stands above the list of plans until another is chosen.
let told = null;
function tell(...parts) {
  told = h('div', { class: 'confirm news' }, parts.filter(Boolean));
  V.again();
  return [];
}

function turnBar(turn, changes, many, refs, running) {
  return sure({
    button: changes && t(turn === newest(turn.session) ? 'Undo this turn' : 'Undo back to here'),
    question: (running ? goOn(turn, running) + ' ' : '')
      + (refs ? t('Change {n} files and {k} references now?', { n: num(many), k: num(refs) }) : t('Change {n} files now?', { n: num(many) })), yes: t('Yes, undo'),
    note: t('An undo is a step itself: redo takes it back.'),
    aside: h('button', { class: 'btn', 'data-copy': `${there(D.project)}moai undo --to ${turn.id} --session ${turn.session} --dry-run` }, icon('copy'), t('Copy dry run')),
    act: () => post('/api/undo', { project: D.project, session: turn.session, to: turn.id, redo: false, running: !!running }),
    done: done => undone(turn, done),
  });
}

// redo brings again what the last undo of a session has taken back.
const redo = turn => h('button', { class: 'btn', disabled: D.me.demo, onclick: async e => {
  const button = e.currentTarget;
  if (!button.dataset.sure) { // a word first, as with an undo
    button.dataset.sure = 'yes';
    button.replaceChildren(icon('undo', 'flip'), t('Redo now?'));
    return;
  }
  button.disabled = true;
  try {
    await post('/api/undo', { project: D.project, session: turn.session, to: '', redo: true, running: true });
    say(t('Redone'));
  } catch (err) { say(err.message); }
  V.arg = turn.id;
  await refreshTurns(true);
  V.again();
} }, icon('undo', 'flip'), t('Redo'));

function undonePlan(turn) {
  return h('div', { class: 'uplan' }, h('div', { class: 'ubody' }, h('div', { class: 'uhead' }, h('h2', null, turn.prompt || t('no prompt')), h('p', { class: 'sum' }, t('This turn is undone.'))),
    turn.from && turn.to && h('div', { class: 'umain' }, h('div', { class: 'fgroup' }, h('h3', null, t('What changed here during this turn, by whomever')), later(get('/api/diff', { project: D.project, from: turn.from, to: turn.to }), d => (d.patch ? patch(d.patch) : none()))))),
    h('div', { class: 'confirm' }, redo(turn), h('span', { class: 's m grow' }, t('Redo brings again what was taken back last.'))));
}

const undoneWords = (files, left) => [t(files ? 'Undone: {n} files' : 'Nothing was undone', { n: num(files) }), left > 0 && t('{n} files kept as they are', { n: num(left) })].filter(Boolean).join(' · ');

function undone(turn, done) {
  const failed = done.failed?.length > 0;
  V.arg = turn.id;
  return tell(h('span', { class: failed ? 'deny b row' : 'ok b row' }, icon(failed ? 'fail' : 'ok'), failed ? t('Not taken back: {f}', { f: done.failed.slice(0, 3).join(' · ') + (done.failed.length > 3 ? ' …' : '') })
      : undoneWords((done.paths || []).length, (done.kept || []).length)),
  (done.refs?.length > 0 || done.index) && h('span', { class: 's m' }, t('References'), ': ', [...done.refs || [], ...(done.index ? [t('the index goes back')] : [])].join(' · ')));
}
const newest = session => D.turns.find(u => u.session === session && !u.undone);

// did is how much a turn changed.
const did = ({ changes: c }) => c?.files > 0 && h('span', { class: 'nw' }, t('{n} files', { n: num(c.files) }), ' ', counts(c));

function turnRow(turn, choose) {
  const words = turn.prompt || t('no prompt');
  if (turn.no_snapshot) return h('div', { class: 'ut hole' }, icon('warn', 'ask'), h('span', { class: 's' }, words, h('span', { class: 'mm block' }, t('No snapshot'), ': ', reason(turn.no_snapshot))), h('span', { class: 's mm nw' }, ageOf(turn)));
  return h('button', { class: turn.undone ? 'ut over' : 'ut', 'data-row': '', 'data-key': turn.id, 'data-session': turn.session, 'data-undone': turn.undone ? 'undone' : null, onclick: e => choose(() => (turn.undone ? undonePlan(turn) : turnPlan(turn)), e.currentTarget) },
    icon('timeline', 'mm'), h('span', { class: 'cut', title: words }, words), h('span', { class: 's mm nw' }, ageOf(turn)),
    h('span', { class: 'sub2' }, turn.undone ? h('span', null, t('undone')) : did(turn), !turn.undone && h('span', { class: 'cut' }, turn.commands.length ? turn.commands.slice().reverse().join(' · ') : turn.to && turn.to !== turn.from ? t('edits of tools') : '–')));
}

/* checkpoints */
// since names the sessions whose tools wrote a file after a time: a snapshot brings back what was there, whosever it is.
function since(file, time) {
  const by = (D.sessions || []).filter(s => s.wrote.some(w => ms(w.at) > ms(time) && (w.path === file || w.path.endsWith('/' + file))));
  return by.length > 0 && h('span', { class: 's ask nw' }, icon('clash'), ' ', t('changed since by {s}', { s: by.map(s => letter(s.id)).join(', ') }));
}

function snapshotPlan(c) {
  const ask = { project: D.project, checkpoint: c.name };
  return kept(() => Promise.all([get('/api/ask/plan', ask), get('/api/ask/diff', ask)]), ([p, d]) => {
    const name = f => (typeof f === 'string' ? f : f.path || JSON.stringify(f)), change = p.written?.length || p.deleted?.length;
    return h('div', { class: 'uplan' },
      h('div', { class: 'ubody' },
        h('div', { class: 'uhead' }, h('h2', null, t('Back to before “{p}”', { p: c.command || c.operation })),
          h('p', { class: 's m' }, t('What was saved then comes back, whoever changed it since; files that are new since then stay. What is there now is saved first.')),
          c.elsewhere && h('p', { class: 's ask row' }, icon('warn'), h('span', null, t('It is of another work tree ({w}), and would be written into this one.', { w: c.elsewhere }))),
          h('p', { class: 'sum' }, fact((p.written || []).length, 'written'), fact((p.deleted || []).length, 'deleted'), fact((p.kept || []).length, 'kept'))),
        h('div', { class: 'umain' },
          group('Written as they were', (p.written || []).map(f => fileRow('undo', 'snap', name(f), since(name(f), c.time)))),
          group('Deleted', (p.deleted || []).map(f => fileRow('minus', 'deny', name(f), since(name(f), c.time)))),
          group('Kept', (p.kept || []).map(f => fileRow('keep', '', name(f)))),
          h('div', { class: 'fgroup' }, h('h3', null, t('What this does, line by line: + comes back, − goes')), way(d.patch, [...p.written || [], ...p.deleted || []].map(name))))),
      sure({
        button: change && t('Bring this back'), question: t('Change {n} files now?', { n: num((p.written || []).length + (p.deleted || []).length) }), yes: t('Yes, bring it back'),
        note: t('What is there now is saved first, so this can be undone.'),
        aside: h('button', { class: 'btn', 'data-copy': there(D.project) + 'moai checkpoint restore --dry-run ' + c.name }, icon('copy'), t('Copy dry run')),
        act: () => post('/api/restore', { project: D.project, checkpoint: c.name, delete_new: false, refs: false }),
        done: done => {
          V.arg = '';
          history.replaceState(null, '', '#undo');
          return tell(h('span', { class: 'ok b row' }, icon('ok'), t('Brought back'), ': ', num((done.written || []).length), ' ', tn((done.written || []).length, 'files')),
            done.safety && h('button', { class: 'btn', onclick: () => { V.arg = done.safety; V.again(); } }, icon('undo'), t('Take this back…')));
        },
      }));
  }).el;
}

function snapshotRow(c, choose) {
  return h('button', { class: 'ut', 'data-row': '', 'data-key': c.name, onclick: e => choose(() => snapshotPlan(c), e.currentTarget) },
    icon('snap', 'snap'), h('span', { class: 'cut', title: c.command }, c.command || c.operation), h('span', { class: 's mm nw' }, live(ms(c.time))),
    h('span', { class: 'sub2' }, h('span', null, ['changed', 'deleted', 'untracked'].filter(x => c.stats[x]).map(x => `${num(c.stats[x])} ${t(x)}`).join(', ') || t('nothing')), c.elsewhere ? h('span', { class: 'ask cut' }, icon('warn'), ' ', c.elsewhere) : c.on && h('span', { class: 'cut' }, c.on)));
}

// sums are what is kept here to go back to.
function sums() {
  const at = h('div', { class: 'grow' }), never = () => h('span', { class: 'm' }, t('Other sessions’ work is never touched.'));
  get('/api/ask/usage', { project: D.project }).then(u => at.replaceChildren(h('p', { class: 'facts' }, fact(u.checkpoints, 'snapshots'), fact(u.steps, 'steps of turns'), h('span', null, h('b', null, size(u.bytes + (u.vault_bytes || 0)))),
    ms(u.oldest) > 0 && h('span', null, t('oldest'), ' ', live(ms(u.oldest))), never())), () => at.replaceChildren(h('p', { class: 'facts' }, never())));
  return at;
}

export function undo() {
  if (!D.project) return aboutOne('Undo');
  const body = h('section', { class: 'uplan', 'aria-label': t('Plan') }, h('div', { class: 'note' }, t('Choose a turn or a snapshot: its plan is shown, and nothing is done before you say so twice.')));
  const list = h('div', { class: 'ulist', role: 'group', 'aria-label': t('Turns and snapshots') }), root = h('div', { class: 'undo' }, list, body);
  let chosen = '', news = told, begun = false, anew = !!told;
  told = null;
  // choose shows a plan, which keeps itself up; the same row once more leads to its button.
  const nameOf = el => el.dataset.key + (el.dataset.undone || '');
  const choose = (plan, el) => {
    const same = chosen === nameOf(el);
    for (const x of list.querySelectorAll('[aria-current]')) x.removeAttribute('aria-current');
    el.setAttribute('aria-current', 'true');
    if (same) return $('.confirm button', body)?.focus();
    chosen = nameOf(el);
    V.arg = el.dataset.key; // is chosen again when the view is drawn anew
    history.replaceState(null, '', '#undo/' + encodeURIComponent(V.arg));
    body.replaceChildren(...[news, plan()].filter(Boolean));
    el.scrollIntoView({ block: 'nearest' }); // a narrow page makes room for the plan: the list is lower then
    news = null;
  };
  const fits = key => V.arg && (key === V.arg || key.endsWith('/' + V.arg)), wantedRow = () => [...list.querySelectorAll('.ut[data-key]')].find(x => fits(x.dataset.key));
  const first = () => {
    const wanted = wantedRow(), came = news;
    if (V.arg && !wanted) body.replaceChildren(h('div', { class: 'note', role: 'alert' }, t('There is no such turn or snapshot here: {x}', { x: V.arg })));
    if (news && !wanted) {
      body.prepend(news);
      news = null;
    }
    queueMicrotask(() => {
      wanted?.click();
      if (document.activeElement === document.body) wanted?.focus({ preventScroll: true });
      if (!came) return;
      $('#say').textContent = came.textContent;
      ($('button', came) || $('.confirm:not(.news) button', body))?.focus();
    });
  };
  const draw = ([turns, all]) => {
    const found = all.filter(c => matches(c.operation, c.name)), mine = turns.filter(u => matches(u.prompt, u.commands.join(' ')));
    if (!found.length && !mine.length) {
      return empty(all.length || turns.length ? 'Nothing matches' : 'Nothing to undo', all.length || turns.length ? 'Take a filter away, or clear the search.'
        : 'A snapshot is taken when a prompt is sent, when a turn ends, and before a command that could lose something.', ['See whether snapshots can be taken here.', 'moai checkpoint usage']);
    }
    list.replaceChildren();
    for (const [session, its] of Map.groupBy(mine, u => u.session)) {
      const s = D.sessions?.find(x => x.id === session);
      list.append(h('h2', null, badge(session), h('span', { class: 'cut' }, s?.prompt || session.slice(0, 8))), ...its.map(u => turnRow(u, choose)));
    }
    if (found.length) list.append(h('h2', null, icon('snap'), t('Snapshots'), ' ', h('span', { class: 'mm' }, num(found.length))), ...found.map(c => snapshotRow(c, choose)));
    const row = wantedRow();
    if (!begun) first();
    else if (row && nameOf(row) === chosen) row.setAttribute('aria-current', 'true');
    else row?.click(); // one that was taken back since has another plan
    begun = true;
    return root;
  };
  const ask = () => {
    const turns = refreshTurns(anew);
    anew = false;
    return Promise.all([turns, get('/api/ask/checkpoints', { project: D.project }).then(listOf)]);
  };
  return h('div', null, head('Undo', sums()), kept(ask, draw, { stamp: lastEvent }).el);
}
