// Doctor: whether moai is really called here, and answers; moai's own checks.
import { h, icon, copyline, head, table } from '../dom.js';
import { D, get } from '../data.js';
import { told } from '../said.js';
import { t } from '../words.js';
import { V, later, aboutOne, matches } from './base.js';

const LOOK = { ok: ['ok', 'ok', 'Well'], fail: ['fail', 'deny', 'Failed'], warn: ['warn', 'ask', 'Warning'] };
// items are the parts of a check: those that are not well, else all in one line.
function items(all) {
  const one = x => [told(x.name), told(x.detail), x.took_ms && `${Math.round(x.took_ms)} ms`].filter(Boolean).join(' · '), bad = all.filter(x => x.status !== 'ok');
  return all.length > 0 && h('ul', { class: 's' }, (bad.length ? bad : all).slice(0, MOST).map(x => h('li', null, x.status !== 'ok' && [icon(...(LOOK[x.status] || LOOK.warn).slice(0, 2)), ' '], one(x))),
    (bad.length ? bad : all).length > MOST && h('li', null, t('and {n} more', { n: (bad.length ? bad : all).length - MOST })));
}

const MOST = 20; // items of a check that are shown
const LOUDEST = ['fail', 'warn', 'ok'];

export function doctor() {
  if (!D.project) return aboutOne('Doctor');
  return h('div', null,
    head('Doctor', h('button', { class: 'btn sm', onclick: () => V.again() }, t('Check again'))),
    later(get('/api/ask/doctor', { project: D.project }), all => {
      const list = all.filter(c => matches(c.id, c.detail, told(c.id), told(c.detail))).sort((a, b) => LOUDEST.indexOf(a.status) - LOUDEST.indexOf(b.status));
      if (!list.length) return h('div', { class: 'note' }, t('Nothing matches'));
      return table('Doctor', ['State', 'Check', 'What was found', 'Fix'], list.map(c => {
        const [ic, cls, word] = LOOK[c.status] || LOOK.warn;
        return h('tr', { 'data-row': '', tabindex: '-1', 'data-key': c.id },
          h('td', { class: 'nw' }, h('span', { class: 'verdict ' + cls }, icon(ic), t(word))), h('th', { scope: 'row' }, told(c.id)),
          h('td', { class: 'm' }, told(c.detail), items(c.items || [])),
          h('td', null, c.fix ? copyline(c.fix) : ''));
      }), 'stack');
    }));
}
