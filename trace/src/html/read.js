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

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  // Seven bits a byte, the lowest first. Not with shifts: these end at 32 bits.
  number() {
    let value = 0, scale = 1, byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    work.decoded++;
    return value;
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

function readColumns(bytes) {
  const reader = new Reader(bytes);
  return { runs: readRuns(reader), jobs: readJobs(reader), marks: readMarks(reader), troubles: readTroubles(reader), waits: readWaits(reader), spans: readSpans(reader) };
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

function readMarks(reader) {
  const count = reader.number();
  const marks = { count, signal: new Uint32Array(count), at: new Float64Array(count), done: new Float64Array(count), value: new Int32Array(count) };
  let before = 0;
  for (let index = 0; index < count; index++) {
    marks.signal[index] = reader.number();
    before = marks.at[index] = before + reader.step();
    marks.done[index] = before + reader.step();
    marks.value[index] = reader.number() - 1;
  }
  return marks;
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
