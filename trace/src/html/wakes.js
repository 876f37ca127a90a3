// Wake-ups: arrows from the instant at which a run of one thread woke another one to where that one's next run begins.

class Wakes {
  constructor(columns) {
    const { wakes, runs } = columns;
    Object.assign(this, { runs, ...wakes });
    // By where their arrows end.
    this.begins = pick(this.woken, runs.from);
    this.order = Uint32Array.from(this.begins.keys());
    if (!isSorted(this.begins)) this.order.sort((one, other) => this.begins[one] - this.begins[other] || one - other);
    this.begins = pick(this.order, this.begins);
  }

  // Those whose arrows begin or end between two instants.
  within(from, to) {
    const [first, last] = [notBelow(this.at, from), above(this.at, to)], found = [];
    for (let wake = first; wake < last; wake++) found.push(wake);
    for (let place = notBelow(this.begins, from); place < this.begins.length && this.begins[place] <= to; place++) {
      const wake = this.order[place];
      if (wake < first || wake >= last) found.push(wake);
    }
    return found;
  }

  // What woke a thread to a run that begins at an instant; nothing if nobody did.
  of(thread, begin) {
    for (let place = notBelow(this.begins, begin); this.begins[place] === begin; place++) {
      const wake = this.order[place];
      if (this.runs.thread[this.woken[wake]] === thread) return { at: this.at[wake], by: this.runs.thread[this.by[wake]] };
    }
    return undefined;
  }
}

// Where lanes of threads have their bars, below their tops.
const BAR = [16, 34];

// Arrows between the lanes that are shown; none where there are so many that they would tell nothing.
function drawWakes(painter, top) {
  painter.model.kernels.forEach((model) => drawWakesOf(painter, model, top));
}

function drawWakesOf(painter, model, top) {
  const { context, colours } = painter;
  const { wakes } = model;
  if (painter.isCrowded(wakes.at)) return;
  const own = painter.model.lanes.filter((lane) => lane.model === model && lane.kind === 'thread');
  const lanes = new Map(own.map((lane) => [lane.thread, TOP + lane.top - top]));
  context.globalAlpha = 0.8;
  context.strokeStyle = context.fillStyle = colours.text;
  context.lineWidth = 1.2;
  for (const wake of wakes.within(painter.from, painter.to)) {
    const [from, to] = [wakes.by[wake], wakes.woken[wake]].map((run) => lanes.get(wakes.runs.thread[run]));
    if (from === undefined || to === undefined || from === to) continue;
    const [below, above] = from < to ? [1, 0] : [0, 1];
    arrow(context, painter.x(wakes.at[wake]), from + BAR[below], painter.x(wakes.runs.from[wakes.woken[wake]]), to + BAR[above]);
    work.primitives++;
  }
  context.globalAlpha = 1;
}

function arrow(context, fromX, fromY, toX, toY) {
  const length = Math.hypot(toX - fromX, toY - fromY) || 1;
  const [alongX, alongY] = [(toX - fromX) / length, (toY - fromY) / length];
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX - alongX * 5, toY - alongY * 5);
  context.stroke();
  context.beginPath();
  context.moveTo(toX, toY);
  for (const side of [-3.5, 3.5]) context.lineTo(toX - alongX * 7 - alongY * side, toY - alongY * 7 + alongX * side);
  context.fill();
}
