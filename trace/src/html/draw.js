// Drawing: what is visible, in work that grows with the pixels and not with the events.

const OVERVIEW = 38, RULER = 28, TOP = OVERVIEW + RULER;
// Where the names end: earlier on a narrow page.
let NAMES = 190;
function placeNames() { NAMES = innerWidth < 700 ? 110 : 190; }

const LEVELS = 8;
// Each of a theme's six can be told from the others, also by who sees no red, no green or no blue (`tests/colours.rs`).
const COLOURS = {
  light: {
    lanes: ['#2563a8', '#c37960', '#5c6b21', '#a072e6', '#2ba1a7', '#772953'],
    ground: '#ffffff', raised: '#f5f7f9', text: '#1f2933', quiet: '#66727f', grid: '#e9edf1', rule: '#d5dce3', trouble: '#cc1f2d', driver: '#52606d', accent: '#2563a8',
  },
  dark: {
    lanes: ['#62a8f0', '#c8900f', '#8be577', '#a24fb4', '#2e805a', '#f9c0e5'],
    ground: '#12181f', raised: '#1a222b', text: '#e6ebf0', quiet: '#9fb0c0', grid: '#222c36', rule: '#303c48', trouble: '#ff6b74', driver: '#b4c2cf', accent: '#62a8f0',
  },
};
const FONT = '"Inter", "Segoe UI", "Helvetica Neue", "DejaVu Sans", Arial, sans-serif';

class Painter {
  // A canvas that isn't on the page has a size of its own.
  constructor(canvas, model, size) {
    Object.assign(this, { canvas, model, context: canvas.getContext('2d'), times: new Times(model.facts.tick) });
    this.colours = COLOURS.light;
    this.hasArrows = true;
    this.resize(size);
  }

