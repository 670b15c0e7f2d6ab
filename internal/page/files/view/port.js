// One port: how it stands, what it lacks, what is known of it, and how it is moved.
import { h, icon, ms, num, run, live, copyline, word } from '../dom.js';
import { D, get, post } from '../data.js';
import { told } from '../said.js';
import { t } from '../words.js';
import { V, none, sure, badge, there } from './base.js';
import { drawer, kv, part } from './drawer.js';

// STATE is each state in a word, its icon and its colour.
export const STATE = {
  blocked: ['Blocked', 'deny', 'deny'], running: ['Running', 'working', ''], ready: ['Ready', 'chev', ''], pending: ['Pending', 'idle', ''],
  complete: ['Complete', 'ok', 'ok'], unverified: ['Ended unverified', 'warn', 'ask'], dropped: ['Dropped', 'x', ''],
};
// cameOf is the state of a port; one that ended without tests or verifiers is not shown as one that ended green.
export const cameOf = p => (p.state === 'complete' && p.proof && !p.proof.verified ? 'unverified' : STATE[p.state] ? p.state : 'pending');
export const lacksOf = p => p.proof?.missing || [];

const nameIn = key => (D.project ? key : key.slice(key.indexOf('/') + 1));
export const codes = keys => keys.flatMap((key, i) => [i > 0 && ', ', h('code', null, nameIn(key))]);

// startOf is the command that runs a port; it is copied with what leads to the folder of its project.
export const startOf = p => 'moai port start ' + (p.id.startsWith('-') ? '-- ' : '') + word(p.id);

/* moving */
const MOVES = [
  { move: 'end', word: 'complete', from: ['running', 'ready', 'pending'], note: 'It ends unverified where tests or verifiers are missing.' },
  { move: 'block', word: 'blocked', from: ['running', 'ready', 'pending'], why: true, note: 'It cannot go on until somebody says so.' },
  { move: 'unblock', word: 'ready', from: ['blocked'], note: 'It can go on.' },
  { move: 'drop', word: 'dropped', from: ['running', 'ready', 'pending', 'blocked'], why: true, note: 'What waits for it waits no more. Nothing is deleted.' },
  { move: 'reopen', word: 'pending', from: ['complete', 'dropped'], note: 'It is to be done again.' },
];

// moved is what the last move came to: it stands in the drawer of its port until another is chosen.
let moved = null;

// mover is the menu that moves a port. A session starts one: the page shows the command.
function mover(p, again) {
  if (moved?.key !== p.key) moved = null;
  const ways = MOVES.filter(m => m.from.includes(p.state)), bar = h('div', { class: 'grow' }, moved?.parts());
  const why = h('input', { disabled: D.me.demo, 'aria-label': t('Why'), placeholder: t('Why'), maxlength: 300 });
  why.hidden = true;
  const draw = () => {
    const m = ways.find(x => x.move === menu.value), to = m && { p: p.id, s: t(m.word) };
    why.hidden = !m?.why;
    if (!m) return bar.replaceChildren();
    bar.replaceChildren(sure({
      button: t('Move {p} to: {s}', to), question: t('Move {p} to: {s}?', to), yes: t('Yes, move it'), note: t(m.note), mark: 'ports',
      act: async () => {
        const got = await post('/api/port', { project: p.project, port: p.id, move: m.move, why: m.why ? why.value : '' });
        if (got.answer === 'no') throw new Error(got.error);
        return got;
      },
      done: got => {
        moved = { key: p.key, parts: () => [h('span', { class: 'ok b row', tabindex: '-1', 'data-key': 'moved' }, icon('ok'), t('{p} is moved', { p: p.id })), h('span', { class: 'm s grow' }, (got.proof?.missing || []).join('; '))] };
        again();
        return moved.parts();
      },
    }));
  };
  const menu = h('select', { disabled: D.me.demo, 'aria-label': t('Move to…'), onchange: draw }, h('option', { value: '' }, t('choose…')), ways.map(m => h('option', { value: m.move }, t(m.word))));
  return h('section', { class: 'mover row', 'aria-label': t('Move to…') }, h('b', null, t('Move to…')), menu, why, bar);
}

/* what is known of it */
const sessions = runs => h('ul', { class: 'pruns' }, runs.map(r => h('li', { class: 'row' }, h('button', { class: 'btn sm', 'aria-label': t('Turns of this session'), onclick: () => V.turnsOf(r.session) }, badge(r.session)),
  h('span', { class: 's m' }, live(ms(r.from)), r.until && [' – ', live(ms(r.until))], !r.until && [' · ', t('goes on')], r.branch && [' · ', h('code', null, r.branch)]))));

function more(p) {
  const proof = p.proof, lacks = lacksOf(p);
  return [
    p.text && part('What is to be done', h('p', { class: 's ptext' }, p.text)), p.why && part('Why', h('p', { class: 's' }, p.why)),
    part('Before it ends green', lacks.length ? h('ul', { class: 's' }, lacks.map(x => h('li', { class: 'ask' }, icon('warn'), ' ', told(x)))) : h('p', { class: 's' }, proof?.verified ? [icon('ok', 'ok'), ' ', t('tests and verdict green')] : t('not started'))),
    p.files?.length > 0 && part('Files', h('ul', { class: 's' }, p.files.map(f => h('li', null, h('code', null, f))))),
    p.runs?.length > 0 && part('Sessions', sessions(p.runs)),
    p.tasks?.length > 0 && part('Tasks', h('ul', { class: 's' }, p.tasks.map(x => h('li', null, x.text || x.title || x.subject || x.id)))),
    proof && h('dl', { class: 'kv' }, kv('Time', run(proof.seconds || 0)), kv('Turns', num(proof.turns)), kv('Tokens', num(proof.tokens)), kv('Files', num(proof.files)), kv('Commits', num(proof.commits)), kv('Snapshots', num(proof.snapshots))),
  ];
}

// panel shows what the list has of a port at once, and what moai itself tells of it when that is there.
export function panel(p, list, close, again) {
  const [name, ic, cls] = STATE[cameOf(p)], needed = list.filter(x => x.needs.includes(p.key)).map(x => x.key), body = h('div', { class: 'pmore' }, more(p));
  get('/api/ask/port', { project: p.project, port: p.id }).then(got => body.replaceChildren(...[more({ ...p, ...got, key: p.key })].flat(9).filter(Boolean)), () => {}); // the list has the main things
  return drawer(h('span', { class: 'row ' + (cls && cls + ' b') }, icon(ic), t(name)), p.title, close,
    h('dl', { class: 'kv' }, kv('Port', h('code', null, p.id)), kv('Waits for', p.waits.length ? codes(p.waits) : t('nothing')), kv('Needed by', needed.length ? codes(needed) : none()),
      kv('Found in', p.found_in && h('code', null, p.found_in)), kv('Part of', p.parent && h('code', null, p.parent)), kv('Made', p.created_at && live(ms(p.created_at))), kv('Ended', p.ended_at && live(ms(p.ended_at))), kv('File', p.file && h('code', null, p.file))),
    p.state === 'ready' && part('Begin it', copyline(startOf(p), there(p.project))), body, mover(p, again));
}
