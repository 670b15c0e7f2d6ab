// Guard: what was denied, asked about or preceded by a snapshot, and why. The page never grants anything.
import { h, $, icon, ms, hm, dayKey, num, live, verdict, verdictOf, VERDICT, copyline, head, empty, seg, shown, word } from '../dom.js';
import { D, get, letter } from '../data.js';
import { t } from '../words.js';
import { V, matches, rowOf, badge, lastEvent, gapText, gapsTold, ranThen, there } from './base.js';
import { kept } from './drawer.js';

const AT_ONCE = 100; // rows that are added at a time
const VERDICTS = [['deny', 'Denied'], ['ask', 'Asked'], ['snap', 'Snapshot']];

// verdictFor is what was decided about a call, and done: one before which there was nothing to save was let through.
const unsaved = d => verdictOf(d.action) === 'snap' && !d.saved, verdictFor = d => (unsaved(d) ? 'ok' : verdictOf(d.action));

// chart is the verdicts of today, an hour a bar, told apart by form and not by colour alone.
function chart(all) {
  const today = dayKey(Date.now()), hours = Array.from({ length: 24 }, () => ({ deny: 0, ask: 0, snap: 0 })), sum = { deny: 0, ask: 0, snap: 0 };
  for (const d of all) {
    const v = verdictFor(d);
    if (v === 'ok' || dayKey(ms(d.created_at)) !== today) continue;
    hours[new Date(ms(d.created_at)).getHours()][v]++;
    sum[v]++;
  }
  const most = Math.max(4, ...hours.map(x => x.deny + x.ask + x.snap)), unit = 60 / most;
  const bars = hours.flatMap((x, hour) => {
    let y = 64;
    return VERDICTS.map(([v]) => {
      y -= x[v] * unit;
      return x[v] > 0 && h('rect', { class: 'bar ' + v, x: (hour + .12) / .24 + '%', width: .76 / .24 + '%', y, height: x[v] * unit });
    });
  });
  const now = new Date(), at = (now.getHours() + now.getMinutes() / 60) / .24;
  return h('div', { class: 'gchart' },
    h('svg', { role: 'img', 'aria-label': t('Verdicts per hour today') },
      h('line', { class: 'axis', x1: 0, x2: '100%', y1: 64.5, y2: 64.5 }), bars,
      [0, 3, 6, 9, 12, 15, 18, 21].map(hour => h('text', { x: hour / .24 + '%', y: 80 }, String(hour).padStart(2, '0'))),
      h('line', { class: 'nowline', x1: at + '%', x2: at + '%', y1: 0, y2: 66 })),
    h('ul', { class: 'legend' }, VERDICTS.map(([v, word]) => h('li', { class: v }, icon(v), h('span', null, t(word)), h('b', null, num(sum[v])), h('span', { class: 'mm cnt-w' }, t('today'))))));
}

// judged is what moai says now about a command: each is asked about once, since each answer is a process. The line itself is what the journal holds.
const known = new Map();
function judged(d) {
  const key = d.project + ' ' + d.command;
  if (!known.has(key)) {
    known.set(key, get('/api/ask/check', { project: d.project, command: d.command }));
    known.get(key).catch(() => known.delete(key));
  }
  return known.get(key);
}

// hitsOf are those of the rules that have met, the one that decided first.
const RANK = { deny: 3, ask: 2, checkpoint: 1 };
const hitsOf = (d, got) => (got.hits || []).filter(x => d.rules?.includes(x.rule)).sort((a, b) => (RANK[b.action] || 0) - (RANK[a.action] || 0));

// marked are the parts of a command with the span that the rule has met; short leaves out of what stands around it, and never of the span.
const MIDDLE = ' … ', AROUND = 80;
function marked(command, at, v, short) {
  const bytes = new TextEncoder().encode(command), text = (from, to) => shown(new TextDecoder().decode(bytes.slice(from, to)));
  const before = text(0, at[0]), after = text(at[1]), lead = short && before.length > AROUND ? before.slice(0, AROUND / 2) + MIDDLE + before.slice(-AROUND / 2) : before;
  return [lead, h('span', { class: 'hit ' + v }, text(at[0], at[1])), short && after.length > AROUND ? after.slice(0, AROUND) + MIDDLE : after];
}

