//! The map as a picture, beside the walls and the box that are there, or were.

use crate::{Map, Place, Room};
use std::fmt::Write;

/// The map's side, mm, and where the robot began in it.
const SIDE: f64 = 3200.0;
const START: Place = [1600.0, 1200.0];
/// A pixel, mm.
const PIXEL: f64 = 5.0;

/// An SVG: cells are grey to black, walls are lines, the box's are dashed, a circle is where the robot began.
pub fn picture(map: &Map, room: &Room) -> String {
    let side = SIDE / PIXEL;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\">\n\
         <rect width=\"{side}\" height=\"{side}\" fill=\"white\"/>\n"
    );
    for (row, column) in (0..64).flat_map(|row| (0..64).map(move |column| (row, column))) {
        let number = map.cell(column, row);
        if number > 0 {
            let grey = 160 - 20 * number.min(8);
            let (x, y) = (10 * column, 630 - 10 * row);
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"10\" height=\"10\" fill=\"rgb({grey},{grey},{grey})\"/>"
            );
        }
    }
    let mut outline = |[least, most]: [Place; 2], style: &str| {
        let [x, y] = pixel([least[0], most[1]]);
        let [width, height] = [0, 1].map(|axis| (most[axis] - least[axis]) / PIXEL);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"{style}\"/>"
        );
    };
    outline(room.walls, "red");
    outline(room.obstacle, "red\" stroke-dasharray=\"6");
    let [x, y] = pixel([0.0, 0.0]);
    let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"6\" fill=\"blue\"/>\n</svg>");
    svg
}

fn pixel([x, y]: Place) -> Place {
    [(START[0] + x) / PIXEL, (SIDE - START[1] - y) / PIXEL]
}
