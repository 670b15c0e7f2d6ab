// Verification: which work of the sessions nobody else has looked at, who looked, what they said, and how tests ended.
import { h, icon, ms, hm, num, live, head, empty, table, copyline } from '../dom.js';
import { D, get, letter, unverified } from '../data.js';
import { told } from '../said.js';
import { t } from '../words.js';
import { V, matches, rowOf, none, who, badge, fact, there } from './base.js';
import { beside, drawer, kept, kv, part } from './drawer.js';

// CAME is what a look came to, and what happened at a turn's end without one, in words for people.
const CAME = { passed: ['Passed', 'ok', 'ok'], blockers: ['Must change', 'fail', 'deny'], unable: ['Could not tell', 'warn', 'ask'], block: ['Turn held up', 'warn', 'ask'], warn: ['Only warned', 'warn', 'ask'] };
const WORK = { code: 'code', plan: 'plans' };
const came = x => CAME[x.found || x.does] || [x.found || x.does || '–', 'dot', 'm'];
const cameTo = x => { const [word, ic, cls] = came(x); return h('span', { class: 'verdict ' + cls }, icon(ic), t(word)); };
const by = x => x.agent || t('nobody looked');

// files names the first of some files, and says how many there are. An older moai wrote down their number alone.
function files(paths, n, most) {
  if (!paths.length) return n ? num(n) : none();
  return h('ul', null, paths.slice(0, most).map(f => h('li', null, h('code', null, f))), n > most && h('li', { class: 'm' }, t('and {n} more', { n: n - Math.min(most, paths.length) })));
}

// receipt is how the tests of a session ended last.
const receipt = s => (s?.tests ? h('div', null, h('span', { class: 'verdict ' + (s.tests.passed ? 'ok' : 'deny') }, icon(s.tests.passed ? 'ok' : 'fail'), t(s.tests.passed ? 'Passed' : 'Failed')), ' · ', live(ms(s.tests.at)), s.tests.part && [' · ', t('some of the tests only')], s.wrote.some(w => ms(w.at) > ms(s.tests.at)) && h('span', { class: 'ask' }, ' · ', t('files changed since')),
  h('div', { class: 'm' }, h('code', null, s.tests.command))) : none());

const why = (session, project) => [part('Why exactly', copyline('moai verify why --session ' + session, there(project)))];
const turns = session => h('button', { class: 'btn', onclick: () => V.turnsOf(session) }, icon('timeline'), t('Turns of this session'));

/* work that waits for a look */
const waiting = () => (D.sessions || []).filter(s => s.unverified.length || s.state !== 'gone' && s.tests).filter(s => matches(who(s), ...s.unverified, s.tests?.command));
const MANY = 200; // files that a drawer names
const workPanel = (s, close) => drawer(h('span', { class: 'row' }, badge(s.id), h('span', { class: 'm' }, t('Session'))), who(s), close,
  part('Nobody has looked at', files(s.unverified, s.unverified.length, MANY)), part('Last tests', receipt(s)), why(s.id, s.project), turns(s.id));

const work = (list, open) => [h('h2', { class: 'sech' }, t('Work of sessions')), table('Work of sessions', ['Session', 'Nobody has looked at', 'Last tests'], list.map(s => h('tr', { ...rowOf('open ' + s.id, s.id, who(s)), onclick: e => open('open ' + s.id, e.currentTarget, close => workPanel(s, close)) },
  h('th', { scope: 'row' }, h('span', { class: 'row' }, badge(s.id), h('span', { class: 'cut' }, who(s)))), h('td', null, files(s.unverified, s.unverified.length, 5)), h('td', { class: 'nw' }, receipt(s)))), 'stack looks')];

