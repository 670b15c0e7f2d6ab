// Verification: which work of the sessions nobody else has looked at, who looked, and how tests ended.
import { h, icon, ms, hm, num, live, head, empty, table } from '../dom.js';
import { D, get } from '../data.js';
import { told } from '../said.js';
import { t } from '../words.js';
import { matches, later, rowOf, none, who, badge } from './base.js';

const FOUND = { passed: ['ok', 'ok'], blockers: ['fail', 'deny'] };

function open() {
  const list = (D.sessions || []).filter(s => s.unverified.length || s.state !== 'gone' && s.tests);
  if (!list.length) return null;
  return [h('h2', { class: 'sech' }, t('Work of sessions')), table('Work of sessions', ['Session', 'Nobody has looked at', 'Last tests'], list.map(s => h('tr', { ...rowOf('open ' + s.id, s.id, who(s)) },
    h('th', { scope: 'row' }, h('span', { class: 'row' }, badge(s.id), h('span', { class: 'cut' }, who(s)))),
    h('td', null, s.unverified.length ? h('ul', null, s.unverified.slice(0, 10).map(f => h('li', null, h('code', null, f))), s.unverified.length > 10 && h('li', { class: 'm' }, t('and {n} more', { n: s.unverified.length - 10 }))) : none()),
    h('td', { class: 'nw' }, s.tests ? h('span', { class: 'verdict ' + (s.tests.passed ? 'ok' : 'deny') }, icon(s.tests.passed ? 'ok' : 'fail'), t(s.tests.passed ? 'passed' : 'failed'), ' · ', live(ms(s.tests.at))) : none(),
      s.tests && h('div', { class: 'm' }, h('code', null, s.tests.command))))), 'stack')];
}

function look(x) {
  const [ic, cls] = FOUND[x.found] || ['warn', 'ask'];
  return h('tr', rowOf(String(x.id), x.session_id, x.summary),
    h('td', { class: 'nw m' }, hm(ms(x.created_at)), ' · ', live(ms(x.created_at))),
    h('td', { class: 'nw' }, x.session_id && badge(x.session_id), ' ', t('turn {n}', { n: x.turn })),
    h('th', { scope: 'row' }, x.agent || t('nobody looked')),
    h('td', null, h('span', { class: 'verdict ' + cls }, icon(ic), t(x.found || x.does || ''))),
    h('td', { class: 'num' }, num(x.files)), h('td', { class: 'm' }, told(x.why) || x.summary));
}

export function verification() {
  return h('div', null, head('Verification'), later(get('/api/verifications', { project: D.project, limit: 500 }), all => {
    const found = all.filter(x => matches(x.summary, x.agent, x.why)), now = open();
    if (!found.length && !now) return empty('Nobody has looked at work yet', 'What one agent wrote, another one looks at: looks appear here, turn by turn.', ['Write the verifiers’ definitions.', 'moai init --verify']);
    return h('div', null, now, found.length > 0 && [h('h2', { class: 'sech' }, t('Looks, and turns without one')),
      table('Looks, and turns without one', ['When', 'Turn', 'Verifier', 'Found', '#Files', 'Why'], found.map(look), 'stack')]);
  }));
}