function mark(el, d, v, short) {
  return judged(d).then(got => {
    const hits = hitsOf(d, got), at = hits[0]?.span;
    if (at && at[1] > at[0]) {
      el.replaceChildren(...marked(d.command, at, v, short));
      el.classList.add('whole');
    }
    return hits;
  }, () => []);
}

// Rows are marked as they come into view, one after another.
let turn = Promise.resolve();
const seen = new IntersectionObserver(all => {
  for (const { isIntersecting, target } of all) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    turn = turn.then(() => target.isConnected && target.mark());
  }
});

// allow is the command that lets a call pass once: all rules that stopped it, as far as they are known.
function allow(d, hits = []) {
  const v = verdictFor(d), rules = hits.filter(x => x.action !== 'checkpoint').map(x => x.rule);
  return (v === 'deny' || v === 'ask') && d.rules?.length > 0 && `moai risk allow ${[...new Set(rules.length ? rules : d.rules)].join(' ')} --once --reason WHY`;
}

// isCut reports a command of which only the beginning is kept: what the rule has met is kept beside it.
const isCut = d => d.command?.endsWith('…');
const beginning = d => [d.command.slice(0, AROUND) + MIDDLE, d.where && h('span', { class: 'hit ' + verdictFor(d) }, shown(d.where)), d.where && MIDDLE];

// isLine reports a command line; an entry about another tool holds its name and what it was about.
const isLine = d => d.command && !isCut(d) && !d.command.startsWith(d.tool + ' ');

function panel(d, close) {
  const v = verdictFor(d), rules = d.rules || [], code = h('code', null, isCut(d) ? beginning(d) : d.command || d.summary), why = h('div', { class: 'instead' }), once = h('div', null, allow(d) && copyline(allow(d), there(d.project)));
  const kv = (word, value) => (value ? [h('dt', null, t(word)), h('dd', null, value)] : []), other = d.answer && d.answer !== 'none' && verdictOf(d.answer) !== v;
  const part = (word, text) => text && [h('h3', null, t(word)), h('p', { class: 's', lang: 'en' }, text)]; // the words of rules are English
  const tell = rule => why.replaceChildren(...[part('Why', rule?.why), part('Instead', rule?.instead)].flat().filter(Boolean));
  const byRule = () => rules[0] && get('/api/ask/rule', { project: d.project, rule: rules[0] }).then(tell, () => {}); // what it says of every call
  if (!isLine(d)) byRule();
  else {
    mark(code, d, v).then(hits => {
      if (hits.length) tell(hits[0]);
      else byRule();
      if (allow(d, hits)) once.replaceChildren(copyline(allow(d, hits), there(d.project)));
    });
  }
  return h('aside', { class: 'panel gpanel', 'aria-label': t('Details') },
    h('div', { class: 'ph' }, h('div', null, verdict(v), h('h2', { class: 'mono' }, rules.join(', '))),
      h('button', { class: 'btn sm quiet icon', 'data-act': 'close', 'aria-label': t('Close'), onclick: close }, icon('x'))),
    h('pre', { class: 'pre cmdbox' }, code), why,
    h('dl', { class: 'kv' }, kv('Time', [hm(ms(d.created_at)), ' · ', live(ms(d.created_at))]), kv('Snapshot', d.saved ? t('taken before it') : unsaved(d) && t('nothing to save')), kv('answer', other && t(VERDICT[verdictOf(d.answer)])), kv('outcome', d.ran != null && t(d.ran ? 'It ran' : 'It did not run')), kv('tool', d.tool),
      kv('who', d.session_id && `${t('Session')} ${letter(d.session_id)}`), kv('exceptions', (d.exceptions || []).join(', '))),
    allow(d) && [h('h3', null, t('Allow it once')), once,
      h('p', { class: 'xs m' }, t('Run it in your own terminal. This page never grants anything, and neither can an agent.'))],
    isCut(d) && h('p', { class: 's m' }, t('The command is longer than what is kept of it.')),
    isLine(d) && [h('h3', null, t('Why exactly')), copyline('moai risk check --explain ' + word(d.command), there(d.project))]);
}

