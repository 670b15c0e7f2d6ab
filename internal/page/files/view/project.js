// Project: what moai has found out of it, with evidence: languages, tools, TAG chains, SPECs.
import { h, icon, head, table, num, stated } from '../dom.js';
import { D, get } from '../data.js';
import { told } from '../said.js';
import { t } from '../words.js';
import { V, matches, none, fact, aboutOne } from './base.js';
import { kept } from './drawer.js';

const TONES = ['var(--ink-2)', 'var(--control)', 'var(--bar)', 'var(--line-2)', 'var(--ink-3)'];
const CHAIN = ['SPEC', 'TEST', 'CODE', 'DOC'];
const ask = what => get('/api/ask/' + what, { project: D.project });
const note = word => h('div', { class: 'note' }, t(word));

const bytesOf = list => list.reduce((n, l) => n + (l.bytes || 0), 0);
function languages(d) {
  const all = (d.languages || []).filter(l => l.share > 0), shown = (all.length ? all : d.languages || []).slice(0, 8);
  const version = l => l.version && [' ', h('code', { title: l.version_source }, stated(l.version, l.version_kind))];
  return h('div', { class: 'pad' }, h('h2', null, t('Languages')),
    h('div', { class: 'langbar', 'aria-hidden': 'true' }, shown.map((l, i) => h('i', { style: { width: l.share * 100 + '%', background: TONES[i % TONES.length] } }))),
    h('ul', { class: 'langs' }, shown.map((l, i) => h('li', { title: (l.evidence || []).join('\n') }, h('i', { style: { background: TONES[i % TONES.length] } }), h('b', null, l.name), version(l),
      l.share > 0 && h('span', { class: 'm' }, ' ', (l.share * 100).toFixed(1), '\u202f%'))), !shown.length && none()),
    all.length > 0 && h('p', { class: 's m langof' }, t('Share of the source: {n} bytes', { n: num(bytesOf(all)) })));
}

// reason is why a tool is named: a file that holds what it is called by, or a sentence of moai's.
function reason(text) {
  const by = text?.match(/^(\S+) has (.+)$/);
  return by ? t('{f} has {s}', { f: by[1], s: by[2] }) : told(text);
}

function tools(d) {
  const rows = Object.entries(d.tools || {}).flatMap(([use, one]) => [].concat(one || []).map(x => [use.replaceAll('_', ' '), typeof x === 'string' ? { name: x } : x]));
  if (!rows.length) return note('No tool of this project is known');
  return table('Tools', ['For', 'Tool', 'Command', 'Evidence'], rows.filter(([use, x]) => matches(use, x.name, x.command)).map(([use, x]) => h('tr', null,
    h('td', { class: 'm nw' }, told(use)), h('th', { scope: 'row' }, x.name), h('td', null, x.command ? h('code', null, x.command) : none()), h('td', { class: 'm' }, reason(x.because) || '–'))), 'stack');
}

// lackOf is what each id lacks, as moai tags verify finds it: kind → error or warning. A kind that it does not miss is not needed.
const LACKS = /^problem\.no-(\w+)$/;
function lackOf(problems) {
  const lacks = new Map();
  for (const p of problems) {
    const kind = p.rule.match(LACKS)?.[1].toUpperCase();
    if (kind) (lacks.get(p.id) || lacks.set(p.id, new Map()).get(p.id)).set(kind, p.severity);
  }
  return lacks;
}

// squares show which of a domain's ids have a link of one kind: one square is one id.
function squares(ids, kind, has, lacks, broken) {
  const missing = ids.filter(id => lacks.get(id)?.has(kind)), needed = ids.filter(id => has.has(id) || lacks.get(id)?.has(kind)), wrong = ids.filter(id => has.has(id) && broken.has(id)).length;
  const grave = missing.some(id => lacks.get(id).get(kind) === 'error'), form = id => (lacks.get(id)?.has(kind) ? 'no ' + lacks.get(id).get(kind) : !has.has(id) ? 'na' : broken.has(id) ? 'stale' : '');
  const words = missing.length ? t('{n} missing', { n: missing.length }) : needed.length ? t('{n} of {m}', { n: needed.length, m: needed.length }) : t('not needed');
  return h('td', null,
    h('div', { class: 'sq', role: 'img', 'aria-label': needed.length ? t('{n} of {m}', { n: needed.length - missing.length, m: needed.length }) : words }, ids.slice(0, 60).map(id => h('i', { class: form(id), title: id }))),
    h('span', { class: missing.length ? `xs ${grave ? 'deny' : 'ask'} b` : 'xs mm' }, words, wrong > 0 && ', ' + t('{n} broken', { n: wrong })));
}

