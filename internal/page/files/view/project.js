// Project: what moai has found out of it, with evidence: languages, tools, TAG chains, SPECs.
import { h, icon, head, table, num } from '../dom.js';
import { D, get } from '../data.js';
import { told } from '../said.js';
import { t } from '../words.js';
import { matches, later, none, aboutOne } from './base.js';

const TONES = ['var(--ink-2)', 'var(--control)', 'var(--bar)', 'var(--line-2)', 'var(--ink-3)'];
const CHAIN = ['SPEC', 'TEST', 'CODE', 'DOC'];
const ask = what => get('/api/ask/' + what, { project: D.project });
const note = word => h('div', { class: 'note' }, t(word));

function languages(d) {
  const all = (d.languages || []).filter(l => l.share > 0).slice(0, 8), shown = all.length ? all : (d.languages || []).slice(0, 8);
  const version = l => l.version && [' ', h('code', { title: l.version_source }, (l.version_kind === 'floor' ? '≥ ' : '') + l.version)];
  return h('div', { class: 'pad' }, h('h2', null, t('Languages')),
    h('div', { class: 'langbar', 'aria-hidden': 'true' }, shown.map((l, i) => h('i', { style: { width: l.share * 100 + '%', background: TONES[i % TONES.length] } }))),
    h('ul', { class: 'langs' }, shown.map((l, i) => h('li', { title: (l.evidence || []).join('\n') }, h('i', { style: { background: TONES[i % TONES.length] } }), h('b', null, l.name), version(l),
      l.share > 0 && h('span', { class: 'm' }, ' ', (l.share * 100).toFixed(1), '\u202f%'))), !shown.length && none()));
}

function tools(d) {
  const rows = Object.entries(d.tools || {}).flatMap(([use, one]) => [].concat(one || []).map(x => [use.replaceAll('_', ' '), typeof x === 'string' ? { name: x } : x]));
  if (!rows.length) return note('No tool of this project is known');
  return table('Tools', ['For', 'Tool', 'Command', 'Evidence'], rows.filter(([use, x]) => matches(use, x.name, x.command)).map(([use, x]) => h('tr', null,
    h('td', { class: 'm nw' }, told(use)), h('th', { scope: 'row' }, x.name), h('td', null, x.command ? h('code', null, x.command) : none()), h('td', { class: 'm' }, told(x.because) || '–'))), 'stack');
}

// squares show which of a domain's ids have a link of one kind: one square is one id.
function squares(ids, has, problems) {
  const missing = ids.filter(id => !has.has(id)).length, broken = ids.filter(id => has.has(id) && problems.has(id)).length;
  return h('td', null,
    h('div', { class: 'sq', role: 'img', 'aria-label': t('{n} of {m}', { n: ids.length - missing, m: ids.length }) }, ids.slice(0, 60).map(id => h('i', { class: !has.has(id) ? 'no' : problems.has(id) ? 'stale' : '', title: id }))),
    h('span', { class: missing ? 'xs deny b' : 'xs mm' }, missing ? t('{n} missing', { n: missing }) : t('{n} of {m}', { n: ids.length, m: ids.length }), broken > 0 && ', ' + t('{n} broken', { n: broken })));
}

function chains(tags, problems) {
  if (!tags.length && !problems.length) return note('No TAG in this project yet');
  const domain = id => id.replace(/[-_]?\d[\w.-]*$/, ''), broken = new Set(problems.filter(p => p.severity === 'error').map(p => p.id));
  const rows = [...Map.groupBy(tags, x => domain(x.id))].map(([name, its]) => {
    const ids = [...new Set(its.map(x => x.id))].sort();
    return h('tr', { 'data-row': '', 'data-key': 'domain ' + name, tabindex: '-1' }, h('th', { scope: 'row', class: 'mono' }, name),
      CHAIN.map(kind => squares(ids, new Set(its.filter(x => x.kind === kind).map(x => x.id)), broken)));
  });
  return h('div', null, rows.length > 0 && table('TAG chains', ['Domain', ...CHAIN], rows),
    problems.length > 0 ? table('What is wrong in TAG chains', ['Where', 'What', 'Fix'], problems.slice(0, 200).map(p => h('tr', null,
      h('th', { scope: 'row', class: 'mono' }, `${p.path}:${p.line}`), h('td', null, h('span', { class: p.severity === 'error' ? 'verdict deny' : 'verdict ask' }, icon(p.severity === 'error' ? 'fail' : 'warn')), ' ', told(p.text)), h('td', { class: 'm' }, p.hint || '–'))), 'stack') : note('no gap'));
}

function specs(all) {
  if (!all.length) return note('No SPEC in this project yet');
  return table('SPEC progress', ['SPEC', 'Status', 'Version', '#Problems'], all.map(s => h('tr', { 'data-row': '', 'data-key': 'spec ' + s.id, tabindex: '-1' },
    h('th', { scope: 'row' }, h('code', null, s.id), h('div', { class: 'm' }, s.title)), h('td', { class: 'm nw' }, told(s.status) || '–'), h('td', { class: 'm' }, s.version || '–'),
    h('td', { class: s.problems ? 'num deny b' : 'num mm' }, num(s.problems)))));
}

export function project() {
  if (!D.project) return aboutOne('Project');
  return h('div', null, head('Project'),
    later(ask('detect'), d => h('div', null, languages(d), h('h2', { class: 'sech' }, t('Tools')), tools(d))),
    h('div', { class: 'sech' }, h('h2', null, t('TAG chains')), h('p', { class: 's m' }, t('One square is one id. Hollow: the link is missing. Half: something is wrong with it.'))),
    later(Promise.all([ask('chains'), ask('tags')]), ([tags, problems]) => chains(tags, problems)),
    h('h2', { class: 'sech' }, t('SPEC progress')),
    later(ask('specs'), specs));
}
