//! The legend below a drawing: only signs that occur in it.

use super::document::{Document, Tenths};
use crate::timeline::{Row, Timeline};

/// One explained sign.
enum Sign {
    Running,
    Waiting,
    Logical,
    Release,
    Deadline,
    Completion,
    Wake,
    Crowd,
    Driver,
    Trouble,
    Lost,
}

/// The width of a sign with the space after it.
const SIGN: usize = 34;
/// The height of a line.
const LINE: usize = 26;

/// Draws the legend from `y` on and returns where the drawing ends.
pub(super) fn draw(document: &mut Document, timeline: &Timeline, left: usize, y: usize) -> usize {
    let (mut x, mut y) = (left, y);
    for (sign, words) in signs(timeline) {
        let width = SIGN + words.chars().count() * 13 / 2 + 22; // a character is about 6.5 pixels wide
        if x > left && x + width > super::WIDTH - super::RIGHT {
            (x, y) = (left, y + LINE);
        }
        sign.draw(document, x, y);
        document.text("legend", Tenths::pixels(x + SIGN), y + 4, words, None);
        x += width;
    }
    y + LINE
}

fn signs(timeline: &Timeline) -> Vec<(Sign, &'static str)> {
    let any = |has: fn(&Row) -> bool| timeline.rows().any(has);
    let troubled = any(|row| !row.troubles.is_empty()) || !timeline.troubles.is_empty();
    let [_, _, sent_by, too_many] = timeline.arrows.words();
    let all = [
        (Sign::Running, "running", any(|row| !row.running.is_empty())),
        (Sign::Waiting, "waiting for the processor", any(|row| !row.preempted.is_empty())),
        (Sign::Logical, "logical execution time", any(|row| !row.logical.is_empty())),
        (Sign::Release, "release", any(|row| !row.releases.is_empty())),
        (Sign::Deadline, "deadline", any(|row| !row.deadlines.is_empty())),
        (Sign::Completion, "completion", any(|row| !row.completions.is_empty())),
        (Sign::Wake, sent_by, !timeline.drawn_wakes(super::WAKES).is_empty()),
        (Sign::Crowd, too_many, timeline.wakes.len() > super::WAKES),
        (Sign::Driver, "driver", !timeline.drivers.is_empty()),
        (Sign::Trouble, "violation, miss or fault", troubled),
        (Sign::Lost, "notes were lost", !timeline.gaps.is_empty()),
    ];
    all.into_iter().filter(|(.., shown)| *shown).map(|(sign, words, _)| (sign, words)).collect()
}

impl Sign {
    fn draw(&self, document: &mut Document, x: usize, y: usize) {
        let (start, width) = (Tenths::pixels(x), Tenths::pixels(26));
        let middle = Tenths::pixels(x + 13);
        match self {
            Sign::Running => document.bar("running c0", start, width, y - 7, 14, "running"),
            Sign::Waiting => document.bar("waiting c0", start, width, y - 2, 4, "waiting"),
            Sign::Logical => document.bar("logical c0", start, width, y - 9, 18, "logical execution time"),
            Sign::Release => document.release(middle, y + 7, "release"),
            Sign::Deadline => document.deadline(middle, y - 7, "deadline"),
            Sign::Completion => document.completion(middle, y - 9, y + 9, "completion"),
            Sign::Wake => document.wake((start, y - 8), (Tenths::pixels(x + 24), y + 8), "woken by"),
            Sign::Crowd => document.text("legend", start, y + 4, "…", None),
            Sign::Driver => document.driver(middle, y, "driver"),
            Sign::Lost => document.bar("lost", start, width, y - 9, 18, "notes were lost"),
            Sign::Trouble => document.trouble(middle, y - 12, y + 12, "", false, "trouble"),
        }
    }
}
