// Drawing: what is visible, in work that grows with the pixels and not with the events.

const NAMES = 190, OVERVIEW = 38, RULER = 28, TOP = OVERVIEW + RULER;
const LEVELS = 8;
const COLOURS = {
  light: {
    lanes: ['#2563a8', '#c4690c', '#2f8558', '#8247b5', '#0f7f8c', '#a8446f'],
    ground: '#ffffff', raised: '#f5f7f9', text: '#1f2933', quiet: '#66727f', grid: '#e9edf1', rule: '#d5dce3', trouble: '#cc1f2d', driver: '#52606d', accent: '#2563a8',
  },
  dark: {
    lanes: ['#62a8f0', '#f2a04a', '#62c994', '#bb8cf0', '#4cc6d4', '#ec86b3'],
    ground: '#12181f', raised: '#1a222b', text: '#e6ebf0', quiet: '#9fb0c0', grid: '#222c36', rule: '#303c48', trouble: '#ff6b74', driver: '#b4c2cf', accent: '#62a8f0',
  },
};
const FONT = '"Inter", "Segoe UI", "Helvetica Neue", "DejaVu Sans", Arial, sans-serif';

class Painter {
  constructor(canvas, model) {
    Object.assign(this, { canvas, model, context: canvas.getContext('2d'), times: new Times(model.facts.tick) });
    this.colours = COLOURS.light;
    this.resize();
  }

  resize() {
    const ratio = globalThis.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    this.width = Math.max(clientWidth, NAMES + 100);
    this.height = Math.max(clientHeight, TOP + 40);
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.overview = undefined;
  }

  // Turns to another window in time: between instants `from` and `to`, and pixels `left` and `right`.
  look(from, to, left = NAMES, right = this.width) {
    Object.assign(this, { from, to, left, right, scale: (right - left) / (to - from) });
  }

  x(instant) { return this.left + (instant - this.from) * this.scale; }

  instant(x) { return this.from + (x - this.left) / this.scale; }

  draw(view, selected, cursors = {}) {
    work.frames++;
    const { context, colours } = this;
    context.globalAlpha = 1;
    context.fillStyle = colours.ground;
    context.fillRect(0, 0, this.width, this.height);
    this.drawOverview(view);
    this.look(view.from, view.to);
    this.drawRuler();
    context.save();
    context.beginPath();
    context.rect(0, TOP, this.width, this.height - TOP);
    context.clip();
    for (const lane of this.visibleLanes(view.top)) this.drawLane(lane, TOP + lane.top - view.top);
    if (selected) this.drawSelected(selected, view.top);
    context.beginPath();
    context.rect(NAMES, TOP, this.width - NAMES, this.height - TOP);
    context.clip();
    this.drawLost();
    this.drawCursors(cursors);
    context.restore();
    this.line(NAMES - 0.5, OVERVIEW, NAMES - 0.5, this.height, colours.rule);
  }

  visibleLanes(top) {
    const { lanes, tops } = this.model;
    const visible = [];
    for (let index = Math.max(0, above(tops, top) - 1); index < lanes.length && lanes[index].top < top + this.height - TOP; index++) visible.push(lanes[index]);
    return visible;
  }

  drawOverview(view) {
    const { context, model, colours } = this;
    this.look(model.start, model.end);
    this.track(model.load, 8, OVERVIEW - 14, colours.accent, 0.75);
    if (model.lost) this.track(model.lost, 3, 4, colours.trouble, 1);
    this.marks(model.troubles.at, 2, (x) => context.rect(x - 1, 4, 2, OVERVIEW - 8), colours.trouble);
    const left = this.x(view.from), right = Math.max(this.x(view.to), left + 3);
    context.globalAlpha = 0.1;
    context.fillStyle = colours.text;
    context.fillRect(left, 3, right - left, OVERVIEW - 6);
    context.globalAlpha = 1;
    context.strokeStyle = colours.quiet;
    context.lineWidth = 1;
    context.strokeRect(Math.max(left, NAMES) + 0.5, 3.5, Math.min(right, this.width) - Math.max(left, NAMES) - 1, OVERVIEW - 7);
    this.text('the processor, whole run', 12, OVERVIEW / 2, colours.quiet, 12);
    this.line(0, OVERVIEW - 0.5, this.width, OVERVIEW - 0.5, colours.rule);
  }

