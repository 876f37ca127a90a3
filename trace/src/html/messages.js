// Messages: arrows from where one kernel has sent a value to the release of another one's job that has it. One that didn't arrive ends
// where it was sent.

class Messages {
  constructor(read, kernels) {
    Object.assign(this, read, { kernels });
    this.longest = 0;
    this.byJob = new Map();
    for (let message = 0; message < this.count; message++) {
      this.note(this.from[message], message);
      for (const reader of this.readers[message]) {
        this.note(reader, message);
        this.longest = Math.max(this.longest, this.release(reader) - this.sent[message]);
      }
    }
  }

  note([kernel, job], message) {
    const key = `${kernel} ${job}`;
    if (!this.byJob.has(key)) this.byJob.set(key, []);
    this.byJob.get(key).push(message);
  }

  jobs(kernel) { return this.kernels[kernel].columns.jobs; }

  release([kernel, job]) { return this.jobs(kernel).release[job]; }

  thread([kernel, job]) { return this.jobs(kernel).thread[job]; }

  name(end) {
    const model = this.kernels[end[0]];
    return `${model.name(this.thread(end))} on ${model.facts.name}`;
  }

  // Those that are sent or read between two instants, or are under way.
  within(from, to) {
    const found = [];
    for (let message = notBelow(this.sent, from - this.longest); message < this.count && this.sent[message] <= to; message++) found.push(message);
    return found;
  }

  // What a job has sent and what it has read, in words.
  tell(model, job, times) {
    const messages = this.byJob.get(`${model.place} ${job}`) ?? [];
    return messages.map((message) => {
      const [kernel, own] = this.from[message], at = times.at(this.sent[message]);
      if (kernel !== model.place || own !== job) return `has what ${this.name(this.from[message])} sent at ${at}`;
      if (this.isGone[message]) return `✕ sent at ${at}, and didn't arrive`;
      return `sent at ${at} to ${this.readers[message].map((reader) => this.name(reader)).join(', ')}`;
    });
  }
}

// Where a thread of a kernel is: its lane, or the kernel's own row if that is folded; nothing where neither is shown.
function placesOf(whole, top) {
  const rows = new Map();
  for (const lane of whole.lanes) {
    if (lane.kind === 'thread') rows.set(`${lane.model.place} ${lane.thread}`, [TOP + lane.top - top + BAR[0], TOP + lane.top - top + BAR[1]]);
    else if (lane.kind === 'kernel' && !lane.isUnfolded) rows.set(`${lane.model.place}`, [TOP + lane.top - top + 8, TOP + lane.top - top + lane.height - 6]);
  }
  return ([kernel], thread) => rows.get(`${kernel} ${thread}`) ?? rows.get(`${kernel}`);
}

function drawMessages(painter, top) {
  const { model: whole, context, colours } = painter;
  const { messages } = whole;
  if (!messages.count || painter.isCrowded(messages.sent)) return;
  const place = placesOf(whole, top), ends = (end) => place(end, messages.thread(end));
  context.lineWidth = 1.4;
  for (const message of messages.within(painter.from, painter.to)) {
    const from = ends(messages.from[message]), x = painter.x(messages.sent[message]);
    if (!from) continue;
    if (messages.isGone[message]) {
      cross(context, x, (from[0] + from[1]) / 2, colours.trouble);
      work.primitives++;
    }
    context.strokeStyle = context.fillStyle = colours.accent;
    for (const reader of messages.readers[message]) {
      const to = ends(reader);
      if (!to || to[0] === from[0]) continue;
      const [below, above] = from[0] < to[0] ? [1, 0] : [0, 1];
      arrow(context, x, from[below], painter.x(messages.release(reader)), to[above]);
      work.primitives++;
    }
  }
}

// Something that ends here.
function cross(context, x, y, colour) {
  context.strokeStyle = colour;
  context.beginPath();
  for (const side of [-4.5, 4.5]) { context.moveTo(x - 4.5, y - side); context.lineTo(x + 4.5, y + side); }
  context.stroke();
}
