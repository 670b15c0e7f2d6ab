// A list with a drawer beside it, and lists that keep themselves up.
import { h, $, $$, icon, skeleton } from '../dom.js';
import { t } from '../words.js';
import { V, fault } from './base.js';

// beside gives a list and its drawer. A row that is opened keeps the focus; the same row, or Esc, closes it.
export function beside() {
  const body = h('div', { class: 'gbody' }), list = h('div', null);
  body.append(list);
  const shut = () => {
    $('.gpanel', body)?.remove();
    for (const x of $$('.is-sel', list)) x.classList.remove('is-sel');
    body.classList.remove('open');
  };
  const open = (key, row, panel) => {
    shut();
    V.open = key;
    row?.classList.add('is-sel');
    body.classList.add('open');
    body.append(panel);
  };
  const toggle = (key, row, panel) => {
    if (V.open === key && $('.gpanel', body)) {
      V.open = '';
      shut();
    } else open(key, row, panel());
    row?.focus({ preventScroll: true });
  };
  return { body, list, open, toggle, shut };
}

// drawer is the panel of a row.
export const drawer = (over, title, close, ...parts) => h('aside', { class: 'panel gpanel', 'aria-label': t('Details') },
  h('div', { class: 'ph' }, h('div', null, over, h('h2', null, title)), h('button', { class: 'btn sm quiet icon', 'data-act': 'close', 'aria-label': t('Close'), onclick: close }, icon('x'))), parts);

export const kv = (word, value) => (value || value === 0 ? [h('dt', null, t(word)), h('dd', null, value)] : []);
export const part = (word, ...rest) => [h('h3', null, t(word)), ...rest];

// kept draws an answer, and draws it anew when it has changed: what has no event of its own, such as a port that is made in a shell, comes
// by asking again. Where all has events, stamp is what changes with them, and nothing is asked before. Nothing is drawn while somebody
// answers a question of the page, or writes.
const EVERY = 3000;
export function kept(ask, draw, { every = EVERY, stamp } = {}) {
  const el = h('div', null, skeleton());
  let last = '', known, stamped;
  const busy = () => $('.confirm.sure', el) || $$('select', el).some(x => x.value) || el.contains(document.activeElement) && /^(INPUT|SELECT)$/.test(document.activeElement.tagName);
  const redraw = () => {
    const active = el.contains(document.activeElement) && document.activeElement, key = active && active.dataset.key, deciding = active && active.closest('.confirm'), drawn = draw(structuredClone(known));
    if (drawn !== el.firstChild || el.childElementCount > 1) el.replaceChildren(drawn);
    const rows = $$('[data-row]', el), back = key ? $(`[data-key="${CSS.escape(key)}"]`, el) : null, first = rows.find(x => x.tagName !== 'BUTTON');
    if (first) (back && back.tagName !== 'BUTTON' ? back : first).tabIndex = 0; // a list is one stop of the Tab key
    (deciding ? $('.confirm button', el) : back)?.focus({ preventScroll: true });
  };
  const show = (got, anyway) => {
    const text = JSON.stringify(got);
    if (!anyway && text === last) return;
    if (!anyway && last && busy()) {
      stamped = undefined; // it is asked for again
      return;
    }
    last = text;
    known = got;
    redraw();
  };
  let rest = 0; // no answer is asked for while one is on its way, nor soon behind one that took long: each may be a process in a large project
  const again = anyway => {
    const began = Date.now();
    stamped = stamp?.();
    rest = Infinity;
    return ask().then(got => show(got, anyway), e => { if (!last) el.replaceChildren(fault(e)); }).finally(() => { rest = Date.now() + 4 * (Date.now() - began); });
  };
  const timer = setInterval(() => { if (!el.isConnected) clearInterval(timer); else if (!document.hidden && Date.now() > rest && (!stamp || stamp() !== stamped)) again(); }, every);
  again();
  return { el, again, redraw };
}
