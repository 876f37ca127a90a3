//! A bar chart as SVG.

use std::fmt::Write;

/// A bar chart.
pub struct Bars<'a> {
    /// The title.
    pub title: &'a str,
    /// The quantity that the bars show.
    pub across: &'a str,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

/// A bar: a name and a length.
pub struct Bar {
    /// Its name.
    pub name: String,
    /// Its length.
    pub value: u64,
    /// Whether it is another project's figure, or a bound: then it is grey.
    pub foreign: bool,
}

impl Bar {
    /// One of our own figures.
    pub fn ours(name: &str, value: u64) -> Bar {
        Bar { name: name.to_owned(), value, foreign: false }
    }
}

const WIDTH: u64 = 780;
/// Where bars begin, and where the longest one ends.
const LEFT: u64 = 320;
const RIGHT: u64 = 710;
const TOP: u64 = 64;
const ROW: u64 = 26;
const THICK: u64 = 16;

const STYLE: &str = "\
svg { font-family: \"Inter\", \"Segoe UI\", \"Helvetica Neue\", \"DejaVu Sans\", Arial, sans-serif; font-size: 12px; }
.ground { fill: #ffffff; }
text { fill: #66727f; }
.title { font-size: 16px; font-weight: 600; fill: #1f2933; }
.ours { fill: #2563a8; }
.foreign { fill: #9aa5b1; }
";

impl Bars<'_> {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let height = self.bars.iter().fold(TOP, |below, _| below + ROW) + 16;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {WIDTH} {height}\" \
             width=\"{WIDTH}\" height=\"{height}\">\n<title>{0}</title>\n<style>\n{STYLE}</style>\n\
             <rect class=\"ground\" width=\"{WIDTH}\" height=\"{height}\"/>\n\
             <text class=\"title\" x=\"24\" y=\"28\">{0}</text>\n\
             <text x=\"24\" y=\"48\">{1}</text>\n",
            self.title, self.across
        );
        let most = self.bars.iter().map(|bar| bar.value).max().unwrap_or(0).max(1);
        for (bar, y) in self.bars.iter().zip((0..).map(|row: u64| TOP + row * ROW)) {
            // Writing to a string can't fail.
            let _ = bar.draw(&mut svg, y, most);
        }
        svg + "</svg>\n"
    }
}

impl Bar {
    fn draw(&self, svg: &mut String, y: u64, most: u64) -> std::fmt::Result {
        let length = u128::from(RIGHT - LEFT) * u128::from(self.value) / u128::from(most);
        let kind = if self.foreign { "foreign" } else { "ours" };
        let text = y + THICK - 3;
        writeln!(svg, "<text x=\"{}\" y=\"{text}\" text-anchor=\"end\">{}</text>", LEFT - 8, self.name)?;
        writeln!(
            svg,
            "<rect class=\"{kind}\" x=\"{LEFT}\" y=\"{y}\" width=\"{length}\" height=\"{THICK}\"/>"
        )?;
        writeln!(svg, "<text x=\"{}\" y=\"{text}\">{}</text>", u128::from(LEFT) + length + 6, self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_values_and_the_longest_fills_the_field() {
        let bars =
            vec![Bar::ours("half", 50), Bar { foreign: true, ..Bar::ours("all", 100) }, Bar::ours("none", 0)];
        let svg = Bars { title: "t", across: "n", bars }.svg();
        let widths: Vec<_> = svg
            .lines()
            .filter(|line| line.contains("class=\"ours\"") || line.contains("class=\"foreign\""))
            .filter_map(|line| line.split("width=\"").nth(1)?.split('"').next()?.parse::<u64>().ok())
            .collect();
        assert_eq!(widths, [(RIGHT - LEFT) / 2, RIGHT - LEFT, 0], "{svg}");
    }

    #[test]
    fn a_plot_without_bars_is_a_plot() {
        let svg = Bars { title: "t", across: "n", bars: Vec::new() }.svg();
        assert!(svg.ends_with("</svg>\n"), "{svg}");
    }
}
