//! A chart with a row per operation and a column per kernel, as SVG: each cell has a bar and its number.

use std::fmt::Write;

/// A chart.
pub struct Grid {
    /// The title.
    pub title: &'static str,
    /// The quantity that the bars show.
    pub across: &'static str,
    /// The kernels; ours is the first.
    pub columns: Vec<String>,
    /// The rows, from top to bottom, in groups.
    pub groups: Vec<Group>,
}

/// Rows that belong together.
pub struct Group {
    /// Their common heading.
    pub name: &'static str,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row. All its bars have the same scale; each row has its own.
pub struct Row {
    /// The operation.
    pub name: String,
    /// A cell for each column that has a figure.
    pub cells: Vec<Option<Cell>>,
}

/// A figure.
#[derive(Clone, Copy)]
pub struct Cell {
    /// The length of its bar.
    pub value: u64,
    /// Whether it measures something different from the others: then its bar is hollow.
    pub is_unlike: bool,
    /// Whether it is the smallest in its row.
    pub is_least: bool,
}

/// Where columns begin; row names are to the left.
const LEFT: u64 = 310;
const COLUMN: u64 = 98;
/// Within a column: where numbers end, and the range of the bars.
const NUMBER: u64 = 30;
const BAR: u64 = 36;
const LONGEST: u64 = 46;
const MARGIN: u64 = 24;
const TOP: u64 = 88;
const ROW: u64 = 20;
const THICK: u64 = 12;

const STYLE: &str = "\
svg { font-family: \"Inter\", \"Segoe UI\", \"Helvetica Neue\", \"DejaVu Sans\", Arial, sans-serif; font-size: 11px; }
.ground { fill: #ffffff; }
text { fill: #52606d; }
.title { font-size: 16px; font-weight: 600; fill: #1f2933; }
.head { font-weight: 600; fill: #1f2933; }
.least { font-weight: 700; fill: #1f2933; }
.rule { stroke: #e3e8ed; }
.ours { fill: #2563a8; }
.theirs { fill: #9aa5b1; }
.unlike { fill: #ffffff; stroke: #9aa5b1; }
";

impl Grid {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let rows = self.groups.iter().map(|group| group.rows.len() as u64 + 1).sum::<u64>();
        let (width, height) = (LEFT + COLUMN * self.columns.len() as u64 + MARGIN, TOP + ROW * rows + MARGIN);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\">\n<title>{0}</title>\n<style>\n{STYLE}</style>\n\
             <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n\
             <text class=\"title\" x=\"{MARGIN}\" y=\"28\">{0}</text>\n\
             <text x=\"{MARGIN}\" y=\"48\">{1}</text>\n",
            self.title, self.across
        );
        // Writing to a string can't fail.
        let _ = self.draw(&mut svg, width);
        svg + "</svg>\n"
    }

    fn draw(&self, svg: &mut String, width: u64) -> std::fmt::Result {
        for (column, name) in (0..).zip(&self.columns) {
            let x = LEFT + column * COLUMN + BAR;
            writeln!(svg, "<text class=\"head\" x=\"{x}\" y=\"{}\">{name}</text>", TOP - 12)?;
        }
        let mut y = TOP;
        for group in &self.groups {
            writeln!(svg, "<path class=\"rule\" d=\"M{MARGIN} {y}H{}\"/>", width - MARGIN)?;
            writeln!(svg, "<text class=\"head\" x=\"{MARGIN}\" y=\"{}\">{}</text>", y + ROW - 5, group.name)?;
            y += ROW;
            for row in &group.rows {
                row.draw(svg, y)?;
                y += ROW;
            }
        }
        Ok(())
    }
}

impl Row {
    fn draw(&self, svg: &mut String, y: u64) -> std::fmt::Result {
        let line = y + ROW - 5;
        let x = LEFT - 12;
        writeln!(svg, "<text x=\"{x}\" y=\"{line}\" text-anchor=\"end\">{}</text>", self.name)?;
        let most = self.cells.iter().flatten().map(|cell| cell.value).max().unwrap_or(0).max(1);
        for (column, cell) in self.cells.iter().enumerate() {
            let Some(cell) = cell else { continue };
            let left = LEFT + column as u64 * COLUMN;
            let class = if cell.is_least { " class=\"least\"" } else { "" };
            writeln!(
                svg,
                "<text{class} x=\"{}\" y=\"{line}\" text-anchor=\"end\">{}</text>",
                left + NUMBER,
                cell.value
            )?;
            let kind = match (cell.is_unlike, column) {
                (true, _) => "unlike",
                (false, 0) => "ours",
                (false, _) => "theirs",
            };
            let (x, top) = (left + BAR, y + (ROW - THICK) / 2);
            let length = (LONGEST * cell.value).div_ceil(most);
            writeln!(
                svg,
                "<rect class=\"{kind}\" x=\"{x}\" y=\"{top}\" width=\"{length}\" height=\"{THICK}\"/>"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
impl Grid {
    /// Names that would overlap: row names with the columns, column names with the next one, numbers with
    /// their bars. A letter is at most seven pixels wide.
    pub fn too_long(&self) -> Vec<String> {
        let rows = || self.groups.iter().flat_map(|group| &group.rows);
        let numbers = rows().flat_map(|row| row.cells.iter().flatten()).map(|cell| cell.value.to_string());
        let is_wider = |name: &str, room: u64| name.chars().count() as u64 * 7 > room;
        let long = rows().map(|row| row.name.clone()).map(|name| (name, LEFT - 12));
        let wide = self.columns.iter().map(|name| (name.clone(), COLUMN));
        let all = long.chain(wide).chain(numbers.map(|number| (number, NUMBER)));
        all.filter(|(name, room)| is_wider(name, *room)).map(|(name, _)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_its_scale_and_what_is_missing_has_no_bar() {
        let cell = |value| Some(Cell { value, is_unlike: false, is_least: false });
        let unlike = Some(Cell { value: 25, is_unlike: true, is_least: false });
        let rows = vec![
            Row { name: "small".into(), cells: vec![cell(5), None, cell(10)] },
            Row { name: "large".into(), cells: vec![unlike, cell(100), None] },
        ];
        let columns = ["ours", "one", "two"].map(str::to_owned).to_vec();
        let svg = Grid { title: "t", across: "n", columns, groups: vec![Group { name: "g", rows }] }.svg();
        let bars: Vec<_> = svg
            .lines()
            .filter_map(|line| line.strip_prefix("<rect class=\""))
            .filter(|line| !line.starts_with("ground"))
            .map(|line| {
                let width = line.split("width=\"").nth(1).and_then(|rest| rest.split('"').next());
                (line.split('"').next().unwrap_or_default(), width.and_then(|width| width.parse().ok()))
            })
            .collect();
        let expected = [
            ("ours", Some(LONGEST / 2)),
            ("theirs", Some(LONGEST)),
            ("unlike", Some(LONGEST.div_ceil(4))),
            ("theirs", Some(LONGEST)),
        ];
        assert_eq!(bars, expected, "{svg}");
    }
}
