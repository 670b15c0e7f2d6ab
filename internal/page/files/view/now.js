// Now: who waits for somebody, who works, and how it stands with each.
import { h, icon, ms, hm, num, live, head, empty, skeleton } from '../dom.js';
import { D, nameOf, letter, unverified } from '../data.js';
import { t } from '../words.js';
import { told } from '../said.js';
import { V, STATE, matches, who, fact, eventName, markOf, rowOf, badge, said, waitsFor, kindOfWait, partsOf, manyOf, ageOf } from './base.js';

const TMUX = /^.*,\d+,\d+ (%\d+)$/; // the variable of that name, and the pane
const SPAN = 30 * 60e3; // that a strip shows

function strip(s) {
  const from = Date.now() - SPAN, marks = D.events.filter(e => e.session_id === s.id && ms(e.created_at) > from);
  const waits = s.state === 'waiting' ? Math.max(0, (ms(s.since) - from) / SPAN * 100) : 100;
  return h('svg', { class: 'strip', role: 'img', 'aria-label': t('Last 30 minutes: {n} events', { n: marks.length }) },
    h('line', { class: 'base', x1: 0, x2: waits + '%', y1: 10.5, y2: 10.5 }),
    waits < 100 && h('line', { x1: waits + '%', x2: '100%', y1: 10.5, y2: 10.5, class: 'waits' }),
    marks.map(e => {
      const loud = e.severity !== 'info';
      return h('rect', { class: loud ? 'tick loud' : 'tick', x: (ms(e.created_at) - from) / SPAN * 100 + '%', y: loud ? 2 : 5, width: 2, height: loud ? 8 : 5 });
    }));
}

function context(c) {
  if (!c?.window) return h('span', { class: 's mm' }, t('unknown'));
  const share = Math.min(100, Math.round(c.tokens / c.window * 100)), level = share >= 90 ? 'danger' : share >= 75 ? 'warn' : '';
  return [
    h('div', { class: 'ctxbar ' + level, 'aria-hidden': 'true' }, h('i', { style: { width: share + '%' } }), h('u', { style: { left: '75%' } }), h('u', { style: { left: '90%' } })),
    h('div', { class: 'xs nw ' + ({ danger: 'deny', warn: 'ask' }[level] || 'm') }, h('b', null, share + '\u202f%'), ` ${Math.round(c.tokens / 1000)}k `, t('of'), ` ${Math.round(c.window / 1000)}k`),
  ];
}

// NOISE is what tells of moai's own work, or says again that somebody is asked, and not what the session does.
const NOISE = ['hook_slow', 'hook_failed', 'context_loaded', 'notification', 'port_start', 'port_end', 'dependency_resolved'];

// GOES_ON are events with which something begins: its clock runs on. What other events tell is over, and has an age.
const GOES_ON = ['user_request', 'agent_activated'];

// waiting is what a session asks: a command is set apart from the rule that met it.
function waiting(s) {
  const { command, about } = partsOf(s);
  return [command && h('div', { class: 'cmd clamp', title: command }, command), about && h('div', { class: command ? 'xs mm' : 'clamp' }, about)];
}

function doing(s) {
  const last = D.events.find(e => e.session_id === s.id && !NOISE.includes(e.event_type));
  if (s.state === 'waiting') {
    return [h('div', { class: 'do' }, h('b', null, kindOfWait(s))), waiting(s),
      s.tty && h('div', { class: 'xs mm' }, t('Answer in {s}', { s: s.tty.replace(TMUX, 'tmux $1') }))];
  }
  if (s.running) {
    return [h('div', { class: 'do' }, h('b', null, t('Runs')), h('span', { class: 'run' }, live(ms(s.running.since), 'run'))), h('div', { class: 'cmd cut', title: s.running.command }, s.running.command)];
  }
  if (s.state === 'working') {
    const command = last?.details?.command, not = command && s.not_run?.some(c => c.startsWith(command) || command.startsWith(c)), goes = !last || GOES_ON.includes(last.event_type);
    return [h('div', { class: 'do' }, h('b', null, not ? t('Not run') : last ? eventName(last) : ''), goes ? h('span', { class: 'run' }, live(ms(last?.created_at || s.since), 'run')) : h('span', { class: 's mm nw' }, live(ms(last.created_at)))),
      h('div', { class: 'cmd cut', title: not ? command : said(last) }, not ? command : said(last))];
  }
  if (s.failed) return h('div', { class: 's deny cut', title: s.failed }, icon('fail'), ' ', h('b', null, t('Turn failed')), ' ', s.failed);
  return h('div', { class: 's m cut', title: said(last) }, last ? eventName(last) + ' ' : '', said(last));
}