  drawRuler() {
    const { context, colours } = this;
    for (const { x, label } of this.ticks()) {
      this.line(x, TOP, x, this.height, colours.grid);
      this.line(x, TOP - 7, x, TOP, colours.quiet);
      context.textAlign = 'center';
      if (x > NAMES + 26 && x < this.width - 26) this.text(label, x, OVERVIEW + 12, colours.quiet, 12);
      context.textAlign = 'left';
    }
    this.line(0, TOP - 0.5, this.width, TOP - 0.5, colours.rule);
  }

  // Round instants with their labels, in nanoseconds, so that no label is a tick beside what it says.
  ticks() {
    const tick = this.model.facts.tick, nanosecond = tick.ticks / tick.nanoseconds;
    const from = this.from / nanosecond, to = this.to / nanosecond;
    let spacing = 110;
    for (;;) {
      const step = roundStep(spacing / this.scale / nanosecond);
      const unit = unitOf(step, to), ticks = [];
      for (let at = Math.ceil(from / step) * step; at <= to && ticks.length < 60; at += step) ticks.push({ x: Math.round(this.x(at * nanosecond)) + 0.5, label: unit.label(at) });
      const longest = Math.max(...ticks.map(({ label }) => label.length), 0);
      if (longest * 7 + 14 <= step * nanosecond * this.scale || spacing > this.width) return ticks;
      spacing *= 2;
    }
  }

  // Where the trace has lost something, over all lanes.
  drawLost() {
    const { model, context, colours } = this;
    if (!model.lost) return;
    this.hatching ??= {};
    this.hatching[colours.trouble] ??= hatching(context, colours.trouble);
    this.track(model.lost, TOP, this.height - TOP, this.hatching[colours.trouble], 0.5);
  }

  // The cursors of the plot.
  drawCursors(cursors) {
    for (const at of Object.values(cursors)) this.line(this.x(at), TOP, this.x(at), this.height, this.colours.text);
  }

  drawLane(lane, y) {
    const { context, colours } = this;
    if (lane.kind === 'heading') {
      context.globalAlpha = 1;
      context.fillStyle = colours.raised;
      context.fillRect(0, y + 4, this.width, lane.height - 4);
      this.track(lane.runs, y + 9, lane.height - 14, colours.quiet, 0.5);
      context.fillStyle = colours.raised;
      context.globalAlpha = 1;
      context.fillRect(0, y + 4, NAMES, lane.height - 4);
      this.text(lane.heading, 12, y + lane.height / 2 + 2, colours.text, 12, 600, NAMES - 20);
      return;
    }
    this.text(lane.name, 24, y + lane.height / 2 + (lane.kind === 'thread' ? 4 : 0), colours.text, 13, 400, NAMES - 34);
    context.save();
    context.beginPath();
    context.rect(NAMES, y, this.width - NAMES, lane.height);
    context.clip();
    if (lane.kind === 'thread') this.drawThread(lane, y);
    else if (lane.kind === 'span') this.drawSpans(lane, y);
    else if (lane.kind === 'band') this.drawBands(lane, y);
    else this.drawSignal(lane, y);
    context.restore();
  }

  drawThread(lane, y) {
    const { context, colours, model } = this;
    const colour = colours.lanes[lane.colour % colours.lanes.length];
    const thread = model.threads.get(lane.thread);
    this.line(NAMES, y + lane.height - 3.5, this.width, y + lane.height - 3.5, colours.grid);
    if (thread) {
      this.track(thread.logical, y + 12, 1.5, colour, 0.7);
      this.track(thread.open, y + 16, 18, colour, 0.28);
      this.track(thread.running, y + 16, 18, colour, 1);
      if (this.isCrowded(thread.releases)) this.marks(thread.releases, 3, (x) => context.rect(x - 0.5, y + 9, 1, 3), colours.quiet);
      else {
        this.marks(thread.releases, 6, (x) => triangle(context, x, y + 2, y + 12, 6), colour);
        this.marks(thread.deadlines, 6, (x) => triangle(context, x, y + 12, y + 2, -6), colours.text);
      }
    }
    const troubles = model.troubles.by.get(lane.thread);
    if (troubles) this.marks(troubles.at, 4, (x) => context.rect(x - 1, y + 2, 2.5, lane.height - 5), colours.trouble);
  }