  resize([width, height] = [Math.max(this.canvas.clientWidth, NAMES + 100), Math.max(this.canvas.clientHeight, TOP + 40)]) {
    const ratio = globalThis.devicePixelRatio || 1;
    Object.assign(this, { width, height });
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
    this.drawLost(view.top);
    if (this.hasArrows) drawWakes(this, view.top);
    if (this.hasArrows) drawMessages(this, view.top);
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

  // The whole run, with what can be seen of it framed. It stays the same until the page or its colours change.
  drawOverview(view) {
    const { context, model, colours } = this;
    if (this.overview?.colours !== colours) this.overview = { colours, image: this.overviewImage() };
    context.drawImage(this.overview.image, 0, 0, this.width, OVERVIEW);
    this.look(model.start, model.end);
    const left = this.x(view.from), right = Math.max(this.x(view.to), left + 3);
    context.globalAlpha = 0.1;
    context.fillStyle = colours.text;
    context.fillRect(left, 3, right - left, OVERVIEW - 6);
    context.globalAlpha = 1;
    context.strokeStyle = colours.quiet;
    context.lineWidth = 1;
    context.strokeRect(Math.max(left, NAMES) + 0.5, 3.5, Math.min(right, this.width) - Math.max(left, NAMES) - 1, OVERVIEW - 7);
  }

  overviewImage() {
    const { model, colours } = this;
    const own = new Painter(document.createElement('canvas'), model, [this.width, OVERVIEW]);
    own.colours = colours;
    own.look(model.start, model.end);
    // Of several processors one below the other.
    const busy = model.kernels.filter((kernel) => kernel.load.count), height = (OVERVIEW - 14) / Math.max(1, busy.length);
    busy.forEach((kernel, place) => own.track(kernel.load, 8 + place * height, busy.length > 1 ? height - 1 : height, colours.accent, 0.75));
    for (const { lost } of model.kernels) if (lost) own.track(lost, 3, 4, colours.trouble, 1);
    own.marks(model.troubles.at, 2, (x) => own.context.rect(x - 1, 4, 2, OVERVIEW - 8), colours.trouble);
    own.text(busy.length > 1 ? 'processors, whole run' : 'the processor, whole run', 12, OVERVIEW / 2, colours.quiet, 12, 400, NAMES - 20);
    own.line(0, OVERVIEW - 0.5, this.width, OVERVIEW - 0.5, colours.rule);
    return own.canvas;
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

  // Where a trace has lost something, over all lanes of its kernel.
  drawLost(top) {
    const { model: whole, context, colours } = this;
    for (const model of whole.kernels) {
      const extent = model.lost && whole.extent(model);
      if (!extent) continue;
      this.hatching ??= {};
      this.hatching[colours.trouble] ??= patterned(context, colours.trouble, OBLIQUE, 2);
      const [from, to] = whole.isSeveral ? extent.map((y) => TOP + y - top) : [TOP, this.height];
      this.track(model.lost, from, to - from, this.hatching[colours.trouble], 0.5);
    }
  }

  // The cursors of the plot.
  drawCursors(cursors) {
    for (const at of Object.values(cursors)) this.line(this.x(at), TOP, this.x(at), this.height, this.colours.text);
  }

  drawLane(lane, y) {
    const { context, colours } = this;
    if (lane.kind === 'kernel') return this.drawKernel(lane, y);
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

  // The row of a kernel: its name, and when its processor was busy.
  drawKernel(lane, y) {
    const { context, colours } = this;
    this.fill([0, this.width], y + 1, lane.height - 2, colours.rule, 1);
    this.track(lane.runs, y + 9, lane.height - 17, colours.accent, 0.75);
    this.fill([0, NAMES], y + 1, lane.height - 2, colours.rule, 1);
    const middle = y + lane.height / 2;
    context.fillStyle = colours.text;
    context.beginPath();
    for (const [x, side] of lane.isUnfolded ? [[8, -3], [16, -3], [12, 4]] : [[9, -4], [9, 4], [16, 0]]) context.lineTo(x, middle + side);
    context.fill();
    this.text(lane.name, 22, middle + 1, colours.text, 13, 700, NAMES - 30);
  }

  drawThread(lane, y) {
    const { context, colours } = this, { model } = lane;
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
    const spans = lane.model.spans.get(lane.span);
    if (!spans) return;
    this.track(spans.track, y + 4, lane.height - 9, lane.lost || lane.trouble ? this.colours.trouble : this.colours.driver, 0.8);
    // However short it was, an interrupt can be seen.
    if (lane.interrupt) this.marks(spans.track.from, 5, (x) => wedge(this.context, x, y + 3), this.colours.text);
  }

  // Modes: each in its colour and its pattern with its name, where they are wider than a pixel; others are one grey.
  drawBands(lane, y) {
    const { colours } = this, { model } = lane;
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
    kinds.forEach((kind, place) => {
      const colour = colours.lanes[place % colours.lanes.length], own = rectangles.get(kind);
      this.fill(own, y + 3, lane.height - 7, colour, 0.2);
      this.fill(own, y + 3, lane.height - 7, this.pattern(colour, place), 0.5);
      this.fill(own, y + 3, 3, colour, 1);
    });
    this.fill(narrow, y + 3, lane.height - 7, colours.quiet, 0.45);
    for (const [left, right, name] of names) {
      this.line(left + 0.5, y + 3, left + 0.5, y + lane.height - 4, colours.ground);
      this.text(name, left + 7, y + lane.height / 2 + 1, colours.text, 12, 600, right - left - 12, colours.ground);
    }
  }

  // What the modes of a module are filled with, one after the other.
  pattern(colour, place) {
    this.patterns ??= new Map();
    const key = `${colour} ${place % PATTERNS.length}`;
    if (!this.patterns.has(key)) this.patterns.set(key, patterned(this.context, colour, PATTERNS[place % PATTERNS.length]));
    return this.patterns.get(key);
  }

  drawSignal(lane, y) {
    const { context, colours } = this, { model } = lane;
    const signal = model.columns.samples[lane.signal];
    const middle = y + lane.height / 2;
    this.line(NAMES, y + lane.height - 0.5, this.width, y + lane.height - 0.5, colours.grid);
    if (lane.origin) this.marks(signal.at, 3, (x) => context.rect(x - 1, middle - 5, 2.5, 10), colours.driver);
    else this.marks(signal.at, 3, (x) => { context.moveTo(x + 3.2, middle); context.arc(x, middle, 3.2, 0, 7); }, colours.driver);
    this.values(model, signal, middle);
  }

  // Values beside their marks, where there is room for them.
  values(model, signal, middle) {
    const { colours } = this;
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
    const thread = selected.model.columns.jobs.thread[selected.job];
    const lane = model.lanes.find((lane) => lane.kind === 'thread' && lane.model === selected.model && lane.thread === thread);
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
    let index = above(track.to, this.from), stride = 0;
    while (index < track.count && track.from[index] < this.to) {
      const left = Math.max(this.x(track.from[index]), this.left), right = Math.min(this.x(track.to[index]), this.right);
      if (right - left >= 1) {
        levels[LEVELS].push(left, right - left);
        index++;
        continue;
      }
      const column = Math.floor(left);
      const until = this.instant(column + 1);
      const next = aboveNear(track.to, until, index, stride);
      stride = next - index;
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
    let index = notBelow(instants, this.from - near), stride = 0;
    while (index < instants.length && instants[index] <= this.to + near) {
      const x = this.x(instants[index]);
      mark(x);
      work.primitives++;
      const next = Math.max(aboveNear(instants, this.instant(x + spacing), index, stride), index + 1);
      stride = next - index;
      index = next;
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

  // With a ground behind it, it can be read on whatever is there.
  text(text, x, y, colour, size, weight = 400, room = Infinity, ground = undefined) {
    const { context } = this;
    context.globalAlpha = 1;
    context.font = `${weight} ${size}px ${FONT}`;
    context.fillStyle = colour;
    context.textBaseline = 'middle';
    let shown = text;
    while (shown.length > 1 && context.measureText(shown).width > room) shown = `${shown.slice(0, -2)}…`;
    if (ground) {
      Object.assign(context, { strokeStyle: ground, lineWidth: 3, lineJoin: 'round' });
      context.strokeText(shown, x, y);
    }
    context.fillText(shown, x, y);
    work.primitives++;
  }
}

// 1, 2 or 5 times a power of ten, at least so many nanoseconds and at least one.
function roundStep(nanoseconds) {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(nanoseconds)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= nanoseconds * 0.999) ?? 10) * power;
}

// Lines within a tile of 8 by 8 pixels, from and to.
const OBLIQUE = [[-8, 8, 0, 0], [0, 8, 8, 0], [8, 8, 16, 0]];
const PATTERNS = [[], OBLIQUE, [[0, -8, 8, 0], [0, 0, 8, 8], [0, 8, 8, 16]], [[4, 0, 4, 8]], [[0, 4, 8, 4]], [[2, 4, 5, 4]]];

// A tile of lines, as a pattern to fill with.
function patterned(context, colour, drawn, width = 1.5) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 8;
  const lines = tile.getContext('2d');
  lines.strokeStyle = colour;
  lines.lineWidth = width;
  lines.beginPath();
  for (const [fromX, fromY, toX, toY] of drawn) { lines.moveTo(fromX, fromY); lines.lineTo(toX, toY); }
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

// An interrupt comes from above.
function wedge(context, x, top) {
  context.moveTo(x, top + 11);
  context.lineTo(x - 4, top);
  context.lineTo(x + 4, top);
  context.closePath();
}