// way is the way back: of this session's turns, else its last snapshot, else why there is none.
function way(s, name) {
  const turn = D.turns?.find(u => u.session === s.id && !u.undone);
  if (turn && !turn.no_snapshot) {
    const n = D.turns.filter(u => u.session === s.id && !u.undone).length;
    return [h('span', { class: 's m nw' }, ageOf(turn), ' · ' + manyOf(n, 'turns')),
      h('div', { class: 'sb' }, h('a', { class: 'btn sm', href: '#undo/' + encodeURIComponent(turn.id), onclick: () => V.choose(turn.project), 'aria-label': `${t('Undo')} ${name}` }, icon('undo'), t('Undo')))];
  }
  const over = D.turns?.some(u => u.session === s.id) && !turn; // all of it is undone
  if (!D.project && s.snapshot == null) return h('a', { class: 'btn sm', href: '#undo', onclick: () => V.choose(s.project), 'aria-label': `${t('Undo')} ${name}` }, icon('undo'), t('Undo'));
  if (s.snapshot && !over) {
    return [h('span', { class: 's m nw' }, live(ms(s.snapshot.at))),
      h('div', { class: 'sb' }, h('a', { class: 'btn sm', href: '#undo/' + encodeURIComponent(s.snapshot.id), onclick: () => V.choose(s.project), 'aria-label': `${t('Undo')} ${name}` }, icon('undo'), t('Undo')))];
  }
  if (over) return h('div', { class: 's mm' }, t('undone'));
  return [h('div', { class: 's ' + (turn ? 'deny b' : 'mm') }, t('no undo')), turn && h('div', { class: 'xs mm' }, told(turn.no_snapshot))];
}

function agentRow(a, model) {
  const over = !!a.ended_at;
  return h('li', null,
    h('span', { class: 'who' }, icon(over ? 'ok' : 'working', over ? 'ok' : ''), h('b', null, a.type || a.id), h('span', { class: 'mm' }, t(over ? 'done' : 'running'))),
    h('span', { class: 'ad cut' }, model || ''),
    h('span', { class: 'nums' }, live(ms(a.started_at), 'run')));
}

