// What every view goes by, and the parts that several of them show.
import { h, $, $$, icon, ms, hm, num, live, say, skeleton, head, empty, word, verdictOf, VERDICT } from '../dom.js';
import { D, nameOf, letter } from '../data.js';
import { t, tn, lang } from '../words.js';

// V is what somebody has chosen: search, what the address names, filters, the open row. The frame sets again, which draws the view anew.
export const V = { q: '', arg: '', filter: '', session: '', open: '', focus: '', beside: false, again: () => {}, choose: () => {}, turnsOf: () => {} };

export const NAMES = {
  now: 'Now', timeline: 'Timeline', undo: 'Undo', guard: 'Guard', agents: 'Agents',
  verification: 'Verification', ports: 'Ports', project: 'Project', doctor: 'Doctor',
};
export const STATE = { waiting: 'Waiting for you', working: 'Working', idle: 'Idle', stale: 'Stale', gone: 'Gone' };

// badge is the letter of a session.
export const badge = session => h('span', { class: 'badge', title: `${t('Session')} ${letter(session)} · ${session.slice(0, 8)}` }, letter(session));

// eventName is how a type of event is told, said what is told behind it: both as its rule has them. A type of an older moai keeps its own name.
// What moai undo did is of one type with restores, and has names of its own: an undo, and the redo of it, are not the same.
export const undid = e => e.event_type === 'checkpoint_restored' && e.details?.branch === 'undo';
// A port that its session has left has not ended.
const leftPort = e => e.event_type === 'port_end' && e.details?.status === 'pending';
export const eventName = e => (leftPort(e) ? t('Port left') : undid(e) ? t(e.details.again ? 'Brought again' : 'Undone') : D.types.get(e.event_type)?.[lang === 'ko' ? 'korean' : 'title'] || e.event_type);