  drawSpans(lane, y) {
    this.line(NAMES, y + lane.height - 0.5, this.width, y + lane.height - 0.5, this.colours.grid);
    const spans = this.model.spans.get(lane.span);
    if (spans) this.track(spans.track, y + 4, lane.height - 9, lane.lost ? this.colours.trouble : this.colours.driver, 0.8);
  }

  // Modes: each in its colour with its name, where they are wider than a pixel; others are one grey.
  drawBands(lane, y) {
    const { model, colours } = this;
    const { track, words, kinds } = model.spans.get(lane.span);
    const rectangles = new Map(kinds.map((kind) => [kind, []])), narrow = [], names = [];
    let index = above(track.to, this.from);
    while (index < track.count && track.from[index] < this.to) {
      const left = Math.max(this.x(track.from[index]), this.left), right = Math.min(this.x(track.to[index]), this.right);
      if (right - left >= 1) {
        rectangles.get(words[index]).push(left, right - left);
        if (right - left > 30) names.push([left, right, model.facts.spans[words[index]][0]]);
        index++;
        continue;
      }
      const column = Math.floor(left);
      addColumn(narrow, column);
      index = Math.max(above(track.to, this.instant(column + 1), index), index + 1);
    }
    kinds.forEach((kind, place) => this.fill(rectangles.get(kind), y + 3, lane.height - 7, colours.lanes[place % colours.lanes.length], 0.45));
    this.fill(narrow, y + 3, lane.height - 7, colours.quiet, 0.45);
    for (const [left, right, name] of names) {
      this.line(left + 0.5, y + 3, left + 0.5, y + lane.height - 4, colours.ground);
      this.text(name, left + 7, y + lane.height / 2, colours.text, 12, 500, right - left - 12);
    }
  }

  drawSignal(lane, y) {
    const { context, colours, model } = this;
    const signal = model.columns.samples[lane.signal];
    const middle = y + lane.height / 2;
    this.line(NAMES, y + lane.height - 0.5, this.width, y + lane.height - 0.5, colours.grid);
    if (lane.port) this.marks(signal.at, 3, (x) => context.rect(x - 1, middle - 5, 2.5, 10), colours.driver);
    else this.marks(signal.at, 3, (x) => { context.moveTo(x + 3.2, middle); context.arc(x, middle, 3.2, 0, 7); }, colours.driver);
    this.values(signal, middle);
  }

  // Values beside their marks, where there is room for them.
  values(signal, middle) {
    const { model, colours } = this;
    let index = notBelow(signal.at, this.from);
    for (let shown = 0; shown < 200 && index < signal.at.length && signal.at[index] <= this.to; shown++) {
      const x = this.x(signal.at[index]);
      const room = (index + 1 < signal.at.length ? this.x(signal.at[index + 1]) : this.width) - x - 20;
      const text = textOf(model, signal, index);
      if (room < 60) return;
      if (text && text.length * 6.3 < room) this.text(text, x + 9, middle, colours.quiet, 11);
      index++;
    }
  }

  drawSelected(selected, top) {
    const { context, colours, model } = this;
    const lane = model.lanes.find((lane) => lane.kind === 'thread' && lane.thread === model.columns.jobs.thread[selected.job]);
    if (!lane) return;
    const y = TOP + lane.top - top;
    const end = selected.end === Infinity ? this.to : selected.end;
    const left = Math.max(this.x(selected.release), NAMES - 2), right = Math.min(this.x(end), this.width + 2);
    context.globalAlpha = 1;
    context.strokeStyle = colours.text;
    context.lineWidth = 1.5;
    if (right >= NAMES && left <= this.width) context.strokeRect(left - 0.5, y + 14.5, Math.max(right - left, 2) + 1, 21);
    for (const [instant, dash] of [[selected.release, []], [selected.deadline, [4, 4]]]) {
      const x = this.x(instant);
      if (x < NAMES || x > this.width) continue;
      context.setLineDash(dash);
      this.line(x, TOP, x, this.height, colours.quiet);
      context.setLineDash([]);
    }
  }

