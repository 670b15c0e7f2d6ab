// Agents: what sub-agents did in the last half hour, and how long each kind takes.
import { h, ms, num, live, took, head, empty, table } from '../dom.js';
import { D, get, letter, byLetter } from '../data.js';
import { t } from '../words.js';
import { V, fact, rowOf, matches, badge, lastEvent } from './base.js';
import { kept } from './drawer.js';

const SPAN = 30 * 60e3, MOVES = 5e3; // a bar that grows is drawn again as often
const endOf = (a, now) => (a.ended_at ? ms(a.ended_at) : now);
const stateOf = a => (a.error ? 'failed' : a.empty ? 'no answer' : a.ended_at ? 'done' : 'running');
const BAR = { failed: 'fail', 'no answer': 'none', done: '', running: 'run' };

function lanes(all, turns, now) {
  const from = now - SPAN, place = at => Math.max(0, Math.min(100, (at - from) / SPAN * 100));
  const recent = all.filter(a => endOf(a, now) > from && ms(a.began_at || a.ended_at) < now && (a.ended_at || ms(a.began_at) > from));
  const bar = a => {
    const b = place(ms(a.began_at || a.ended_at)), e = place(endOf(a, now)), lasted = took((endOf(a, now) - ms(a.began_at || a.ended_at)) / 1000);
    return h('div', { class: 'gb ' + BAR[stateOf(a)], style: { left: b + '%', width: Math.max(.4, e - b) + '%' }, title: `${a.agent_type || a.id}: ${lasted}` },
      h('em', { class: e > 85 ? 'in' : '' }, a.ended_at ? lasted : live(ms(a.began_at), 'run')));
  };
  // turnsOf are the bars of the turns in which the agents of a session ran, and of the one that goes on.
  const turnsOf = s => {
    const one = D.sessions?.find(x => x.id === s), its = turns.filter(x => x.session_id === s && ms(x.began_at) && (ms(x.ended_at) || now) > from);
    const goesOn = one && ['waiting', 'working'].includes(one.state) && place(ms(one.since));
    return [its.map(x => { const b = place(ms(x.began_at)), e = place(ms(x.ended_at) || (one?.turn === x.turn && one.state !== 'gone' ? now : ms(x.began_at))), lasted = x.ended_at ? took((ms(x.ended_at) - ms(x.began_at)) / 1000) : ''; return h('div', { class: 'gb turn', style: { left: b + '%', width: e - b + '%' }, title: [t('turn {n}', { n: x.turn }), lasted].filter(Boolean).join(': ') }); }),
      one?.state === 'waiting' && h('div', { class: 'gb waitp', style: { left: goesOn + '%', width: 100 - goesOn + '%' } })];
  };
  return h('div', { class: 'gantt', role: 'group', 'aria-label': t('Agents of the last 30 minutes') },
    h('div', { class: 'gx' }, h('div'), h('div', { class: 'gtrack' }, ['−' + t('{n} min', { n: 30 }), '−20', '−10', t('Now')].map((w, i) => h('span', { style: { left: i * 100 / 3 + '%' } }, w)))),
    [...Map.groupBy(recent, a => a.session_id)].sort(([a], [b]) => byLetter(letter(a), letter(b))).map(([s, its]) => [
      h('div', { class: 'ga main' }, h('div', { class: 'lab' }, badge(s), h('span', { class: 'cut b' }, D.sessions?.find(x => x.id === s)?.prompt || s.slice(0, 8))), h('div', { class: 'gtrack' }, turnsOf(s))),
      its.slice(0, 40).map(a => h('div', { class: 'ga', ...rowOf(a.id, s, `${a.agent_type || a.id}, ${t(stateOf(a))}`) },
        h('div', { class: 'lab' }, h('span', { class: 'cut' }, a.agent_type || a.id)), h('div', { class: 'gtrack' }, bar(a)))),
    ]),
    !recent.length && h('div', { class: 'note' }, t(V.q ? 'Nothing matches' : 'None in the last 30 minutes')));
}

const key = () => h('ul', { class: 'langs s m pad' }, [['turn', 'main turn'], ['', 'agent'], ['run', 'running'], ['fail', 'failed'], ['none', 'no answer'], ['waitp', 'waits for you']]
  .map(([cls, word]) => h('li', null, h('span', { class: 'gb key ' + cls }), t(word))));

function types(all) {
  const times = its => its.filter(a => a.began_at && a.ended_at).map(a => (ms(a.ended_at) - ms(a.began_at)) / 1000).sort((x, y) => x - y);
  const at = (list, share) => list[Math.max(0, Math.ceil(list.length * share) - 1)];
  const list0 = times(all), most = Math.max(1, ...list0);
  const found = all.filter(a => matches(a.agent_type));
  return found.length > 0 && table('Agents', ['Agent', '#Runs', '#p50', '#p95', list0.length ? t('p50 to p95 (scale 0 to {s})', { s: took(most) }) : 'p50 to p95', '#Failed', '#No answer', '#Tokens'],
    [...Map.groupBy(found, a => a.agent_type || '–')].map(([type, its]) => {
      const list = times(its), p50 = at(list, .5), p95 = at(list, .95), failed = its.filter(a => a.error).length;
      return h('tr', null, h('th', { scope: 'row' }, type), h('td', { class: 'num' }, num(its.length)),
        h('td', { class: 'num' }, list.length ? took(p50) : '–'), h('td', { class: 'num' }, list.length ? took(p95) : '–'),
        h('td', null, list.length > 0 && h('span', { class: 'range', 'aria-hidden': 'true' },
          h('i', { style: { left: p50 / most * 100 + '%', width: (p95 - p50) / most * 100 + '%' } }), h('u', { style: { left: p50 / most * 100 + '%' } }))),
        h('td', { class: failed ? 'num deny b' : 'num mm' }, num(failed)), h('td', { class: 'num' }, num(its.filter(a => a.empty).length)),
        h('td', { class: 'num' }, its.some(a => a.tokens != null) ? num(its.reduce((n, a) => n + (a.tokens || 0), 0)) : '–'));
    }), 'stack');
}

const moment = () => Math.floor(Date.now() / MOVES);
const ask = () => Promise.all([get('/api/agents', { project: D.project, limit: 1000 }), get('/api/turns', { project: D.project, limit: 200 })]).then(([all, turns]) => [all, turns, all.some(a => !a.ended_at) && moment()]);

export function agents() {
  return kept(ask, ([all, turns]) => {
    if (!all.length) return h('div', null, head('Agents'), empty('No sub-agent ran yet', 'Sub-agents appear here with their durations, failures and tokens as soon as a session starts one.'));
    const today = new Date().setHours(0, 0, 0, 0), now = Date.now(), mine = all.filter(a => ms(a.began_at || a.ended_at) > today);
    const count = state => mine.filter(a => stateOf(a) === state).length;
    return h('div', null,
      head('Agents', h('p', { class: 'facts' }, fact(count('running'), 'running'), fact(mine.length, 'runs today'), fact(count('failed'), 'failed', count('failed') ? 'deny' : ''), fact(count('no answer'), 'without an answer'))),
      lanes(all.filter(a => matches(a.agent_type, a.id, D.sessions?.find(s => s.id === a.session_id)?.prompt)), turns, now), key(), types(all), h('p', { class: 'note' }, t('p50: half of the runs took no longer. p95: 95 of 100.')));
  }, { stamp: () => lastEvent() + moment() }).el;
}
