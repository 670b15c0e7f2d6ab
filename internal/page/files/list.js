// A list of many rows of one height: only those that can be seen are in the document.
import { $, h } from './dom.js';

const ABOVE = 2, BELOW = 4; // rows that are ready before they are seen
const EACH = 6; // rows that are drawn in a frame while the list scrolls: a whole window of them holds a frame up for more than 50 ms

export class VirtualList {
  constructor(el, height, draw, { atEnd, moved, drawn }) {
    Object.assign(this, { el, height, draw, atEnd, moved, drawn, rows: [], shown: new Map(), top: 0, tall: 0 });
    this.spacer = h('div', { class: 'spacer', role: 'presentation' });
    el.append(this.spacer);
    this.frame = 0;
    el.addEventListener('scroll', () => this.later(), { passive: true });
    new ResizeObserver(() => { this.measure(); this.show(); }).observe(el);
  }

  // later draws what is seen by then, and goes on in the next frame where that was not all.
  later() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      this.measure();
      if (!this.show(EACH)) this.later();
      this.moved?.();
    });
  }

  // measure reads where the list stands: before anything is drawn, since what is asked for after that has the browser lay out all again.
  measure() {
    this.top = this.el.scrollTop;
    this.tall = this.el.clientHeight;
  }

  // set draws other rows; the one that had the focus has it again.
  set(rows, focus) {
    const has = document.activeElement;
    if (this.el !== has && this.el.contains(has)) focus = has.dataset.key;
    this.rows = rows;
    for (const row of this.shown.values()) row.remove();
    this.shown.clear();
    if (!this.tall) this.measure();
    this.show();
    if (focus) ($(`[data-key="${CSS.escape(focus)}"]`, this.el) || this.el).focus({ preventScroll: true });
  }

  // extend has more rows behind those that it had: what is drawn stays, and knows how many there are now.
  extend(rows) {
    this.rows = rows;
    for (const row of this.shown.values()) row.setAttribute('aria-setsize', rows.length);
    this.later();
  }

  // show draws the rows that are seen and are not there yet, at most so many of them, and reports whether that is all.
  show(most = Infinity) {
    const H = this.height(), n = this.rows.length;
    const from = Math.max(0, (this.top / H | 0) - ABOVE), to = Math.min(n, ((this.top + this.tall) / H | 0) + BELOW);
    this.spacer.style.height = n * H + 'px';
    for (const [i, row] of this.shown) {
      if (i >= from && i < to) continue;
      if (row.contains(document.activeElement)) this.el.focus({ preventScroll: true });
      row.remove();
      this.shown.delete(i);
    }
    for (let i = from; i < to; i++) {
      if (this.shown.has(i)) continue;
      if (--most < 0) return false;
      const row = this.draw(this.rows[i], i);
      row.style.transform = `translateY(${i * H}px)`;
      this.shown.set(i, row);
      this.el.append(row);
    }
    this.drawn?.(this.el);
    if (to === n && n > 0) this.atEnd?.();
    return true;
  }

  reveal(i) {
    const H = this.height(), el = this.el;
    if (i * H < el.scrollTop) el.scrollTop = i * H;
    else if ((i + 1) * H > el.scrollTop + el.clientHeight) el.scrollTop = (i + 1) * H - el.clientHeight;
    this.measure();
    this.show();
  }
}
