// Ports: units of work, what waits for what, and who does it. The graph, the list below it and the drawer have one selection.
import { h, $, icon, ms, num, run, live, head, empty, table } from '../dom.js';
import { D, get, nameOf } from '../data.js';
import { told } from '../said.js';
import { t } from '../words.js';
import { V, matches, fact, badge, none, there } from './base.js';
import { beside, kept } from './drawer.js';
import { panel, STATE, cameOf, lacksOf, codes, startOf } from './port.js';

const COLUMNS = 5; // of the graph
const ORDER = ['blocked', 'running', 'ready', 'pending', 'complete', 'dropped'];
const ASKED = 6, SHOWN = 8; // projects, and running ports, that moai is asked about

// known is what moai itself says of the ports of a project; where it cannot be asked, what the server has of them.
async function known(project) {
  const board = await get('/api/ask/board', { project }).catch(() => null), list = board && !board.error ? Object.values(board).flat() : await get('/api/ports', { project });
  return list.map(p => ({ ...p, project }));
}

// lacking adds to the running ports what is missing before they end green. Each is a process, so they are asked anew when something has happened.
let proofs = new Map(), provedAt = '';
async function lacking(list) {
  const running = list.filter(p => p.status === 'running').slice(0, SHOWN), now = JSON.stringify([D.lastAt, running.map(p => p.project + p.id)]);
  if (now !== provedAt) {
    proofs = new Map(await Promise.all(running.map(async p => [p.project + p.id, await get('/api/ask/port', { project: p.project, port: p.id }).catch(() => null)])));
    provedAt = now;
  }
  for (const p of running) p.proof = proofs.get(p.project + p.id)?.proof;
}

async function all() {
  const projects = D.project ? [D.project] : [...new Set((await get('/api/ports')).map(p => p.project))].slice(0, ASKED);
  const list = (await Promise.all(projects.map(known))).flat();
  const [begun] = await Promise.all([get('/api/events', { project: D.project, type: 'port_start', limit: 1000 }).catch(() => []), lacking(list)]);
  for (const p of list) {
    const last = begun.find(e => (e.port_id || e.details?.port_id) === p.id && e.project === p.project);
    p.ran = last?.session_id;
    p.since = last?.created_at;
    if (p.proof && p.status === 'running') delete p.proof.seconds; // grows as one looks
  }
  const here = (D.sessions || []).filter(s => s.port_id && s.state !== 'gone').map(s => [s.project, s.port_id, s.id]);
  return { list, here };
}

