//! A line plot as SVG: one for each figure of the paper.

use std::fmt::Write;

/// A plot.
pub struct Plot<'a> {
    /// The title.
    pub title: &'a str,
    /// The quantity of the horizontal axis.
    pub across: &'a str,
    /// The quantity of the vertical axis.
    pub up: &'a str,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A line: a name and its points, from left to right.
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: Vec<(u64, u64)>,
}

const WIDTH: u64 = 760;
const HEIGHT: u64 = 420;
/// The area of the lines, in pixels.
const LEFT: u64 = 72;
const RIGHT: u64 = 560;
const TOP: u64 = 56;
const BOTTOM: u64 = 360;
/// Names are at the ends of their lines; this is their least distance in pixels.
const NAMES_APART: u64 = 16;

const STYLE: &str = "\
svg { font-family: \"Inter\", \"Segoe UI\", \"Helvetica Neue\", \"DejaVu Sans\", Arial, sans-serif; font-size: 12px; }
.ground { fill: #ffffff; }
text { fill: #66727f; }
.title { font-size: 16px; font-weight: 600; fill: #1f2933; }
.grid { stroke: #e3e8ed; }
.axis { stroke: #9aa5b1; }
.line { fill: none; stroke-width: 2; }
";
const COLOURS: [&str; 12] = [
    "#2563a8", "#c4690c", "#2f8558", "#8247b5", "#cc1f2d", "#0f7f8c", "#b0408c", "#7a8a10", "#52606d",
    "#4f6bd8", "#a8713a", "#1f2933",
];

impl Plot<'_> {
    /// The plot as SVG.
    pub fn svg(&self) -> String {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let across = Scale::to(points().map(|point| point.0).max().unwrap_or(1), LEFT, RIGHT);
        let up = Scale::to(points().map(|point| point.1).max().unwrap_or(1), BOTTOM, TOP);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{WIDTH}\" height=\"{HEIGHT}\">\n<title>{0}</title>\n<style>\n{STYLE}</style>\n\
             <rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
             <text class=\"title\" x=\"{LEFT}\" y=\"28\">{0}</text>\n",
            self.title
        );
        // Writing to a string can't fail.
        let _ = self.axes(&mut svg, &across, &up).and_then(|()| self.draw(&mut svg, &across, &up));
        svg + "</svg>\n"
    }

    fn axes(&self, svg: &mut String, across: &Scale, up: &Scale) -> std::fmt::Result {
        for mark in up.marks() {
            let y = up.place(mark);
            writeln!(svg, "<path class=\"grid\" d=\"M{LEFT} {y}H{RIGHT}\"/>")?;
            let (x, y) = (LEFT - 8, y + 4);
            writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{mark}</text>")?;
        }
        for mark in across.marks() {
            let (x, y) = (across.place(mark), BOTTOM + 18);
            writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{mark}</text>")?;
        }
        writeln!(svg, "<path class=\"axis\" fill=\"none\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>")?;
        let (x, y) = (RIGHT, BOTTOM + 40);
        writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{}</text>", self.across)?;
        writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">{}</text>", TOP - 10, self.up)
    }

    fn draw(&self, svg: &mut String, across: &Scale, up: &Scale) -> std::fmt::Result {
        for (line, colour) in self.lines.iter().zip(COLOURS.iter().cycle()) {
            let places: Vec<_> =
                line.points.iter().map(|(x, y)| format!("{},{}", across.place(*x), up.place(*y))).collect();
            let places = places.join(" ");
            writeln!(svg, "<polyline class=\"line\" stroke=\"{colour}\" points=\"{places}\"/>")?;
        }
        for (number, y) in self.names(up) {
            let (name, colour) = (&self.lines[number].name, COLOURS[number % COLOURS.len()]);
            writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" style=\"fill: {colour}\">{name}</text>",
                RIGHT + 8,
                y + 4
            )?;
        }
        Ok(())
    }

    /// Line indices with the vertical position of each name: at the line's end, or as far below as the names
    /// above require.
    fn names(&self, up: &Scale) -> Vec<(usize, u64)> {
        let end = |line: &Line| up.place(line.points.last().map_or(0, |point| point.1));
        let mut names: Vec<_> = self.lines.iter().map(end).enumerate().collect();
        names.sort_by_key(|(_, y)| *y);
        let mut free = 0;
        for (_, y) in &mut names {
            *y = free.max(*y);
            free = *y + NAMES_APART;
        }
        names
    }
}

/// Maps numbers from 0 to `most` to pixels from `start` to `end`.
struct Scale {
    most: u64,
    step: u64,
    start: u64,
    end: u64,
}

impl Scale {
    /// A scale up to at least `largest`, with four to eight round steps.
    fn to(largest: u64, start: u64, end: u64) -> Scale {
        let powers = std::iter::successors(Some(1_u64), |power| power.checked_mul(10));
        let steps = powers.flat_map(|power| [1, 2, 5].map(|factor| power.saturating_mul(factor)));
        let step = steps.into_iter().find(|step| largest.div_ceil(*step) <= 8).unwrap_or(u64::MAX);
        Scale { most: largest.div_ceil(step).max(1).saturating_mul(step), step, start, end }
    }

    fn marks(&self) -> impl Iterator<Item = u64> {
        (0..=self.most / self.step).map(|number| number * self.step)
    }

    fn place(&self, value: u64) -> u64 {
        let part = (self.start.abs_diff(self.end) * value + self.most / 2) / self.most;
        if self.start < self.end { self.start + part } else { self.start - part }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, points: &[(u64, u64)]) -> Line {
        Line { name: name.to_owned(), points: points.to_vec() }
    }

    #[test]
    fn scales_have_round_steps_and_hold_everything() {
        for largest in (1..3000).chain([123_456, 10_000_000]) {
            let scale = Scale::to(largest, 0, 100);
            let marks: Vec<_> = scale.marks().collect();
            assert!((2..=9).contains(&marks.len()), "{largest}: {marks:?}");
            assert_eq!((marks[0], marks[marks.len() - 1]), (0, scale.most));
            assert!(scale.most >= largest && scale.place(largest) <= 100, "{largest}: {marks:?}");
        }
    }

    #[test]
    fn lines_run_from_left_to_right_and_larger_values_lie_higher() {
        let lines = vec![line("one", &[(0, 0), (10, 40)])];
        let svg = Plot { title: "t", across: "n", up: "cost", lines }.svg();
        let corner = format!("points=\"{LEFT},{BOTTOM} {RIGHT},{TOP}\"");
        assert!(svg.contains(&corner), "{svg}");
    }

    #[test]
    fn names_of_lines_that_meet_stand_below_each_other() {
        let lines = vec![line("low", &[(1, 10)]), line("same", &[(1, 10)]), line("high", &[(1, 80)])];
        let plot = Plot { title: "t", across: "n", up: "cost", lines };
        let names = plot.names(&Scale::to(80, BOTTOM, TOP));
        let [(high, top), (low, middle), (same, bottom)] = names[..] else { panic!("{names:?}") };
        assert_eq!((high, low, same), (2, 0, 1));
        assert!(middle > top + NAMES_APART && bottom == middle + NAMES_APART, "{names:?}");
    }
}
