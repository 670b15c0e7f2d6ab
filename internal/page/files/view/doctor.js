// Doctor: whether moai is really called here, and answers; moai's own checks.
import { h, icon, copyline, head, table } from '../dom.js';
import { D, get } from '../data.js';
import { t } from '../words.js';
import { V, later, aboutOne, matches } from './base.js';

const LOOK = { ok: ['ok', 'ok'], fail: ['deny', 'deny'], warn: ['ask', 'ask'] };
const LOUDEST = ['fail', 'warn', 'ok'];

export function doctor() {
  if (!D.project) return aboutOne('Doctor');
  return h('div', null,
    head('Doctor', h('button', { class: 'btn sm', onclick: () => V.again() }, t('Check again'))),
    later(get('/api/ask/doctor', { project: D.project }), all => {
      const list = all.filter(c => matches(c.id, c.detail)).sort((a, b) => LOUDEST.indexOf(a.status) - LOUDEST.indexOf(b.status));
      return table('Doctor', ['State', 'Check', 'What was found', 'Fix'], list.map(c => {
        const [ic, cls] = LOOK[c.status] || LOOK.warn;
        return h('tr', { 'data-row': '', tabindex: '-1', 'data-key': c.id },
          h('td', { class: 'nw' }, h('span', { class: 'verdict ' + cls }, icon(ic), t(c.status))), h('th', { scope: 'row' }, c.id),
          h('td', { class: 'm' }, c.detail, c.items?.length > 0 && h('ul', null, c.items.slice(0, 8).map(x => h('li', { class: 's' }, typeof x === 'string' ? x : x.text || x.detail || JSON.stringify(x))))),
          h('td', null, c.fix ? copyline(c.fix) : ''));
      }));
    }));
}
