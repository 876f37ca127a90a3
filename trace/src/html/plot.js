// The plot: several curves over the same time as the lanes above, each unit with an axis of its own.

const PLOT_TOP = 22, PLOT_BOTTOM = 12;
// In place of a unit.
const TRUTH = 'true or false';

class Plot extends Painter {
  constructor(canvas, model) {
    super(canvas, model);
    this.isFitted = false;
  }

  draw(view, shown, cursors) {
    const { context, colours } = this;
    context.globalAlpha = 1;
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, this.width, this.height);
    this.look(view.from, view.to);
    for (const { x } of this.ticks()) this.line(x, PLOT_TOP - 6, x, this.height, colours.grid);
    context.save();
    context.beginPath();
    context.rect(NAMES, 0, this.width - NAMES, this.height);
    context.clip();
    const axes = this.axes(shown);
    axes.forEach((axis, place) => this.drawAxis(axis, place));
    for (const axis of axes) for (const entry of axis.entries) this.drawEntry(entry, axis);
    this.drawCursors(cursors);
    if (!shown.length) this.text('no curve is chosen: the list on the left has all of them', NAMES + 16, this.height / 2, colours.quiet, 13);
    context.restore();
    this.line(NAMES - 0.5, 0, NAMES - 0.5, this.height, colours.rule);
    this.line(0, 0.5, this.width, 0.5, colours.rule);
  }

  // What is shown, by units: from the least to the greatest value of the run, or of what can be seen.
  axes(shown) {
    const axes = new Map();
    for (const entry of shown) {
      const unit = entry.unit ?? (entry.kind === 'boolean' ? TRUTH : '');
      if (!axes.has(unit)) axes.set(unit, { unit, entries: [], least: Infinity, most: -Infinity });
      const axis = axes.get(unit);
      axis.entries.push(entry);
      for (const curve of entry.curves) {
        const { least = Infinity, most = -Infinity } = this.isFitted ? curve.seen(this.from, this.to) : curve.limits ?? curve.seen(-Infinity, Infinity);
        axis.least = Math.min(axis.least, least);
        axis.most = Math.max(axis.most, most);
      }
    }
    const bounded = [...axes.values()];
    for (const axis of bounded) {
      if (!(axis.least <= axis.most)) Object.assign(axis, { least: 0, most: 1 });
      if (axis.least === axis.most) Object.assign(axis, { least: axis.least - 1, most: axis.most + 1 });
    }
    return bounded;
  }

  // On a row of pixels, so that lines are sharp.
  y(value, { least, most }) {
    // Half and half: what lies between two huge numbers can be more than there are numbers for.
    const part = (value / 2 - least / 2) / (most / 2 - least / 2);
    return Math.round(this.height - PLOT_BOTTOM - part * (this.height - PLOT_TOP - PLOT_BOTTOM)) + 0.5;
  }

  // The first axis stands on the left and has lines, the second on the right; of others the table tells.
  drawAxis(axis, place) {
    const { colours, context } = this;
    if (place > 1) return;
    const step = Math.max(roundValue((axis.most - axis.least) / Math.max(2, Math.floor(this.height / 55))), axis.unit === TRUTH ? 1 : 0);
    const colour = axis.entries.length === 1 ? this.colour(axis.entries[0]) : colours.quiet;
    context.textAlign = place ? 'right' : 'left';
    const x = place ? this.width - 6 : NAMES + 6;
    if (Number.isFinite(step)) {
      for (let at = Math.ceil(axis.least / step); at * step <= axis.most && at < Math.ceil(axis.least / step) + 40; at++) {
        const y = this.y(at * step, axis);
        if (!place) this.line(NAMES, y, this.width, y, colours.grid);
        if (y > 28) this.text(roundedText(at * step), x, y - 7, colour, 11);
      }
    }
    this.text(axis.unit, x, 10, colour, 11, 600);
    context.textAlign = 'left';
  }

  colour(entry) { return this.colours.lanes[entry.colour % this.colours.lanes.length]; }

  // Where there are several runs, the first is broad and pale and the others are thin over it: so equal ones can be seen, too.
  drawEntry(entry, axis) {
    const { context } = this;
    context.strokeStyle = this.colour(entry);
    for (const curve of entry.curves) {
      const isBelow = entry.curves.length > 1 && curve.run === 0;
      context.lineWidth = isBelow ? 5 : 1.6;
      context.globalAlpha = isBelow ? 0.35 : 1;
      context.setLineDash(curve.run > 0 ? [7, 4] : []);
      this.drawCurve(curve, axis);
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  // In steps; where several values come within a pixel, from the least of them to the greatest.
  drawCurve(curve, axis) {
    const { context } = this;
    const { at, values, count } = curve;
    const until = Math.min(this.to, curve.end);
    let isOpen = false;
    const to = (x, value) => {
      if (Number.isNaN(value)) isOpen = false;
      else if (isOpen) context.lineTo(x, this.y(value, axis));
      else { context.moveTo(x, this.y(value, axis)); isOpen = true; }
    };
    context.beginPath();
    let index = Math.max(curve.position(this.from), 0), last = NaN;
    while (index < count && at[index] <= until) {
      const x = Math.max(this.x(at[index]), this.left - 2);
      const next = Math.max(above(at, this.instant(Math.floor(x) + 1), index), index + 1);
      if (isOpen) to(x, last);
      if (next - index > 1) {
        const [least, most] = curve.extremes(index, next);
        if (least <= most) { to(x, least); to(x, most); }
      }
      last = values[next - 1];
      to(x, last);
      index = next;
      work.primitives++;
    }
    if (isOpen) to(Math.min(this.x(until), this.right + 2), last);
    context.stroke();
  }

  drawCursors({ A, B }) {
    const { context, colours } = this;
    if (A !== undefined && B !== undefined) {
      const [left, right] = [A, B].map((at) => Math.min(Math.max(this.x(at), NAMES), this.width));
      context.globalAlpha = 0.07;
      context.fillStyle = colours.text;
      context.fillRect(Math.min(left, right), 0, Math.abs(right - left), this.height);
      context.globalAlpha = 1;
    }
    for (const [name, at] of [['A', A], ['B', B]]) {
      const x = at === undefined ? -1 : this.x(at);
      if (x < NAMES || x > this.width) continue;
      this.line(x, 0, x, this.height, colours.text);
      this.text(name, x + 4, 10, colours.text, 12, 700);
    }
  }
}

// 1, 2 or 5 times a power of ten, at least as much.
function roundValue(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].find((factor) => factor * power >= value) * power;
}
