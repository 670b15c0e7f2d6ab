// Small parts. Texts become text nodes and nothing else: what strangers wrote into names and prompts never becomes markup.
import { t, lang } from './words.js';

const SVG = 'http://www.w3.org/2000/svg';
const svgTags = new Set(['svg', 'use', 'line', 'rect', 'circle', 'path', 'text']);

// shown is a text of strangers with its control characters and marks of direction written out: they would show another text.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const written = x => { const n = x.codePointAt(0), hex = n.toString(16); return n < 256 ? '\\x' + hex.padStart(2, '0') : '\\u' + hex.padStart(4, '0'); };
export const shown = c => (typeof c === 'string' ? c.replace(UNSEEN, written) : c);

// h makes an element. Properties that begin with "on" listen, style is set part by part, the rest are attributes.
export function h(tag, props, ...children) {
  const el = svgTags.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [k, v] of Object.entries(props || {})) {
    if (v == null || v === false) continue;
    if (k.startsWith('on')) el.addEventListener(k.slice(2), v);
    else if (k === 'style') for (const [name, value] of Object.entries(v)) el.style.setProperty(name, value);
    else el.setAttribute(k, v === true ? '' : k === 'title' || k.startsWith('aria-') ? shown(v) : v);
  }
  el.append(...children.flat(9).filter(c => c != null && c !== false && c !== '').map(shown));
  return el;
}
// fileName is a name of a file with the ends of lines and tabs in it written out, too, as moai does.
export const fileName = name => name.replace(/[\n\t]/g, x => (x === '\n' ? '\\n' : '\\t'));
export const $ = (s, r = document) => r.querySelector(s);
export const $$ = (s, r = document) => [...r.querySelectorAll(s)];
export const icon = (name, cls = '') => h('svg', { class: 'i ' + cls, 'aria-hidden': 'true' }, h('use', { href: '#i-' + name }));

/* numbers and times */
const pad = n => String(n).padStart(2, '0');
export const ms = text => (text ? Date.parse(text) : 0);
export const hm = at => { const d = new Date(at); return pad(d.getHours()) + ':' + pad(d.getMinutes()); };
export const day = at => new Date(at).toLocaleDateString(lang === 'ko' ? 'ko' : 'en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
export const dayKey = at => { const d = new Date(at); return d.getFullYear() + '-' + pad(d.getMonth() + 1) + '-' + pad(d.getDate()); };
const digits = new Intl.NumberFormat('en-US');
export const num = n => digits.format(n || 0).replace(/,/g, '\u202f');

// size is how much something takes, in the unit that people would say.
const SIZES = ['B', 'kB', 'MB', 'GB'];
export function size(n) {
  let unit = 0;
  for (; n >= 1000 && unit < SIZES.length - 1; unit++) n /= 1000;
  return `${n < 10 && unit ? n.toFixed(1) : num(Math.round(n))}\u202f${SIZES[unit]}`;
}

// age is how long ago something was, run how long something goes on.
const UNITS = [[60, 1, '{n} s'], [3600, 60, '{n} min'], [86400, 3600, '{n} h'], [Infinity, 86400, '{n} d']];
export function age(s) {
  const [, unit, form] = UNITS.find(([below]) => s < below);
  return t(form, { n: Math.max(0, s / unit | 0) });
}
export const run = s => (s < 3600 ? `${s / 60 | 0}:${pad(s % 60 | 0)}` : `${s / 3600 | 0}:${pad(s / 60 % 60 | 0)}:${pad(s % 60 | 0)}`);

// live is a time that the frame keeps up.
export function live(at, form = 'age') {
  if (!at) return h('span', { class: 'mm' }, '–');
  const text = (form === 'run' ? run : age)((Date.now() - at) / 1000);
  return h('time', { 'data-at': at, 'data-form': form, datetime: at ? new Date(at).toISOString() : null }, text);
}

// took is how long something lasted that is over.
export const took = s => (s < .1 ? '<\u202f' + t('{n} s', { n: '0.1' }) : s < 10 ? t('{n} s', { n: Math.max(0, s).toFixed(1) }) : run(s));

// stated is a version as people read it, as the command line says it: a floor with the sign that says so ("≥ 3.10", "Node ≥ 22"), one with a sign of its
// own ("^8.2") as it is.
export function stated(version, kind) {
  const at = version.search(/\d/);
  if (kind !== 'floor' || at < 0) return version;
  const front = version.slice(0, at).trimEnd(), least = front.endsWith('>='), before = (least ? front.slice(0, -2) : front).trimEnd();
  if (!least && before && (/[<>=~^!*]/.test(before) || version[at - 1] !== ' ')) return version;
  return before + (before && ' ') + '≥ ' + version.slice(at);
}

/* parts */
export const VERDICT = { deny: 'Denied', ask: 'Asked', snap: 'Snapshot', ok: 'Allowed', warn: 'Unknown' };
const OF_ACTION = { deny: 'deny', ask: 'ask', checkpoint: 'snap', allow: 'ok', none: 'ok' };
export const verdictOf = action => (action ? OF_ACTION[action] || 'warn' : 'ok');
export const verdict = v => h('span', { class: 'verdict ' + v }, icon(v), t(VERDICT[v]));

// word is a text as one word of a shell's command line.
export const word = s => (/^[\w@%+=:,./][\w@%+=:,./-]*$/.test(s) ? s : "'" + String(s).replaceAll("'", `'\\''`) + "'");

// copyline is a command and a button that copies it, behind what leads to the folder in which it is to run.
export const copyline = (text, there = '') => h('div', { class: 'copyline' }, h('code', null, there && h('span', { class: 'mm' }, there), text), h('button', { class: 'btn sm quiet', 'data-copy': there + text }, icon('copy'), t('Copy')));
export const head = (title, ...rest) => h('div', { class: 'vh' }, h('h1', null, t(title)), rest);

// empty says what will be here, and with which commands it comes.
export function empty(title, text, ...steps) {
  return h('div', { class: 'empty' }, h('h2', null, t(title)), h('p', { class: 'm' }, text && t(text)),
    steps.length > 0 && h('ol', null, steps.map(([say, command]) => h('li', null, h('span', null, t(say)), copyline(command)))));
}

export function seg(label, items, choose) {
  return h('div', { class: 'seg', role: 'group', 'aria-label': t(label) },
    items.map(([key, word, on, ic]) => h('button', { 'aria-pressed': String(!!on), 'data-key': label + key, onclick: () => choose(key) }, ic && icon(ic, ic), word)));
}

export function skeleton() {
  const bar = i => h('p', { class: 'skrow' }, h('span', { class: 'sk', style: { width: 420 - i * 40 + 'px' } }));
  return h('div', { class: 'pad', role: 'status', 'aria-busy': 'true', 'aria-label': t('Loading') }, [0, 1, 2, 3, 4, 5].map(bar));
}

// table scrolls sideways by itself where it is too wide; of the class stack, its cells stand below each other on a narrow page. A head that
// begins with # is of numbers.
export function table(label, heads, rows, cls = '') {
  if (cls.startsWith('stack')) for (const tr of rows.flat(9)) [...tr?.children || []].forEach((td, i) => { td.dataset.label = t((heads[i] || '').replace('#', '')); });
  const th = x => h('th', { scope: 'col', class: x.startsWith('#') ? 'num' : null }, t(x.replace('#', '')));
  return h('div', { class: 'scroll ' + cls, tabindex: '0', role: 'region', 'aria-label': t(label) }, h('table', null, h('thead', null, h('tr', null, heads.map(th))), h('tbody', null, rows)));
}

export function say(text) {
  const el = $('#toast');
  el.textContent = text;
  el.classList.add('on');
  clearTimeout(say.timer);
  say.timer = setTimeout(() => el.classList.remove('on'), 1800);
}
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(t('Copied'));
  } catch { say(t('Copy it by hand: {s}', { s: text })); }
}

