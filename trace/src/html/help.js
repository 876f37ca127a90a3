// Help: what the signs of the lanes mean, drawn as the lanes draw them, and what keys and pointer do.

const SIGNS = [
  ['has the processor', (painter, colour) => painter.fill([3, 28], 4, 12, colour, 1)],
  ['released, and not done', (painter, colour) => painter.fill([3, 28], 4, 12, colour, 0.28)],
  ['covers part of a pixel: the paler, the less', (painter, colour) => [0.35, 0.6, 0.8].forEach((alpha, place) => painter.fill([6 + place * 10, 2], 4, 12, colour, alpha))],
  ['until its result is needed', (painter, colour) => painter.fill([3, 28], 9, 1.5, colour, 0.7)],
  ['a release', (painter, colour) => painter.marks([17], 1, (x) => triangle(painter.context, x, 4, 14, 6), colour)],
  ['a deadline', (painter) => painter.marks([17], 1, (x) => triangle(painter.context, x, 14, 4, -6), painter.colours.text)],
  ['woke the other thread, to its next run', (painter) => { painter.context.strokeStyle = painter.context.fillStyle = painter.colours.text; arrow(painter.context, 8, 3, 24, 17); }],
  ['sent to another kernel, whose job has it from its release on', (painter) => { painter.context.strokeStyle = painter.context.fillStyle = painter.colours.accent; arrow(painter.context, 8, 3, 24, 17); }],
  ["sent to another kernel, and didn't arrive", (painter) => cross(painter.context, 17, 10, painter.colours.trouble)],
  ['something went wrong', (painter) => painter.fill([16, 2.5], 1, 18, painter.colours.trouble, 1)],
  ['an interrupt, and how long it was served', (painter) => { painter.fill([17, 14], 5, 11, painter.colours.driver, 0.8); painter.marks([17], 1, (x) => wedge(painter.context, x, 4), painter.colours.text); }],
  ['a value of a sensor or an actuator', (painter) => painter.marks([17], 1, (x) => { painter.context.moveTo(x + 3.2, 10); painter.context.arc(x, 10, 3.2, 0, 7); }, painter.colours.driver)],
  ['a value of a port or a state message', (painter) => painter.fill([16, 2.5], 5, 10, painter.colours.driver, 1)],
  ['two modes of a module', (painter, colour) => [0, 1].forEach((place) => {
    const own = painter.colours.lanes[place], at = [2 + place * 16, 14];
    for (const [fill, height, alpha] of [[own, 16, 0.2], [painter.pattern(own, place), 16, 0.5], [own, 3, 1]]) painter.fill(at, 2, height, fill, alpha);
  })],
];

const HANDS = [
  ['← →', 'moves; so does dragging'], ['+ −', 'zooms; so does the wheel'], ['0', 'the whole run'],
  ['↑ ↓', 'lanes; so does the wheel with shift, or over the names'], ['l', 'lanes by parts of their names'],
  ['n p', 'the next trouble, the previous one, and why'], ['/', 'a thread, an instant, or both: thread@20ms opens why that job took as long'],
  ['click', 'on a kernel: its lanes, or none of them; on a job: why; on a mode, a lock or an interrupt: all of it; in the plot: cursor A, with shift B'],
  ['w', 'arrows from who woke a thread and of what went between kernels, or none'], ['k', 'lanes of all kernels, or none'], ['c', 'curves of values and load, or none'], ['a b', 'put the cursors at the pointer, or in the middle'], ['[ ]', 'move the last one from value to value'],
  ['x', 'takes both away'], ['y', 'fits the axes to what can be seen'], ['v', 'what can be seen of the lanes, as text'], ['e', 'the shown curves of what can be seen as comma-separated values'],
  ['t', 'light or dark'], ['Escape', 'closes'],
];

function sign(draw, colours, model) {
  const canvas = element('canvas', undefined, { className: 'sign' });
  const painter = new Painter(canvas, model, [34, 20]);
  painter.colours = colours;
  // An instant is a pixel.
  painter.look(0, 34, 0, 34);
  draw(painter, colours.lanes[0]);
  return canvas;
}

function table(rows) {
  const made = element('table');
  for (const cells of rows) {
    const row = element('tr');
    row.append(...cells.map((cell) => { const made = element('td'); made.append(cell); return made; }));
    made.append(row);
  }
  return made;
}

// Fills the panel with it.
function showHelp(panel, model, colours, close) {
  panel.replaceChildren(
    element('button', '×', { className: 'close', title: 'close (Escape)', onclick: close }),
    element('h2', 'Signs and keys'), element('h3', 'What the lanes show'), table(SIGNS.map(([words, draw]) => [sign(draw, colours, model), words])),
    element('h3', 'Keys and pointer'), table(HANDS.map(([keys, words]) => [keys, words])),
  );
  panel.hidden = false;
}