/* looks */
// state says of a file how it stands now.
const state = (s, file) => (s?.unverified.includes(file) ? h('span', { class: 's ask' }, icon('warn'), ' ', t('nobody has looked at it as it is now')) : '');
function lookPanel(x, close) {
  const s = D.sessions?.find(one => one.id === x.session_id), paths = x.paths || [];
  return drawer(cameTo(x), by(x), close,
    h('dl', { class: 'kv' }, kv('Time', [hm(ms(x.created_at)), ' · ', live(ms(x.created_at))]), kv('Turn', x.session_id && [badge(x.session_id), ' ', t('turn {n}', { n: x.turn })]), kv('Looks at', x.verifies && t(WORK[x.verifies] || x.verifies))),
    x.why && part(x.agent ? 'What it said' : 'Why', h('p', { class: 's' }, x.agent ? x.why : told(x.why))),
    part('Files', paths.length ? h('ul', { class: 'vfiles' }, paths.map(f => h('li', null, h('code', null, f), ' ', state(s, f))), x.files > paths.length && h('li', { class: 'm' }, t('and {n} more', { n: x.files - paths.length }))) : files([], x.files, 0)),
    part('Last tests of this session', receipt(s)), x.session_id && [why(x.session_id, x.project), turns(x.session_id)]);
}

const look = open => x => h('tr', { ...rowOf(x.id, x.session_id, [hm(ms(x.created_at)), x.session_id && `${t('Session')} ${letter(x.session_id)}`, by(x), t(came(x)[0]), (x.paths || []).join(', ')].filter(Boolean).join(', ')), onclick: e => open(x.id, e.currentTarget, close => lookPanel(x, close)) },
  h('td', { class: 'nw m' }, hm(ms(x.created_at)), ' · ', live(ms(x.created_at))),
  h('td', { class: 'nw' }, x.session_id && badge(x.session_id), ' ', t('turn {n}', { n: x.turn })),
  h('th', { scope: 'row' }, by(x)), h('td', null, cameTo(x)), h('td', null, files(x.paths || [], x.files, 2)), h('td', { class: 'm' }, x.agent ? x.why || none() : told(x.why) || none()));

// facts are how looks are set up here: without a verifier nobody can look.
function facts(here) {
  const names = (here?.verifiers || []).map(v => v.name);
  return h('p', { class: 'facts' }, fact(unverified(), 'files unverified', unverified() ? 'ask' : ''), here && h('span', null, h('code', null, 'verify.stop'), ' ', h('b', null, here.mode)),
    here && (names.length ? h('span', null, t('Verifiers here:'), ' ', names.join(', ')) : h('span', { class: 'ask' }, t('No verifier is installed here'))));
}

export function verification() {
  const sums = h('div', { class: 'grow' }, facts(null)), set = h('div', { class: 'pad setup' });
  set.hidden = true;
  if (D.project) {
    get('/api/ask/verify', { project: D.project }).then(here => {
      sums.replaceChildren(facts(here));
      set.hidden = here.verifiers?.length > 0;
      if (!set.hidden) set.replaceChildren(copyline('moai init --verify', there(D.project)));
    }, () => {}); // no session has worked here yet
  }
  const answer = kept(() => get('/api/verifications', { project: D.project, limit: 500 }).then(all => [all, (D.sessions || []).map(s => [s.id, who(s), s.unverified, s.tests, s.state, s.wrote])]), ([all]) => {
    const found = all.filter(x => matches(x.summary, x.agent, x.why, ...(x.paths || []), t(came(x)[0]))), now = waiting(), side = beside();
    if (!found.length && !now.length) {
      return V.q ? empty('Nothing matches', 'Take a filter away, or clear the search.')
        : empty('Nobody has looked at work yet', 'What one agent wrote, another one looks at: looks appear here, turn by turn.', ['Write the verifiers’ definitions.', 'moai init --verify']);
    }
    const make = new Map(), open = (key, row, panel) => side.toggle(key, row, () => panel(() => open(key, row, panel)));
    for (const s of now) make.set('open ' + s.id, close => workPanel(s, close));
    for (const x of found) make.set(x.id, close => lookPanel(x, close));
    side.list.append(...[now.length > 0 && work(now, open), found.length > 0 && [h('h2', { class: 'sech' }, t('Reviews, and turns without one')),
      table('Reviews, and turns without one', ['When', 'Turn', 'Verifier', 'Outcome', 'Files', 'What was said'], found.map(look(open)), 'stack looks')]].flat(9).filter(Boolean));
    const row = make.has(V.open) && side.list.querySelector(`[data-key="${CSS.escape(V.open)}"]`);
    if (row) side.open(V.open, row, make.get(V.open)(() => open(V.open, row, make.get(V.open))));
    return side.body;
  });
  return h('div', null, head('Verification', sums), set, answer.el);
}
