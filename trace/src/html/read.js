'use strict';
// Reads the columns: see `columns.rs`, which writes them in this order.

// What the page has done so far, counted: the same on every machine.
const work = { decoded: 0, primitives: 0, searches: 0, frames: 0 };

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

// Unpacks what `packed.rs` packs: by turns bytes as they are, and bytes that stood before.
function unpacked(packed) {
  let from = 0, to = 0;
  const number = () => {
    let byte = packed[from++];
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let scale = 128; ; scale *= 128) {
      byte = packed[from++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const length = number(), bytes = new Uint8Array(length);
  for (;;) {
    const plain = number();
    for (const end = to + plain; to < end; to++, from++) bytes[to] = packed[from];
    if (to >= length) return bytes;
    const again = number(), distance = number();
    if (distance >= again && again > 32) bytes.copyWithin(to, to - distance, to - distance + again);
    else for (let index = to; index < to + again; index++) bytes[index] = bytes[index - distance];
    to += again;
  }
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
    this.raw = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  single() {
    this.at += 4;
    work.decoded++;
    return this.raw.getFloat32(this.at - 4, true);
  }

  double() {
    this.at += 8;
    work.decoded++;
    return this.raw.getFloat64(this.at - 8, true);
  }

  // Seven bits a byte, the lowest first. Not with shifts: these end at 32 bits.
  number() {
    work.decoded++;
    let byte = this.bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let scale = 128; ; scale *= 128) {
      byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  step() {
    const number = this.number();
    return number % 2 ? -(number - 1) / 2 : number / 2;
  }

  // Nothing is Infinity: what hasn't ended ends after everything else.
  maybe(from) {
    const number = this.number();
    return number ? from + number - 1 : Infinity;
  }
}

function readColumns(bytes, kernels) {
  const reader = new Reader(bytes);
  return { kernels: kernels.map(({ sampled }) => readKernel(reader, sampled)), messages: readMessages(reader) };
}

function readKernel(reader, sampled) {
  return { runs: readRuns(reader), jobs: readJobs(reader), samples: sampled.map((facts) => readSamples(reader, facts)), troubles: readTroubles(reader), waits: readWaits(reader), spans: readSpans(reader), wakes: readWakes(reader) };
}

function readRuns(reader) {
  const count = reader.number();
  const runs = { count, thread: new Uint8Array(count), from: new Float64Array(count), to: new Float64Array(count) };
  let reached = 0;
  for (let index = 0; index < count; index++) {
    runs.thread[index] = reader.number();
    runs.from[index] = reached + reader.step();
    reached = runs.to[index] = runs.from[index] + reader.number();
  }
  return runs;
}

function readJobs(reader) {
  const count = reader.number();
  const jobs = { count, thread: new Uint8Array(count), outcome: new Uint8Array(count) };
  for (const column of ['release', 'told', 'deadline', 'start', 'end', 'executed']) jobs[column] = new Float64Array(count);
  let before = 0;
  for (let index = 0; index < count; index++) {
    jobs.thread[index] = reader.number();
    const release = before = jobs.release[index] = before + reader.step();
    const told = jobs.told[index] = release + reader.step();
    jobs.deadline[index] = release + reader.step();
    jobs.start[index] = reader.maybe(told);
    jobs.end[index] = reader.maybe(told);
    jobs.executed[index] = reader.number();
    jobs.outcome[index] = reader.number();
  }
  return jobs;
}

// Values of a sensor, an actuator or a port: when, and then its numbers, or positions of texts; see `samples.rs`.
function readSamples(reader, { parts, form }) {
  const count = reader.number();
  const samples = { at: new Float64Array(count), done: new Float64Array(count), parts: [], form };
  let before = 0;
  for (let index = 0; index < count; index++) before = samples.at[index] = before + reader.step();
  for (let index = 0; index < count; index++) samples.done[index] = samples.at[index] + reader.step();
  for (const { kind } of parts) samples.parts.push(readNumbers(reader, count, kind));
  if (form === null) samples.texts = Int32Array.from({ length: count }, () => reader.number() - 1);
  return samples;
}

// Numbers, and which of them are there: all of them, if nothing else is said.
function readNumbers(reader, count, kind) {
  const isThere = reader.number() ? Uint8Array.from({ length: count }, () => reader.number()) : undefined;
  const read = { float: () => reader.single(), double: () => reader.double() }[kind];
  const values = new Float64Array(count);
  let before = 0;
  for (let index = 0; index < count; index++) {
    if (isThere && !isThere[index]) values[index] = NaN;
    else values[index] = read ? read() : before += reader.step();
  }
  return { kind, isThere, values };
}

function readTroubles(reader) {
  const count = reader.number();
  const troubles = { count, isTrouble: new Uint8Array(count), thread: new Int16Array(count), at: new Float64Array(count), words: new Uint32Array(count) };
  let before = 0;
  for (let index = 0; index < count; index++) {
    troubles.isTrouble[index] = reader.number();
    troubles.thread[index] = reader.number() - 1;
    before = troubles.at[index] = before + reader.step();
    troubles.words[index] = reader.number();
  }
  return troubles;
}

function readWaits(reader) {
  const count = reader.number();
  const waits = { count, thread: new Uint8Array(count), from: new Float64Array(count), to: new Float64Array(count), owner: new Int16Array(count), words: new Uint32Array(count) };
  let before = 0;
  for (let index = 0; index < count; index++) {
    waits.thread[index] = reader.number();
    before = waits.to[index] = before + reader.step();
    waits.from[index] = before - reader.number();
    waits.owner[index] = reader.number() - 1;
    waits.words[index] = reader.number();
  }
  return waits;
}

function readSpans(reader) {
  const count = reader.number();
  const spans = { count, lane: new Uint32Array(count), from: new Float64Array(count), to: new Float64Array(count), words: new Uint32Array(count) };
  let before = 0;
  for (let index = 0; index < count; index++) {
    spans.lane[index] = reader.number();
    before = spans.from[index] = before + reader.step();
    spans.to[index] = before + reader.number();
    spans.words[index] = reader.number();
  }
  return spans;
}

function readWakes(reader) {
  const count = reader.number();
  const wakes = { count, at: new Float64Array(count), by: new Uint32Array(count), woken: new Uint32Array(count) };
  let [before, run] = [0, 0];
  for (let index = 0; index < count; index++) {
    before = wakes.at[index] = before + reader.step();
    run = wakes.by[index] = run + reader.step();
    wakes.woken[index] = run + reader.step();
  }
  return wakes;
}

// Messages between kernels: the number of a kernel and of a job there for who has sent and for each who has read.
function readMessages(reader) {
  const count = reader.number();
  const messages = { count, from: [], sent: new Float64Array(count), isGone: new Uint8Array(count), readers: [] };
  const end = () => [reader.number(), reader.number()];
  let before = 0;
  for (let index = 0; index < count; index++) {
    messages.from.push(end());
    before = messages.sent[index] = before + reader.step();
    messages.isGone[index] = reader.number();
    messages.readers.push(Array.from({ length: reader.number() }, end));
  }
  return messages;
}
