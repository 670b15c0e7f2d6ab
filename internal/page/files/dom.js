// Small parts. Texts become text nodes and nothing else: what strangers wrote into names and prompts never becomes markup.
import { t, lang } from './words.js';

const SVG = 'http://www.w3.org/2000/svg';
const svgTags = new Set(['svg', 'use', 'line', 'rect', 'circle', 'path', 'text']);

// h makes an element. Properties that begin with "on" listen, style is set part by part, the rest are attributes.
export function h(tag, props, ...children) {
  const el = svgTags.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [k, v] of Object.entries(props || {})) {
    if (v == null || v === false) continue;
    if (k.startsWith('on')) el.addEventListener(k.slice(2), v);
    else if (k === 'style') for (const [name, value] of Object.entries(v)) el.style.setProperty(name, value);
    else el.setAttribute(k, v === true ? '' : v);
  }
  el.append(...children.flat(9).filter(c => c != null && c !== false && c !== ''));
  return el;
}
export const $ = (s, r = document) => r.querySelector(s);
export const $$ = (s, r = document) => [...r.querySelectorAll(s)];
export const icon = (name, cls = '') => h('svg', { class: 'i ' + cls, 'aria-hidden': 'true' }, h('use', { href: '#i-' + name }));

const pad = n => String(n).padStart(2, '0');
export const ms = text => text ? Date.parse(text) : 0;
export const hm = at => { const d = new Date(at); return pad(d.getHours()) + ':' + pad(d.getMinutes()); };
export const day = at => new Date(at).toLocaleDateString(lang === 'ko' ? 'ko' : 'en-GB', { weekday: 'long', day: 'numeric', month: 'long' });
export const dayKey = at => { const d = new Date(at); return d.getFullYear() + '-' + pad(d.getMonth() + 1) + '-' + pad(d.getDate()); };
export const num = n => Number(n || 0).toLocaleString('en-US').replace(/,/g, '\u202f');
export const age = s => s < 60 ? `${Math.max(0, s | 0)} s` : s < 3600 ? `${s / 60 | 0} min` : s < 86400 ? `${s / 3600 | 0} h` : `${s / 86400 | 0} d`;
export const run = s => s < 3600 ? `${s / 60 | 0}:${pad(s % 60 | 0)}` : `${s / 3600 | 0}:${pad(s / 60 % 60 | 0)}:${pad(s % 60 | 0)}`;
export const live = (at, form = 'age') => h('time', { 'data-at': at, 'data-form': form, datetime: at ? new Date(at).toISOString() : null }, (form === 'run' ? run : age)((Date.now() - at) / 1000));
export const badge = letter => h('span', { class: 'badge', title: t('Session') + ' ' + letter }, letter);
export const verdictOf = action => ({ deny: 'deny', ask: 'ask', checkpoint: 'snap' }[action] || 'ok');
export const verdict = v => h('span', { class: 'verdict ' + v }, icon(v), t({ deny: 'Denied', ask: 'Asked', snap: 'Snapshot', ok: 'Allowed' }[v]));
export const copyline = text => h('div', { class: 'copyline' }, h('code', null, text), h('button', { class: 'btn sm quiet', 'data-copy': text }, icon('copy'), t('Copy')));
export const head = (title, ...rest) => h('div', { class: 'vh' }, h('h1', null, t(title)), rest);
export const empty = (title, text, ...steps) => h('div', { class: 'empty' }, h('h2', null, t(title)), h('p', { class: 'm' }, text ? t(text) : ''), steps.length > 0 && h('ol', null, steps.map(([say, command]) => h('li', null, h('span', null, t(say)), copyline(command)))));
export const seg = (label, items, choose) => h('div', { class: 'seg', role: 'group', 'aria-label': t(label) }, items.map(([key, word, on, ic]) => h('button', { 'aria-pressed': String(!!on), 'data-key': label + key, onclick: () => choose(key) }, ic && icon(ic, ic), word)));
export const skeleton = () => h('div', { class: 'pad', role: 'status', 'aria-busy': 'true', 'aria-label': t('Loading') }, [...Array(6)].map((_, i) => h('p', { style: { height: '32px' } }, h('span', { class: 'sk', style: { width: 420 - i * 40 + 'px', 'max-width': '90%' } }))));
export const table = (label, heads, rows) => h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t(label) }, h('table', null, h('thead', null, h('tr', null, heads.map(x => h('th', { scope: 'col', class: x.startsWith('#') ? 'num' : null }, t(x.replace('#', '')))))), h('tbody', null, rows)));

export function say(text) { const el = $('#toast'); el.textContent = text; el.classList.add('on'); clearTimeout(say.timer); say.timer = setTimeout(() => el.classList.remove('on'), 1800); }
export async function copy(text) { try { await navigator.clipboard.writeText(text); say(t('Copied')); } catch { say(t('Copy it by hand: {s}', { s: text })); } }

// patch shows a unified diff, line by line.
export function patch(text) {
  let old = 0, now = 0;
  const lines = text.split('\n').slice(0, 5000).map(line => {
    const at = line.match(/^@@ -(\d+)(?:,\d+)? \+(\d+)/);
    if (at) { old = +at[1]; now = +at[2]; }
    const kind = at || /^(diff|index|---|\+\+\+|new|deleted|similarity|rename|old) /.test(line) ? 'h' : line[0] === '+' ? 'a' : line[0] === '-' ? 'd' : '';
    const a = kind === '' || kind === 'd' ? old++ : '', b = kind === '' || kind === 'a' ? now++ : '';
    return h('div', { class: 'dl ' + kind }, h('span', null, String(a)), h('span', null, String(b)), h('span', { 'aria-hidden': 'true' }, kind === 'a' ? '+' : kind === 'd' ? '−' : ''), h('span', null, kind === 'a' || kind === 'd' || kind === '' ? line.slice(1) || ' ' : line));
  });
  return h('div', { class: 'diff' }, lines);
}

// VirtualList shows a part of many rows of one height; the others are not in the document.
export class VirtualList {
  constructor(el, height, draw, atEnd) {
    Object.assign(this, { el, height, draw, atEnd, rows: [], shown: new Map() });
    this.spacer = h('div', { class: 'spacer', role: 'presentation' });
    el.append(this.spacer);
    let frame = 0;
    el.addEventListener('scroll', () => { cancelAnimationFrame(frame); frame = requestAnimationFrame(() => this.show()); }, { passive: true });
  }
  set(rows, anew = true) {
    this.rows = rows;
    if (anew) { for (const row of this.shown.values()) row.remove(); this.shown.clear(); }
    this.show();
  }
  show() {
    const H = this.height(), n = this.rows.length, top = this.el.scrollTop, from = Math.max(0, (top / H | 0) - 6), to = Math.min(n, ((top + this.el.clientHeight) / H | 0) + 8);
    this.spacer.style.height = n * H + 'px';
    for (const [i, row] of this.shown) if (i < from || i >= to) { if (row.contains(document.activeElement)) this.el.focus({ preventScroll: true }); row.remove(); this.shown.delete(i); }
    for (let i = from; i < to; i++) if (!this.shown.has(i)) {
      const row = this.draw(this.rows[i], i);
      row.style.transform = `translateY(${i * H}px)`;
      this.shown.set(i, row);
      this.el.append(row);
    }
    if (to === n && n > 0) this.atEnd?.();
  }
  reveal(i) { const H = this.height(), el = this.el; if (i * H < el.scrollTop) el.scrollTop = i * H; else if ((i + 1) * H > el.scrollTop + el.clientHeight) el.scrollTop = (i + 1) * H - el.clientHeight; this.show(); }
}
