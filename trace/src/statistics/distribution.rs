//! Distributions of lengths of time: the usual figures, and a histogram.

use serde::Serialize;

use crate::clock::Nanoseconds;

/// A distribution of at least one length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Distribution {
    /// How many lengths there are.
    pub count: usize,
    /// The shortest.
    #[serde(rename = "least_ns")]
    pub least: Nanoseconds,
    /// The median, the lower one of two.
    #[serde(rename = "median_ns")]
    pub median: Nanoseconds,
    /// The 99th percentile.
    #[serde(rename = "percentile_99_ns")]
    pub high: Nanoseconds,
    /// The longest.
    #[serde(rename = "most_ns")]
    pub most: Nanoseconds,
    /// The histogram: bars of equal width from the shortest to the longest.
    pub bars: Vec<Bar>,
}

/// A bar of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bar {
    /// The shortest length in it.
    #[serde(rename = "from_ns")]
    pub from: Nanoseconds,
    /// The first length that belongs to the next bar.
    #[serde(rename = "to_ns")]
    pub to: Nanoseconds,
    /// How many lengths are in it.
    pub count: usize,
}

/// The most bars of a histogram.
const BARS: u64 = 16;

impl Distribution {
    /// The distribution of lengths in any order; `None` if there are none.
    #[must_use]
    pub fn of(mut lengths: Vec<Nanoseconds>) -> Option<Distribution> {
        lengths.sort_unstable();
        let (least, most) = (*lengths.first()?, *lengths.last()?);
        let at = |hundredths: usize| lengths[(lengths.len() * hundredths).div_ceil(100).max(1) - 1];
        Some(Distribution {
            count: lengths.len(),
            least,
            median: at(50),
            high: at(99),
            most,
            bars: bars(&lengths, least, most),
        })
    }

    /// The difference between the longest and the shortest: the jitter.
    #[must_use]
    pub fn spread(&self) -> Nanoseconds {
        Nanoseconds::new(self.most.number() - self.least.number())
    }

    /// The histogram as a line of characters, one per bar; empty if all lengths are equal.
    #[must_use]
    pub fn sparkline(&self) -> String {
        const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let highest = self.bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1);
        let level = |bar: &Bar| match bar.count {
            0 => ' ',
            count => LEVELS[(count * LEVELS.len()).div_ceil(highest) - 1],
        };
        if self.bars.len() < 2 { String::new() } else { self.bars.iter().map(level).collect() }
    }

    /// The histogram as lines, one per bar, the longest `width` characters long.
    #[must_use]
    pub fn histogram(&self, width: usize) -> String {
        let highest = self.bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1);
        let label = |bar: &Bar| bar.from.to_string();
        let room = self.bars.iter().map(|bar| label(bar).chars().count()).max().unwrap_or(0);
        let line = |bar: &Bar| {
            let length = (bar.count * width).div_ceil(highest);
            format!("{:>room$}  {:<width$}  {}\n", label(bar), "█".repeat(length), bar.count)
        };
        self.bars.iter().map(line).collect()
    }
}

/// `lengths` are sorted and not empty. Borders between bars are round: multiples of 1, 2 or 5 times a power
/// of ten.
fn bars(lengths: &[Nanoseconds], least: Nanoseconds, most: Nanoseconds) -> Vec<Bar> {
    let widths = (0..=19)
        .flat_map(|power| [1, 2, 5].map(|factor| 10_u64.saturating_pow(power).saturating_mul(factor)));
    let fits = |width: &u64| most.number() / width - least.number() / width < BARS;
    let width = widths.into_iter().find(fits).unwrap_or(u64::MAX);
    let mut rest = lengths;
    let mut from = Nanoseconds::new(least.number() / width * width);
    let mut bars = Vec::new();
    while !rest.is_empty() {
        let to = Nanoseconds::new(from.number().saturating_add(width));
        // A saturated border can't be exceeded: the rest belongs to the last bar.
        let count = match to.number() {
            u64::MAX => rest.len(),
            _ => rest.partition_point(|length| *length < to),
        };
        bars.push(Bar { from, to, count });
        rest = &rest[count..];
        from = to;
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lengths: &[u64]) -> Distribution {
        Distribution::of(lengths.iter().copied().map(Nanoseconds::new).collect()).expect("not empty")
    }

    #[test]
    fn the_usual_numbers() {
        let hundred: Vec<u64> = (1..=100).rev().collect();
        let distribution = of(&hundred);
        let numbers = [distribution.least, distribution.median, distribution.high, distribution.most];
        assert_eq!(numbers.map(Nanoseconds::number), [1, 50, 99, 100]);
        assert_eq!(distribution.spread().number(), 99);
        assert_eq!(Distribution::of(vec![]), None);
    }

    #[test]
    fn bars_hold_every_length_once_and_touch() {
        for lengths in
            [vec![7], vec![1, 2], vec![0, u64::MAX], vec![3, 3, 9, 40, 41, 1000], (0..1000).collect()]
        {
            let bars = of(&lengths).bars;
            assert!(bars.len() <= 16, "{bars:?}");
            assert_eq!(bars.iter().map(|bar| bar.count).sum::<usize>(), lengths.len());
            assert!(bars.windows(2).all(|pair| pair[0].to == pair[1].from));
        }
    }

    #[test]
    fn the_histogram_is_drawn() {
        let distribution = of(&[0, 0, 0, 0, 16, 31, 31]);
        assert_eq!(distribution.sparkline(), "█       ▂      ▄");
        let histogram = distribution.histogram(4);
        assert!(histogram.starts_with(" 0 ms  ████  4\n 2 ns        0\n"), "{histogram}");
        assert_eq!(of(&[5, 5]).sparkline(), "");
    }
}