function chains(tags, problems) {
  if (!tags.length && !problems.length) return note('No TAG in this project yet');
  const domain = id => id.replace(/[-_]?\d[\w.-]*$/, ''), lacks = lackOf(problems), broken = new Set(problems.filter(p => p.severity === 'error' && !LACKS.test(p.rule)).map(p => p.id));
  const rows = [...Map.groupBy(tags, x => domain(x.id))].map(([name, its]) => {
    const ids = [...new Set(its.map(x => x.id))].sort();
    return h('tr', { 'data-row': '', 'data-key': 'domain ' + name, tabindex: '-1' }, h('th', { scope: 'row', class: 'mono' }, name),
      CHAIN.map(kind => squares(ids, kind, new Set(its.filter(x => x.kind === kind).map(x => x.id)), lacks, broken)));
  });
  return h('div', null, rows.length > 0 && table('TAG chains', ['Domain', ...CHAIN], rows),
    problems.length > 0 ? table('What is wrong in TAG chains', ['Where', 'What', 'Fix'], problems.slice(0, 200).map(p => h('tr', null,
      h('th', { scope: 'row', class: 'mono' }, `${p.path}:${p.line}`), h('td', null, h('span', { class: p.severity === 'error' ? 'verdict deny' : 'verdict ask' }, icon(p.severity === 'error' ? 'fail' : 'warn')), ' ', told(p.text)), h('td', { class: 'm' }, p.hint || '–'))), 'stack') : note('no gap'));
}

// far is how many of the SPECs are done: those that were dropped count in none of the numbers.
const far = p => p?.total > 0 && h('div', { class: 'far row' }, h('div', { class: p.completed === p.total ? 'meter full' : 'meter', 'aria-hidden': 'true' }, h('i', { style: { width: p.percent + '%' } })),
  h('span', { class: 's' }, h('b', null, t('{n} of {m}', { n: num(p.completed), m: num(p.total) })), ' ', t('SPECs completed'), ` (${p.percent}\u202f%)`, p.dropped > 0 && ' · ' + t('{n} dropped', { n: num(p.dropped) })));

function specs(all, progress) {
  if (!all.length) return note('No SPEC in this project yet');
  return h('div', null, far(progress), table('SPEC progress', ['SPEC', 'Status', 'Version', '#Problems of its text'], all.map(s => h('tr', { 'data-row': '', 'data-key': 'spec ' + s.id, tabindex: '-1' },
    h('th', { scope: 'row' }, h('code', null, s.id), h('div', { class: 'm' }, s.title)), h('td', { class: 'm nw' }, told(s.status) || '–'), h('td', { class: 'm' }, s.version || '–'),
    h('td', { class: s.problems ? 'num deny b' : 'num mm' }, num(s.problems))))));
}

// facts are the project in a line: files, the language that counts most, links that are missing, SPECs that are done.
function facts(d, problems, progress) {
  const missing = problems.filter(p => LACKS.test(p.rule)), grave = missing.some(p => p.severity === 'error'), main = d.primary;
  return h('p', { class: 'facts' }, d.scan && fact(d.scan.files, 'files'), main && h('span', null, h('b', null, main.name), ' ', main.version ? stated(main.version, main.version_kind) : ''),
    h('span', { class: missing.length ? grave ? 'deny' : 'ask' : '' }, t('{n} links missing', { n: num(missing.length) })),
    progress?.total > 0 && h('span', null, 'SPEC ', h('b', null, t('{n} of {m}', { n: num(progress.completed), m: num(progress.total) }))));
}

const SELDOM = 10e3; // a look at every file of a project costs more than other answers

export function project() {
  if (!D.project) return aboutOne('Project');
  const known = {}, sums = h('div', { class: 'grow' });
  const part = (names, draw) => kept(() => Promise.all(names.map(ask)), got => {
    names.forEach((name, i) => { known[name] = got[i]; });
    if (known.detect && known.tags) sums.replaceChildren(facts(known.detect, known.tags, known.progress));
    return draw(...got);
  }, { every: SELDOM }).el;
  return h('div', null, head('Project', sums, h('button', { class: 'btn sm', onclick: () => V.again() }, t('Check again'))),
    part(['detect'], d => h('div', null, languages(d), h('h2', { class: 'sech' }, t('Tools')), tools(d))),
    h('div', { class: 'sech' }, h('h2', null, t('TAG chains')), h('p', { class: 's m' }, t('One square is one id. Hollow: the link is missing. Half: something is wrong with it. Grey: not needed.'))),
    part(['chains', 'tags'], chains),
    h('h2', { class: 'sech' }, t('SPEC progress')),
    part(['specs', 'progress'], specs));
}