function row(d, show) {
  const v = verdictFor(d), text = d.command || d.summary, label = `${hm(ms(d.created_at))}, ${t(VERDICT[v])}, ${text}`;
  const line = h('div', { class: isCut(d) ? 'cmd whole' : 'cmd' }, isCut(d) ? beginning(d) : text.slice(0, 2000)), el = h('div', { class: 'gr', role: 'listitem', ...rowOf(d.id, d.session_id, label), 'data-allow': allow(d), 'data-there': there(d.project), onclick: e => show(d, e.currentTarget) },
    h('span', { class: 'gt s mm' }, hm(ms(d.created_at))), verdict(v),
    h('div', { class: 'gm' }, line, h('div', { class: 'line2' }, h('code', null, (d.rules || []).join(', ')), h('span', null, d.tool || ''), unsaved(d) && h('span', null, t('nothing to save')), d.ran != null && h('span', null, t(d.ran ? 'It ran' : 'It did not run')))),
    h('div', { class: 'gw s m' }, d.session_id && badge(d.session_id), ' ', live(ms(d.created_at))));
  el.mark = () => mark(line, d, v, true).then(hits => { if (allow(d, hits)) el.dataset.allow = allow(d, hits); });
  if (isLine(d)) seen.observe(el);
  return el;
}

// gapRow is a time without a guard: what ran then was not judged, and stands nowhere.
const gapRow = g => h('div', { class: 'gr gap', role: 'listitem', ...rowOf('gap' + g.since, '', gapText(g)) },
  h('span', { class: 'gt s mm' }, hm(ms(g.since))), h('span', { class: 'verdict deny' }, icon('warn'), t('Guard off')),
  h('div', { class: 'gm' }, h('b', null, gapText(g)), h('div', { class: 'line2' }, ranThen(g))), h('div', { class: 'gw s m' }, live(ms(g.since))));

export function guard() {
  const choose = f => { V.filter = f; V.open = ''; V.again(); };
  let most = AT_ONCE; // rows that are shown
  return h('div', null,
    head('Guard', seg('Verdicts', [['', t('All'), !V.filter], ...VERDICTS.map(([v, word]) => [v, t(word), V.filter === v, v])], choose)),
    kept(() => get('/api/decisions', { project: D.project, limit: 1000 }), all => {
      const told = all.filter(d => d.action), found = told.filter(d => (!V.filter || verdictFor(d) === V.filter) && matches(d.command, d.summary, (d.rules || []).join(' ')));
      const gaps = V.filter || V.q ? [] : gapsTold(), rows = [...found, ...gaps].sort((a, b) => ms(b.created_at || b.since) - ms(a.created_at || a.since));
      if (!rows.length) {
        return told.length ? empty('Nothing matches', 'Take a filter away, or clear the search.')
          : empty('No verdict yet', 'What the guard denies, asks about or takes a snapshot before appears here.', ['What would the guard say?', "moai risk check 'git push --force'"]);
      }
      const box = h('div', { class: 'gl', role: 'list', 'aria-label': t('Guard') }), body = h('div', { class: 'gbody' });
      const beside = (d, el) => {
        el.classList.add('is-sel');
        body.classList.add('open');
        body.append(panel(d, () => show(d, el)));
      };
      const show = (d, el) => {
        const shut = V.open === d.id;
        V.open = shut ? '' : d.id;
        $('.gpanel', body)?.remove();
        for (const x of body.querySelectorAll('.is-sel')) x.classList.remove('is-sel');
        body.classList.remove('open');
        if (!shut) beside(d, el);
        el.focus({ preventScroll: true });
      };
      let shown = 0;
      const more = h('button', { class: 'btn', onclick: () => { most += AT_ONCE; add(); } }, t('Show older'));
      const add = () => {
        box.append(...rows.slice(shown, most).map(d => (d.since ? gapRow(d) : row(d, show))));
        shown = most;
        more.hidden = shown >= rows.length;
      };
      add();
      body.append(h('div', null, box, more));
      const open = V.open && rows.find(d => d.id === V.open), el = open && $(`[data-key="${CSS.escape(open.id)}"]`, box);
      if (el) beside(open, el);
      return h('div', null, chart(told), body);
    }, { stamp: lastEvent }).el);
}
