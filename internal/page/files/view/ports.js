// Ports: units of work, what waits for what, and who does it. The graph and the list below it have one selection.
import { h, $, icon, num, head, empty, table } from '../dom.js';
import { D, get, post } from '../data.js';
import { t } from '../words.js';
import { V, matches, later, fact, sure, badge } from './base.js';

const COLUMNS = 5; // of the graph
const ICON = { complete: 'ok', running: 'working', blocked: 'keep', ready: 'now', pending: 'idle', dropped: 'x' };
const ORDER = ['blocked', 'running', 'ready', 'pending', 'complete', 'dropped'];

// standing adds to each port how it stands: who runs it, for what it still waits, and how deep it lies in the graph.
function standing(all) {
  const byID = new Map(all.map(p => [p.id, p])), over = p => !p || p.status === 'complete' || p.status === 'dropped';
  const runs = new Map((D.sessions || []).filter(s => s.port_id && s.state !== 'gone').map(s => [s.port_id, s]));
  const list = all.map(p => {
    const waits = (p.needs || []).filter(n => !over(byID.get(n))), by = runs.get(p.id);
    return { ...p, needs: p.needs || [], waits, by, state: p.status !== 'pending' ? p.status : by ? 'running' : waits.length ? 'pending' : 'ready' };
  });
  const of = new Map(list.map(p => [p.id, p])), depth = (p, seen) => (p.deep ??= seen.has(p.id) ? 0
    : Math.max(0, ...p.needs.filter(n => of.has(n)).map(n => 1 + depth(of.get(n), new Set(seen).add(p.id)))));
  for (const p of list) depth(p, new Set());
  return list;
}

// direct leaves out what another need already stands for: a port that is needed by one that is needed.
function direct(p, of) {
  const below = (id, seen = new Set()) => {
    for (const n of of.get(id)?.needs || []) if (!seen.has(n)) { seen.add(n); below(n, seen); }
    return seen;
  };
  return p.needs.filter(n => of.has(n) && !p.needs.some(other => other !== n && below(other).has(n)));
}

function node(p, near) {
  return h('button', {
    class: `pn ${p.state}${V.arg === p.id ? ' is-sel' : ''}${near && !near.has(p.id) ? ' dim' : ''}`, 'data-port': p.id, 'data-row': '', 'data-key': 'node ' + p.id,
    'aria-pressed': String(V.arg === p.id), onclick: () => select(p.id),
  },
    h('span', { class: 'row s' }, h('span', { class: 'row nw fix ' + ({ complete: 'ok', blocked: 'deny' }[p.state] || 'm') }, icon(ICON[p.state]), t(p.state)), h('code', { class: 'mm cut' }, p.id), p.by && badge(p.by.id)),
    h('span', { class: 'cut b s' }, p.title));
}
const select = id => { location.hash = V.arg === id ? 'ports' : 'ports/' + encodeURIComponent(id); };

// edges draws what each port waits for, once the nodes have their places.
function edges(el, list) {
  const of = new Map(list.map(p => [p.id, p])), box = el.getBoundingClientRect(), cols = $('.cols', el), svg = $('svg.e', el);
  const at = id => $(`[data-port="${CSS.escape(id)}"]`, el)?.getBoundingClientRect();
  svg.setAttribute('width', cols.scrollWidth + 32);
  svg.setAttribute('height', el.clientHeight);
  const lines = [];
  for (const p of list) {
    for (const n of direct(p, of)) {
      const a = at(n), b = at(p.id);
      if (!a || !b) continue;
      const x1 = a.right - box.left + el.scrollLeft, y1 = a.top + a.height / 2 - box.top, x2 = b.left - box.left + el.scrollLeft, y2 = b.top + b.height / 2 - box.top;
      const cls = V.arg === n || V.arg === p.id ? 'on' : { complete: 'done', blocked: 'hold' }[of.get(n).state] || '';
      lines.push(h('path', { class: cls, d: `M${x1} ${y1}C${x1 + 24} ${y1} ${x2 - 24} ${y2} ${x2} ${y2}` }));
    }
  }
  svg.replaceChildren(...lines);
}

function graph(list) {
  const near = V.arg && new Set([V.arg, ...(list.find(p => p.id === V.arg)?.needs || []), ...list.filter(p => p.needs.includes(V.arg)).map(p => p.id)]);
  const shown = list.filter(p => p.state !== 'dropped').slice(0, 200), columns = Array.from({ length: COLUMNS }, (_, c) => shown.filter(p => Math.min(COLUMNS - 1, p.deep) === c));
  const el = h('div', { class: 'dag', tabindex: '0', role: 'region', 'aria-label': t('Dependencies, left to right') },
    h('svg', { class: 'e', 'aria-hidden': 'true' }), h('div', { class: 'cols' }, columns.map(c => h('div', { class: 'col' }, c.map(p => node(p, near))))));
  new ResizeObserver(() => el.isConnected && edges(el, shown)).observe(el);
  return el;
}