function lane(s, full) {
  const name = letter(s.id), tree = (s.worktree || '').split(/[\\/]/).pop(), other = D.clashes?.get(s.id);
  const agents = s.agents.filter(a => !a.ended_at), second = full && s.state !== 'gone' && s.state !== 'stale';
  const state = s.failed && s.state !== 'waiting' ? 'Turn failed' : STATE[s.state];
  return h('li', { class: s.failed ? 'lane failed ' + s.state : 'lane ' + s.state, ...rowOf(s.id, s.id, `${t('Session')} ${name}, ${t(state)}, ${who(s)}`), onclick: e => { if (!e.target.closest('a, button') && !String(getSelection())) V.turnsOf(s.id); } },
    h('div', { class: 'lg' },
      h('div', { class: 'c-state' }, h('div', { class: 'state' }, icon(state === 'Turn failed' ? 'fail' : s.state, state === 'Turn failed' ? 'deny' : ''), h('div', null, h('b', { class: state === 'Turn failed' ? 'deny' : '' }, t(state)), ' ',
        h('span', { class: s.inferred ? 'told inferred' : 'told' }, s.inferred && [t('inferred'), ' · '], live(ms(s.since)))))),
      h('div', { class: 'c-sess' },
        h('div', { class: 'title' }, badge(s.id), h('span', { class: 'cut', title: who(s) }, who(s))),
        h('div', { class: 'sub' }, s.model && h('span', { class: 'cut', title: s.model }, s.model),
          s.branch && h('span', { class: 'cut', title: s.branch }, icon('branch'), ' ', s.branch),
          !D.project && h('span', { class: 'cut' }, nameOf(s.project)),
          tree && tree !== nameOf(s.project) && h('span', { class: 'cut', title: s.worktree }, icon('project'), ' ', tree)),
        other && h('div', { class: 's deny row' }, icon('clash'), h('span', { class: 'cut' }, t('{f}: also changed by {s}', { f: other.file, s: letter(other.session) })))),
      h('div', { class: 'c-do' }, doing(s)),
      h('div', { class: 'c-ctx ctx' }, h('span', { class: 'ns xs mm' }, t('Context')), context(s.context)),
      h('div', { class: 'c-port s' }, s.port_id ? h('a', { href: '#ports/' + encodeURIComponent(s.port_id), class: 'mono' }, s.port_id) : h('span', { class: 'mm' }, t('no port'))),
      h('div', { class: 'c-unv s', title: s.unverified.slice(0, 20).join('\n') }, h('span', { class: 'ns xs mm' }, t('Unverified')),
        s.unverified.length ? fact(s.unverified.length, 'files') : h('span', { class: 'mm' }, t('none')), s.tests && !s.tests.passed && h('div', { class: 'deny', title: s.tests.command }, icon('fail'), ' ', t('tests failed'))),
      h('div', { class: 'c-snap snapx' }, way(s, name))),
    second && h('div', { class: 'l2' }, h('div', { class: 'st' }, strip(s))),
    second && agents.length > 0 && h('ul', { class: 'tree', 'aria-label': t('Agents') + ' ' + name }, agents.map(a => agentRow(a, s.model))));
}

function feed() {
  return h('aside', { class: 'feed', 'aria-label': t('Last events') }, h('h2', null, t('Last events')), h('ul', null, D.events.slice(0, 24).map(e => {
    const [ic, cls] = markOf(e);
    return h('li', null, h('span', { class: 'mm' }, hm(ms(e.created_at))), icon(ic, cls), e.session_id ? badge(e.session_id) : h('span'),
      h('span', { class: 'm' }, h('b', null, eventName(e)), ' ', said(e).slice(0, 120)));
  })));
}

// needs is greater for a session that somebody is to look after first.
const needs = s => (s.state === 'waiting' ? 2 : s.failed ? 1 : 0);

export function now() {
  if (!D.sessions) return h('div', null, head('Now'), skeleton());
  if (!D.sessions.length) {
    const steps = D.status?.guard.registered ? [] : [['Register the hooks. It shows the change and asks first.', 'moai init']];
    return h('div', null, head('Now'), empty('No session yet', 'Start your agent in a project. Its first prompt appears here within a second.', ...steps));
  }
  const s = D.stats, dense = D.sessions.length > 8, list = D.sessions.filter(x => matches(x.prompt, x.branch, x.id)).sort((a, b) => needs(b) - needs(a));
  return h('div', null,
    head('Now', h('p', { class: 'facts' }, h('span', null, t('Today'), ' ', fact(s.turns, 'turns')), fact(s.edits, 'edits'), fact(s.commands, 'changing commands'), fact(s.denied, 'denied'),
      fact(s.asked, 'asked'), fact(s.snapshots, 'snapshots'), fact(s.failures, 'failures', s.failures ? 'deny' : ''), fact(unverified(), 'files unverified'))),
    h('div', { class: 'now has' },
      h('div', null,
        h('div', { class: 'lhead', 'aria-hidden': 'true' }, h('span', null, t('State')), h('span', null, t('Session')), h('span', null, t('Last heard · last 30 minutes')),
          h('span', { class: 'c-ctx' }, t('Context')), h('span', { class: 'c-port' }, t('Port')), h('span', { class: 'c-unv' }, t('Unverified')), h('span', null, t('Undo'))),
        h('ul', { class: 'lanes', role: 'list', 'aria-label': t('Session') }, list.map((x, i) => lane(x, !dense || x.state === 'waiting' && i < 3)),
          !list.length && h('li', { class: 'note' }, t('Nothing matches')))),
      feed()));
}