// standing adds to each port how it stands: who runs it, for what it still waits, and how deep it lies in the graph.
function standing({ list: found, here }) {
  const keyOf = (project, id) => (D.project ? id : project + '/' + id), byKey = new Map(found.map(p => [keyOf(p.project, p.id), p])), over = p => !p || p.status === 'complete' || p.status === 'dropped';
  const list = found.map(p => {
    const needs = (p.needs || []).map(n => keyOf(p.project, n)), waits = needs.filter(n => !over(byKey.get(n)));
    const by = p.session || here.find(([project, id]) => project === p.project && id === p.id)?.[2], state = p.status !== 'pending' ? p.status : by ? 'running' : waits.length || p.ready === false ? 'pending' : 'ready';
    return { ...p, key: keyOf(p.project, p.id), needs, waits, by, state };
  });
  const of = new Map(list.map(p => [p.key, p])), depth = (p, seen) => (p.deep ??= seen.has(p.key) ? 0
    : Math.max(0, ...p.needs.filter(n => of.has(n)).map(n => 1 + depth(of.get(n), new Set(seen).add(p.key)))));
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

const fits = p => matches(p.id, p.title, p.why, p.text, !D.project && nameOf(p.project));
const whose = p => !D.project && h('span', { class: 'mm' }, nameOf(p.project), ' · ');

function node(p, near, first, select) {
  const [name, ic, cls] = STATE[cameOf(p)];
  return h('button', {
    class: `pn ${p.state}${V.arg === p.key ? ' is-sel' : ''}${near && !near.has(p.key) || !fits(p) ? ' dim' : ''}`, 'data-port': p.key, 'data-row': '', 'data-key': 'node ' + p.key,
    tabindex: first ? null : '-1', 'aria-pressed': String(V.arg === p.key), onclick: e => select(p.key, e.currentTarget),
  },
    h('span', { class: 'row s' }, h('span', { class: 'row nw fix ' + (cls || 'm') }, icon(ic), t(name)), h('code', { class: 'mm cut' }, p.id), p.by && badge(p.by)),
    h('span', { class: 'cut b s' }, whose(p), p.title));
}

// edges draws what each port waits for, once the nodes have their places.
function edges(el, list) {
  const of = new Map(list.map(p => [p.key, p])), box = el.getBoundingClientRect(), cols = $('.cols', el), svg = $('svg.e', el);
  const at = id => $(`[data-port="${CSS.escape(id)}"]`, el)?.getBoundingClientRect();
  svg.setAttribute('width', cols.scrollWidth + 32);
  svg.setAttribute('height', el.clientHeight);
  const lines = [];
  for (const p of list) {
    for (const n of direct(p, of)) {
      const a = at(n), b = at(p.key);
      if (!a || !b) continue;
      const x1 = a.right - box.left + el.scrollLeft, y1 = a.top + a.height / 2 - box.top, x2 = b.left - box.left + el.scrollLeft, y2 = b.top + b.height / 2 - box.top;
      const cls = V.arg === n || V.arg === p.key ? 'on' : { complete: 'done', blocked: 'hold' }[of.get(n).state] || '';
      lines.push(h('path', { class: cls, d: `M${x1} ${y1}C${x1 + 24} ${y1} ${x2 - 24} ${y2} ${x2} ${y2}` }));
    }
  }
  svg.replaceChildren(...lines);
}

function graph(list, select) {
  const near = list.some(p => p.key === V.arg) && new Set([V.arg, ...(list.find(p => p.key === V.arg).needs), ...list.filter(p => p.needs.includes(V.arg)).map(p => p.key)]);
  const shown = list.filter(p => p.state !== 'dropped').slice(0, 200), columns = Array.from({ length: COLUMNS }, (_, c) => shown.filter(p => Math.min(COLUMNS - 1, p.deep) === c));
  const stop = columns.flat().find(p => p.key === V.arg) || columns.flat()[0]; // the graph is one stop of the Tab key
  const el = h('div', { class: 'dag', tabindex: '0', role: 'region', 'aria-label': t('Dependencies, left to right') },
    h('svg', { class: 'e', 'aria-hidden': 'true' }), h('div', { class: 'cols' }, columns.map(c => h('div', { class: 'col' }, c.map(p => node(p, near, p === stop, select))))));
  new ResizeObserver(() => el.isConnected && edges(el, shown)).observe(el);
  return el;
}

// before is what has to be before a port ends green, in a few words.
function before(p) {
  const lacks = lacksOf(p);
  if (p.state === 'blocked') return h('span', { class: 'deny' }, p.why || t('blocked'));
  if (p.state === 'dropped') return p.why || none();
  if (p.state === 'ready') return h('span', { class: 'row' }, h('code', { class: 'cut', title: startOf(p) }, startOf(p)), h('button', { class: 'btn sm quiet icon', 'data-copy': there(p.project) + startOf(p), 'aria-label': `${t('Copy')}: ${startOf(p)}` }, icon('copy')));
  if (p.state === 'pending') return h('span', { class: 'mm' }, t('not started'));
  if (lacks.length) return h('span', { class: 'ask' }, told(lacks[0]), lacks.length > 1 && ' · ' + t('and {n} more', { n: lacks.length - 1 }));
  return p.proof ? h('span', { class: 'ok' }, t('tests and verdict green')) : none();
}

function row(p, select) {
  const [name, ic, cls] = STATE[cameOf(p)], who = p.by || p.ran, lasts = p.state === 'running' ? p.since && live(ms(p.since), 'run') : p.proof && run(p.proof.seconds || 0);
  return h('tr', { class: V.arg === p.key ? 'is-sel' : null, 'data-row': '', 'data-key': p.key, 'data-session': who, 'aria-label': `${t(name)}, ${p.id}, ${p.title}`, tabindex: '-1', onclick: e => e.target.closest('button') || select(p.key, e.currentTarget) },
    h('td', { class: 'nw' }, h('span', { class: 'row ' + (cls ? cls + ' b' : '') }, icon(ic), t(name))),
    h('th', { scope: 'row' }, whose(p), h('code', { class: 'mm' }, p.id), ' ', p.title),
    h('td', null, p.waits.length ? codes(p.waits) : h('span', { class: 'mm' }, t('nothing'))), h('td', null, before(p)),
    h('td', { class: 'nw' }, who ? badge(who) : h('span', { class: 'mm' }, t('free'))), h('td', { class: p.proof ? 'num' : 'num no' }, p.proof ? num(p.proof.files) : none()), h('td', { class: lasts ? 'num' : 'num no' }, lasts || none()));
}

export function ports() {
  const sums = h('div', { class: 'grow' });
  const answer = kept(all, got => {
    const list = standing(got), shown = list.filter(fits).sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
    const count = s => list.filter(p => cameOf(p) === s).length;
    sums.replaceChildren(h('p', { class: 'facts' }, ORDER.filter(count).map(s => fact(count(s), s, s === 'blocked' ? 'deny' : '')), count('unverified') > 0 && fact(count('unverified'), 'ended unverified', 'ask')));
    if (!list.length) return empty('No port yet', 'A port is one unit of work: title, files, dependencies, an owner, and what has to be green before it ends.', ['Open the first one.', "moai port create --title 'First port'"]);
    const side = beside(), select = key => {
      V.arg = V.arg === key ? '' : key;
      history.pushState(null, '', '#ports' + (V.arg && '/' + encodeURIComponent(V.arg))); // without an event: the view is not drawn from nothing, so that the focus stays
      answer.redraw();
    };
    side.list.append(shown.length ? table('Ports', ['State', 'Port', 'Waits for', 'Before it ends green', 'Owner', '#Files', '#Took'], shown.slice(0, 500).map(p => row(p, select)), 'stack work') : h('div', { class: 'note' }, t('Nothing matches')));
    if (shown.length > 500) side.list.append(h('p', { class: 'note' }, t('and {n} more', { n: num(shown.length - 500) })));
    const chosen = list.find(p => p.key === V.arg);
    if (chosen) side.open(chosen.key, $(`tr[data-key="${CSS.escape(chosen.key)}"]`, side.list), panel(chosen, list, () => select(chosen.key), () => answer.again(true)));
    return h('div', null, graph(list, select), side.body);
  });
  return h('div', null, head('Ports', sums), answer.el);
}