// verdictIn is what an entry of the guard says: one before which there was nothing to save was let through. among are the events around it, the newest first.
function verdictIn(e, among) {
  const v = verdictOf(e.details.action), at = v === 'snap' ? among.findIndex(x => x.id === e.id) : -1;
  const past = at >= 0 ? among.slice(at + 1).filter(x => x.session_id === e.session_id) : [];
  const before = past.find(x => ['decision', 'checkpoint_created', 'user_request'].includes(x.event_type) || ms(e.created_at) - ms(x.created_at) > 60e3);
  return before && before.event_type !== 'checkpoint_created' ? 'ok' : v;
}
const TOOLS = { ExitPlanMode: 'Plan', AskUserQuestion: 'Question' }; // of the client's own that ask a person
const FOUND = { passed: 'Passed', blockers: 'Must change', unable: 'Could not tell' }; // a verifier
export function said(e, among = D.events) {
  if (!e) return '';
  const { action, rules, command, branch, turns, files, tool_name: tool, question, plan } = e.details || {};
  if (e.event_type === 'decision' && action) return [t(VERDICT[verdictIn(e, among)]), command, [].concat(rules || []).join(', ')].filter(Boolean).join(' · ');
  if (e.event_type === 'checkpoint_restored') return undid(e) ? [turns || []].flat().map(n => t('turn {n}', { n })).join(', ') : branch || '';
  if (e.event_type === 'unverified') return files > 0 ? manyOf(files, 'files') : '';
  if (e.event_type === 'turn_end') return '';
  if (e.event_type === 'permission_asked' && (question || plan)) return question || plan.match(/[^#\s].*/)?.[0] || '';
  if (leftPort(e)) return e.details.port_id || '';
  if (e.event_type === 'port_end' && e.details) return `${e.details.port_id}: ${t(e.details.status !== 'complete' ? e.details.status : e.details.verified ? 'complete' : 'ended unverified')}`;
  if (e.event_type === 'permission_asked' && TOOLS[tool]) return t(TOOLS[tool]);
  if (e.event_type === 'verified') return `${e.details.agent}: ${t(FOUND[e.details.found] || e.details.found || '')}, ${manyOf(files, 'files')}`;
  if (e.event_type === 'tool_failed' && e.details.command) return e.details.command;
  const form = D.types.get(e.event_type)?.shows, text = form ? form.replace(/\{(\w+)\}/g, (_, k) => [e.details?.[k] ?? ''].flat().join(', ')).trim() : e.summary;
  return text.toLowerCase() === D.types.get(e.event_type)?.title.toLowerCase() ? '' : text;
}
// partsOf is what a session asks its person: the command and the rule, where the guard asked, else what the client said.
export function partsOf(s) {
  const asked = askedIn(s);
  return s.failed ? { about: s.failed } : asked ? { command: asked.details?.command, about: said(asked) } : { about: said(D.events.find(e => e.session_id === s.id)) || who(s) };
}
export function waitsFor(s) {
  const { command, about } = partsOf(s);
  return [command && h('code', null, command), command && about && ' ', about && h('span', { class: command ? 'mm' : '' }, about)];
}
function askedIn(s) {
  const late = s.asks.filter(e => Date.parse(e.created_at) > Date.parse(s.since) - 60e3), last = late[0], rule = late.find(e => e.event_type === 'escalation');
  return rule && last.details?.command === rule.details?.command ? rule : last; // the client asks about what the guard asked about, too
}
// kindOfWait is what a session waits for: an answer, a yes to a plan, or a permission.
export const kindOfWait = s => (s.failed ? t('Turn failed') : t(TOOLS[askedIn(s)?.details?.tool_name] || 'Permission'));

// markOf is the shape of an event, and its colour: each verdict has its own, and what failed has none of theirs.
const MARKS = { escalation: ['ask', 'ask'], permission_asked: ['ask', 'ask'], checkpoint_created: ['snap', 'snap'], checkpoint_restored: ['undo', 'snap'], verified: ['eye', 'mm'] };
export function markOf(e, among = D.events) {
  const v = e.event_type === 'decision' && e.details?.action ? verdictIn(e, among) : '';
  return v ? [v, v] : MARKS[e.event_type] || (/_failed$/.test(e.event_type) || e.severity === 'error' ? ['fail', 'deny'] : e.severity === 'warn' ? ['warn', 'ask'] : ['dot', 'mm']);
}

export const matches = (...texts) => !V.q || texts.some(x => String(x || '').toLowerCase().includes(V.q.toLowerCase()));
export const who = s => s.prompt || s.branch || s.id.slice(0, 8);
export const none = () => h('span', { class: 'mm' }, '–');
// fact is a number with its word, manyOf the same as text: Korean has the word first.
export const fact = (n, word, cls) => h('span', { class: cls }, ...[h('b', null, num(n)), ' ', tn(n, word)][lang === 'ko' ? 'reverse' : 'slice']());
export const manyOf = (n, word) => [num(n), tn(n, word)][lang === 'ko' ? 'reverse' : 'slice']().join(' ');
export const fault = e => h('div', { class: 'note', role: 'alert' }, e.message);
export const aboutOne = title => h('div', null, head(title), empty('Choose a project', 'This view is about one project.'),
  h('ul', { class: 'pad row wrap' }, D.projects.map(p => h('li', null, h('button', { class: 'btn', title: p.root, 'data-row': '', 'data-key': p.key, onclick: () => V.choose(p.key) }, icon('project'), nameOf(p.key))))));

// later shows the form of what comes at once, and the answer when it is there.
export function later(promise, draw) {
  const el = h('div', null, skeleton());
  promise.then(got => {
    el.replaceChildren(draw(got));
    oneStop(el);
  }).catch(e => el.replaceChildren(fault(e)));
  return el;
}

// oneStop has the Tab key reach the rows of a list, the first of them if none was reached yet.
export function oneStop(list) {
  const rows = $$('[data-row]', list);
  if (rows.length > 0 && !rows.some(row => row.tabIndex === 0)) rows[0].tabIndex = 0;
}

// sure asks twice with one bar: what is to be done, then whether it is meant. Nothing is done before the second answer.
export function sure({ button, question, yes, act, done, note, aside, mark = 'undo' }) {
  const bar = h('div', { class: 'confirm' });
  const plan = focus => {
    bar.classList.remove('sure');
    const first = button ? h('button', { class: D.me.demo ? 'btn' : 'btn primary', disabled: D.me.demo, onclick: ask }, icon(mark), button) : h('b', { class: 'm' }, t('Nothing would change'));
    bar.replaceChildren(...[first, aside, h('span', { class: 's m grow' }, D.me.demo ? t('This is a recorded session: nothing in it can be changed.') : note)].filter(Boolean));
    if (focus) first.focus();
  };
  const ask = () => {
    bar.classList.add('sure');
    const go = h('button', { class: 'btn primary', onclick: run }, yes, ' ', h('kbd', { 'aria-hidden': 'true' }, 'Enter'));
    const keep = h('button', { class: 'btn', 'data-act': 'keep', onclick: () => plan(true) }, t('Keep as it is'), ' ', h('kbd', { 'aria-hidden': 'true' }, 'Esc'));
    bar.replaceChildren(h('b', { class: 'grow' }, question), keep, go);
    go.focus();
  };
  const run = async e => {
    e.currentTarget.disabled = true;
    try {
      const parts = done(await act());
      bar.classList.remove('sure');
      bar.replaceChildren(...parts.filter(Boolean));
      $('#say').textContent = bar.textContent;
      $('button', bar)?.focus();
    } catch (err) {
      bar.classList.remove('sure');
      bar.replaceChildren(fault(err));
      say(err.message);
    }
  };
  plan(false);
  return bar;
}

// rowOf gives an element what a row of a list has: keys reach it, and it keeps its focus when the view is drawn anew.
export const rowOf = (key, session, label, more) => ({ 'data-row': '', 'data-key': key, 'data-session': session, 'aria-label': label, tabindex: '-1', ...more });

// gapsTold are the times without a guard that have a beginning, or an end: of one that nobody saw begin, and that lasts, the bar tells.
export const gapsTold = () => D.gaps.filter(g => !g.longer || g.until);

// gapText says of a time without a guard when it was, and how: nothing writes it down, so it is known as far as somebody looked.
export const gapText = g => `${t(g.off ? 'Guard off' : 'Nothing called moai')} ${g.longer ? '≤ ' : ''}${hm(ms(g.since))} – ${g.until ? hm(ms(g.until)) : t('goes on')}`;

// ranThen says what ran in such a time, as far as it is known.
export const ranThen = g => [g.ran > 0 && t('{n} commands ran.', { n: num(g.ran) }), t(g.off ? 'What ran then was not judged, and no snapshot was taken before it.' : 'What ran then was not judged, and nothing was saved.')].filter(Boolean).join(' ');

// there leads a shell to a project, whose folder may be another one than that of the terminal into which a command is copied.
export function there(project) {
  const root = D.projects.find(p => p.key === project)?.root;
  return root ? `cd ${word(root)} && ` : '';
}

// ageOf is how long ago a turn ended, as moai undo --list says it.
export function ageOf(turn) {
  if (ms(turn.ended_at) > 0) return live(ms(turn.ended_at));
  const runs = D.sessions?.some(s => s.id === turn.session && s.turn === turn.turn && s.state !== 'gone' && s.state !== 'idle');
  return t(runs ? 'goes on' : 'stopped');
}

// lastEvent is the newest that is known.
export const lastEvent = () => D.events[0]?.id;

// turnOf is what moai can take back of a turn, if it has told.
let known = null, backs = new Map();
const keyOf = (...parts) => parts.join('/');
export function turnOf(x) {
  if (known !== D.turns) {
    known = D.turns;
    backs = new Map((known || []).slice().reverse().map(u => [keyOf(u.project, u.session, u.turn), u])); // of two the first counts
  }
  return backs.get(keyOf(x.project, x.session_id, x.turn));
}