// backwards is the patch that takes a patch back, of the files that are wanted alone.
export function backwards(text, wanted) {
  const turned = [...text.matchAll(/^diff --git .*\n(?:(?!diff --git ).*\n?)*/gm)].map(m => m[0]).filter(part => {
    const name = part.match(/^diff --git a\/(.+) b\/\1\n/)?.[1];
    return name === undefined || wanted.has(name);
  });
  return turned.map(backward).join('');
}

// Within a hunk what goes stands above what comes; heads of files name the two sides.
const OTHER = { new: 'deleted', deleted: 'new' };
function backward(part) {
  const out = [];
  const gone = [];
  let within = false, to = out; // to: where the last line went, for what is said of its end
  for (const line of part.replace(/\n$/, '').split('\n')) {
    const at = line.match(/^@@ -(\S+) \+(\S+) @@(.*)/);
    if (line[0] !== '\\') to = line[0] === '-' ? gone : out;
    if (line[0] !== '\\' && !/^[+-]/.test(line)) out.push(...gone.splice(0));
    within ||= !!at;
    if (at) to.push(`@@ -${at[2]} +${at[1]} @@${at[3]}`);
    else if (within) to.push(line.replace(/^[+-]/, sign => (sign === '-' ? '+' : '-')));
    else if (line.startsWith('--- ')) to.push(line.replace('--- a/', '+++ b/').replace('--- ', '+++ '));
    else if (line.startsWith('+++ ')) to.push(line.replace('+++ b/', '--- a/').replace('+++ ', '--- '));
    else to.push(line.replace(/^(new|deleted) file/, (_, word) => OTHER[word] + ' file'));
  }
  return [...out, ...gone, ''].join('\n');
}

// patch shows a unified diff, line by line.
const HEADER = /^(diff|index|---|\+\+\+|new|deleted|similarity|rename|old) /, MOST = 5000;
export function patch(text) {
  let old = 0, now = 0;
  const all = text.replace(/\n$/, '').split('\n').filter(line => !line.startsWith('index ')), lines = all.slice(0, MOST).map(line => {
    const at = line.match(/^@@ -(\d+)(?:,\d+)? \+(\d+)/);
    if (at) {
      old = +at[1];
      now = +at[2];
    }
    const kind = at || HEADER.test(line) || line[0] === '\\' ? 'h' : line[0] === '+' ? 'a' : line[0] === '-' ? 'd' : '';
    const a = kind === '' || kind === 'd' ? old++ : '', b = kind === '' || kind === 'a' ? now++ : '', sign = { a: '+', d: '−' }[kind] || '';
    const spoken = { a: 'added', d: 'removed' }[kind];
    return h('div', { class: 'dl ' + kind }, h('span', null, String(a)), h('span', null, String(b)), h('span', { 'aria-hidden': 'true' }, sign),
      h('span', null, spoken && h('span', { class: 'sr' }, t(spoken) + ': '), line[0] === '\\' ? t('no newline at the end') : kind === 'h' ? line : line.slice(1) || ' '));
  });
  return h('div', { class: 'diff' }, lines, all.length > MOST && h('p', { class: 'note' }, t('and {n} more', { n: num(all.length - MOST) })));
}