/* moving */
const MOVES = [
  { move: 'end', word: 'complete', from: ['running', 'ready', 'pending'], note: 'It ends unverified where tests or verifiers are missing.' },
  { move: 'block', word: 'blocked', from: ['running', 'ready', 'pending'], why: true, note: 'It cannot go on until somebody says so.' },
  { move: 'unblock', word: 'ready', from: ['blocked'], note: 'It can go on.' },
  { move: 'drop', word: 'dropped', from: ['running', 'ready', 'pending', 'blocked'], why: true, note: 'What waits for it waits no more. Nothing is deleted.' },
  { move: 'reopen', word: 'pending', from: ['complete', 'dropped'], note: 'It is to be done again.' },
];

// mover is the menu that moves a port. A session starts one: the page shows the command.
function mover(p) {
  const ways = MOVES.filter(m => m.from.includes(p.state)), bar = h('div', { class: 'grow' });
  const why = h('input', { disabled: D.me.demo, 'aria-label': t('Why'), placeholder: t('Why'), maxlength: 300 });
  const menu = h('select', { disabled: D.me.demo, 'aria-label': t('Move to…'), onchange: () => draw() }, ways.map(m => h('option', { value: m.move }, t(m.word))));
  const draw = () => {
    const m = ways.find(x => x.move === menu.value), to = { p: p.id, s: t(m.word) };
    why.hidden = !m.why;
    bar.replaceChildren(sure({
      button: t('Move {p} to: {s}', to), question: t('Move {p} to: {s}?', to), yes: t('Yes, move it'), note: t(m.note), mark: 'ports',
      act: async () => {
        const got = await post('/api/port', { project: D.project, port: p.id, move: m.move, why: m.why ? why.value : '' });
        if (got.answer === 'no') throw new Error(got.error);
        return got;
      },
      done: got => [h('span', { class: 'ok b row' }, icon('ok'), t('{p} is moved', { p: p.id })), h('span', { class: 'm s grow' }, (got.proof?.missing || []).join('; ')), h('button', { class: 'btn', onclick: () => V.again() }, t('Show'))],
    }));
  };
  draw();
  return h('section', { class: 'mover row', 'aria-label': t('Move to…') }, h('b', null, t('Move to…')), menu, why, bar);
}

const codes = ids => ids.flatMap((id, i) => [i > 0 && ', ', h('code', null, id)]);

function row(p) {
  return h('tr', { class: V.arg === p.id ? 'is-sel' : null, 'data-row': '', 'data-key': p.id, 'data-session': p.by?.id, tabindex: '-1', onclick: () => select(p.id) },
    h('td', { class: 'nw' }, h('span', { class: 'row ' + ({ complete: 'ok', blocked: 'deny b' }[p.state] || '') }, icon(ICON[p.state] || 'x'), t(p.state))),
    h('th', { scope: 'row' }, h('code', { class: 'mm' }, p.id), ' ', p.title),
    h('td', null, p.waits.length ? codes(p.waits) : h('span', { class: 'mm' }, t('nothing'))),
    h('td', { class: 'm' }, p.why || (p.state === 'ready' ? h('code', null, 'moai port start ' + p.id) : '–')),
    h('td', null, p.by ? badge(p.by.id) : h('span', { class: 'mm' }, p.state === 'complete' ? '–' : t('free'))));
}

export function ports() {
  return h('div', null, later(get('/api/ports', { project: D.project }), all => {
    const list = standing(all), found = list.filter(p => matches(p.id, p.title, p.why)).sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
    if (!all.length) {
      return h('div', null, head('Ports'), empty('No port yet', 'A port is one unit of work: title, files, dependencies, an owner, and what has to be green before it ends.', ['Open the first one.', "moai port create --title 'First port'"]));
    }
    const chosen = V.arg && list.find(p => p.id === V.arg);
    const facts = ORDER.filter(s => list.some(p => p.state === s)).map(s => fact(list.filter(p => p.state === s).length, s, s === 'blocked' ? 'deny' : ''));
    return h('div', null, head('Ports', h('p', { class: 'facts' }, facts)), graph(list), chosen && D.project && mover(chosen),
      found.length ? table('Ports', ['State', 'Port', 'Waits for', 'Why', 'Owner'], found.slice(0, 500).map(row), 'stack pair') : h('div', { class: 'note' }, t('Nothing matches')),
      found.length > 500 && h('p', { class: 'note' }, t('and {n} more', { n: num(found.length - 500) })));
  }));
}