  // A track: wide intervals as they are, narrow ones as how much of their pixel they cover.
  track(track, y, height, colour, strength) {
    const levels = Array.from({ length: LEVELS + 1 }, () => []);
    let index = above(track.to, this.from);
    while (index < track.count && track.from[index] < this.to) {
      const left = Math.max(this.x(track.from[index]), this.left), right = Math.min(this.x(track.to[index]), this.right);
      if (right - left >= 1) {
        levels[LEVELS].push(left, right - left);
        index++;
        continue;
      }
      const column = Math.floor(left);
      const until = this.instant(column + 1);
      const next = above(track.to, until, index);
      const part = next < track.count ? Math.max(0, until - track.from[next]) : 0;
      const covered = (track.sum[next] + part - track.sum[index]) * this.scale;
      addColumn(levels[Math.min(LEVELS, Math.max(1, Math.ceil(covered * LEVELS)))], column);
      index = Math.max(next, index + 1);
    }
    levels.forEach((rectangles, level) => this.fill(rectangles, y, height, colour, strength * (0.25 + 0.75 * level / LEVELS)));
  }

  fill(rectangles, y, height, colour, alpha) {
    if (!rectangles.length) return;
    const { context } = this;
    context.globalAlpha = alpha;
    context.fillStyle = colour;
    context.beginPath();
    for (let index = 0; index < rectangles.length; index += 2) context.rect(rectangles[index], y, rectangles[index + 1], height);
    context.fill();
    context.globalAlpha = 1;
    work.primitives += rectangles.length / 2;
  }

  // Whether so many instants are visible that each has less room than a mark.
  isCrowded(instants) {
    const first = notBelow(instants, this.from);
    return (above(instants, this.to, first) - first) * 14 > this.right - this.left;
  }

  // Marks at sorted instants, no two of them closer than `spacing` pixels.
  marks(instants, spacing, mark, colour) {
    const { context } = this;
    const near = spacing / this.scale;
    context.globalAlpha = 1;
    context.fillStyle = colour;
    context.beginPath();
    let index = notBelow(instants, this.from - near);
    while (index < instants.length && instants[index] <= this.to + near) {
      const x = this.x(instants[index]);
      mark(x);
      work.primitives++;
      index = Math.max(notBelow(instants, this.instant(x + spacing), index), index + 1);
    }
    context.fill();
  }

  line(fromX, fromY, toX, toY, colour) {
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
    context.stroke();
    work.primitives++;
  }

  text(text, x, y, colour, size, weight = 400, room = Infinity) {
    const { context } = this;
    context.globalAlpha = 1;
    context.font = `${weight} ${size}px ${FONT}`;
    context.fillStyle = colour;
    context.textBaseline = 'middle';
    let shown = text;
    while (shown.length > 1 && context.measureText(shown).width > room) shown = `${shown.slice(0, -2)}…`;
    context.fillText(shown, x, y);
    work.primitives++;
  }
}

// 1, 2 or 5 times a power of ten, at least so many nanoseconds and at least one.
function roundStep(nanoseconds) {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(nanoseconds)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= nanoseconds * 0.999) ?? 10) * power;
}

// Oblique lines, as a pattern to fill with.
function hatching(context, colour) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 8;
  const lines = tile.getContext('2d');
  lines.strokeStyle = colour;
  lines.lineWidth = 2;
  lines.beginPath();
  for (const shift of [-8, 0, 8]) { lines.moveTo(shift, 8); lines.lineTo(shift + 8, 0); }
  lines.stroke();
  return context.createPattern(tile, 'repeat');
}

// Neighbouring columns of one level are one rectangle.
function addColumn(rectangles, column) {
  const last = rectangles.length - 2;
  if (last >= 0 && rectangles[last] + rectangles[last + 1] === column) rectangles[last + 1]++;
  else rectangles.push(column, 1);
}

// Half an arrow: a release stands to the right of its instant, a deadline to the left, so that both can be seen.
function triangle(context, x, tip, base, width) {
  context.moveTo(x, tip);
  context.lineTo(x + width, base);
  context.lineTo(x, base);
  context.closePath();
}
