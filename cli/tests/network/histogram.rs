//! How often jobs took how long, as a picture.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Nanoseconds of a bar.
const BAR: u64 = 100_000;
/// The bars that are shown: from 9.5 to 15 ms.
const FIRST: u64 = 95;
const LAST: u64 = 150;

/// How many jobs took so many tenths of a millisecond, and a little more.
pub struct Histogram(BTreeMap<u64, usize>);

impl Histogram {
    /// Of durations in nanoseconds.
    pub fn of(durations: &[u64]) -> Histogram {
        let mut bars = BTreeMap::new();
        durations.iter().for_each(|duration| *bars.entry(duration / BAR).or_default() += 1);
        Histogram(bars)
    }

    fn highest(&self) -> usize {
        self.0.values().copied().max().unwrap_or(1)
    }
}

/// Pixels: of a bar, of the highest bar, of a histogram with its words, and to the left of all.
const WIDE: u64 = 12;
const HIGH: u64 = 70;
const ROW: u64 = 124;
const LEFT: u64 = 24;

const STYLE: &str = "svg { font-family: \"Inter\", \"Segoe UI\", \"DejaVu Sans\", Arial, sans-serif; font-size: 12px; }\n\
    .ground { fill: #ffffff; }\ntext { fill: #66727f; }\n.title { font-size: 13px; font-weight: 600; fill: #1f2933; }\n\
    .bar { fill: #2563a8; }\n.axis { stroke: #9aa5b1; }\n";

/// Histograms among each other, each with its words, on one scale of time; each is as high as its highest bar.
pub fn picture(histograms: &[(&str, Histogram)]) -> String {
    let rows = u64::try_from(histograms.len()).expect("a few");
    let (width, height) = (LEFT * 2 + (LAST - FIRST) * WIDE, rows * ROW + 40);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\">\n<title>How long jobs of steer take, by where the device server is</title>\n\
         <style>\n{STYLE}</style>\n<rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n"
    );
    for (row, (words, histogram)) in (0..).zip(histograms) {
        let ground = (row + 1) * ROW;
        // Writing to a string can't fail.
        let _ = draw(&mut svg, ground, words, histogram);
    }
    svg + "</svg>\n"
}

fn draw(svg: &mut String, ground: u64, words: &str, histogram: &Histogram) -> std::fmt::Result {
    let (across, right) = (|bar: u64| LEFT + (bar - FIRST) * WIDE, LEFT + (LAST - FIRST) * WIDE);
    let (top, jobs) = (ground - HIGH - 10, histogram.0.values().sum::<usize>());
    writeln!(svg, "<text class=\"title\" x=\"{LEFT}\" y=\"{top}\">{words}: {jobs} jobs</text>")?;
    for (bar, count) in histogram.0.range(FIRST..LAST) {
        let high = (u64::try_from(*count).unwrap_or(u64::MAX) * HIGH)
            .div_ceil(u64::try_from(histogram.highest()).unwrap_or(u64::MAX));
        let (x, y, wide) = (across(*bar), ground - high, WIDE - 1);
        writeln!(svg, "<rect class=\"bar\" x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\"/>")?;
    }
    writeln!(svg, "<path class=\"axis\" d=\"M{LEFT} {ground}H{right}\"/>")?;
    for bar in (FIRST..=LAST).filter(|bar| bar.is_multiple_of(10)) {
        let (x, y) = (across(bar), ground + 14);
        writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{} ms</text>", bar / 10)?;
    }
    Ok(())
}
