//! L4's rules: ping-pong, what is avoided, and what is left in a lazy queue.

use anyhow::Result;
use beryl_l4::compared::NAMES as KERNELS;
use beryl_l4::ping_pong::{LENGTHS, TRIPS};
use beryl_l4::workload::{LEFT, REQUESTS};

use super::{Page, markdown, tenths};
use crate::bars::{Bar, Bars};
use crate::l4::{
    AVOIDABLE, AVOIDED, DONE, KINDS, LEFT_IN_QUEUE, MESSAGES, Named, OPERATIONS, PING_PONG, WORK, case,
    left_case, message_case,
};
use crate::plot::{Line, Plot};
use crate::recorded::Recorded;

/// The paper's cycles of a message without words (OSPERT 2007, section 4.2): not of the kernels that are later.
const CYCLES: [Option<u64>; 6] = [Some(289), Some(350), None, Some(359), Some(419), None];
/// The paper's Table 2, in the order of [`AVOIDABLE`].
const TABLE_2: [Option<u64>; 10] = [
    Some(1_450_474),
    Some(1_509_011),
    Some(62_482),
    Some(19_719),
    Some(1_509_056),
    Some(62_482),
    Some(40_289),
    Some(1_571_609),
    None,
    Some(80_749),
];

/// What of how much is avoided, and what the paper has in tenths of a per cent.
const SAVINGS: [(&str, &str, &str, u64); 3] = [
    ("enqueues avoided", "enqueues", "enqueues, if eager", 959),
    ("dequeues avoided", "dequeues", "dequeues, if eager", 959),
    ("lookups avoided", "lookups", "decisions", 949),
];

pub fn page(recorded: &Recorded) -> Result<Page> {
    let figures = Figures(recorded);
    Ok(Page {
        file: "l4.md",
        tables: vec![
            ("ping-pong", figures.ping_pong()?),
            ("differences", figures.differences()?),
            ("lengths", figures.lengths()?),
            ("operations", figures.operations()?),
            ("avoided", figures.avoided()?),
            ("work", figures.work()?),
            ("left", figures.left()?),
        ],
        plots: vec![
            ("l4-ping-pong.svg", figures.picture_of_ping_pong()?),
            ("l4-left.svg", figures.picture_of_left()?),
        ],
    })
}

/// Tables and pictures of recorded figures.
struct Figures<'a>(&'a Recorded);

impl Figures<'_> {
    /// Instructions of a call and of an answer.
    fn round_trip(&self, kernel: &str, words: u8) -> Result<[u64; 2]> {
        let [call, answer] =
            MESSAGES.map(|message| self.most(PING_PONG, &message_case(kernel, words, message)));
        Ok([call?, answer?])
    }

    /// Instructions of a message, in tenths: half of a round trip.
    fn message(&self, kernel: &str, words: u8) -> Result<u64> {
        Ok(self.round_trip(kernel, words)?.iter().sum::<u64>() * 5)
    }

    fn most(&self, bench: &str, case: &str) -> Result<u64> {
        Ok(self.0.row(bench, case)?.figures.max)
    }

    fn ping_pong(&self) -> Result<String> {
        let first = self.message(KERNELS[0], 0)?;
        let mut rows = Vec::new();
        for (kernel, cycles) in KERNELS.into_iter().zip(CYCLES) {
            let [call, answer] = self.round_trip(kernel, 0)?;
            let message = self.message(kernel, 0)?;
            let (cycles, of_cycles) = match cycles {
                Some(cycles) => (cycles.to_string(), percent(cycles, 289).to_string()),
                None => ("-".to_owned(), "-".to_owned()),
            };
            let of_first = percent(message, first).to_string();
            rows.push(vec![
                kernel.to_owned(),
                call.to_string(),
                answer.to_string(),
                tenths(message),
                of_first,
                cycles,
                of_cycles,
            ]);
        }
        let of_first = "in hundredths of DS/LQ";
        Ok(table(&["kernel", "call", "answer", "a message", of_first, "the paper's cycles", of_first], &rows))
    }

    /// What a rule costs where the other is the same.
    fn differences(&self) -> Result<String> {
        let [lazy, eager, full_lazy, full_eager] =
            [0, 1, 3, 4].map(|place: usize| (KERNELS[place], CYCLES[place]));
        let pairs = [
            ("eager queues, direct switches", eager, lazy),
            ("eager queues, full scheduling", full_eager, full_lazy),
            ("full scheduling, lazy queues", full_lazy, lazy),
            ("full scheduling, eager queues", full_eager, eager),
        ];
        let mut rows = Vec::new();
        for (name, (with, more), (without, less)) in pairs {
            let here = difference(self.message(with, 0)?, self.message(without, 0)?, tenths);
            let paper =
                more.zip(less).map(|(more, less)| difference(more, less, |cycles| cycles.to_string()));
            rows.push(vec![name.to_owned(), here, paper.unwrap_or_default()]);
        }
        Ok(table(&["what", "instructions more", "the paper's cycles more"], &rows))
    }

    fn lengths(&self) -> Result<String> {
        let header = LENGTHS.map(|words| format!("words: {words}"));
        let rows = each(|kernel| LENGTHS.map(|words| Ok(tenths(self.message(kernel, words)?))).into())?;
        Ok(with_kernels(&header, &rows))
    }

    /// Operations for each message.
    fn operations(&self) -> Result<String> {
        let messages = 2 * u64::from(TRIPS);
        let rows = each(|kernel| {
            let of_message = |(name, _): Named| {
                let count = self.most(OPERATIONS, &case(kernel, name))?;
                Ok(tenths((count * 10 + messages / 2) / messages))
            };
            DONE.map(of_message).into()
        })?;
        Ok(with_kernels(&DONE.map(|(name, _)| name.to_owned()), &rows))
    }

    fn avoided(&self) -> Result<String> {
        let mut rows = Vec::new();
        for ((name, _), paper) in AVOIDABLE.into_iter().zip(TABLE_2) {
            let counts = KERNELS.map(|kernel| Ok(self.most(AVOIDED, &case(kernel, name))?.to_string()));
            let paper = paper.map_or("-".to_owned(), |count| count.to_string());
            rows.push(of_operation(name, counts, paper)?);
        }
        for (name, done, all, paper) in SAVINGS {
            let saved = KERNELS.map(|kernel| {
                let [done, all] = [done, all].map(|what| self.most(AVOIDED, &case(kernel, what)));
                // More is done than eager queues would where a slice ends.
                let (done, all) = (done?, all?);
                Ok(tenths(all.saturating_sub(done) * 1000 / all.max(1)))
            });
            rows.push(of_operation(&format!("{name}, %"), saved, tenths(paper))?);
        }
        let mut header = vec!["operations"];
        header.extend(KERNELS);
        header.push("the paper's DS/LQ");
        Ok(table(&header, &rows))
    }

    /// What the file server's kernel takes: by kind, and for a request.
    fn work(&self) -> Result<String> {
        let rows = each(|kernel| {
            let kinds = KINDS.map(|kind| {
                let figures = self.0.row(WORK, &case(kernel, kind))?.figures;
                Ok(format!("{} to {}", tenths(figures.tenths()), figures.max))
            });
            kinds.into_iter().chain([self.request(kernel)]).collect()
        })?;
        let header = KINDS.map(|kind| format!("{kind}, mean to most")).into_iter();
        Ok(with_kernels(&header.chain(["all, for a request".to_owned()]).collect::<Vec<_>>(), &rows))
    }

    /// Instructions of the kernel for a request.
    fn request(&self, kernel: &str) -> Result<String> {
        let mut sum = 0;
        for kind in KINDS {
            sum += self.0.row(WORK, &case(kernel, kind))?.figures.sum;
        }
        Ok(tenths(sum * 10 / u64::from(REQUESTS)))
    }

    fn left(&self) -> Result<String> {
        let header = LEFT.map(|number| format!("left: {number}"));
        let rows = each(|kernel| {
            LEFT.map(|number| Ok(self.most(LEFT_IN_QUEUE, &left_case(kernel, number))?.to_string())).into()
        })?;
        Ok(with_kernels(&header, &rows))
    }

    fn picture_of_ping_pong(&self) -> Result<String> {
        let first = self.message(KERNELS[0], 0)?;
        let mut bars = Vec::new();
        for (kernel, cycles) in KERNELS.into_iter().zip(CYCLES) {
            bars.push(Bar::ours(
                &format!("{kernel}, instructions"),
                percent(self.message(kernel, 0)?, first),
            ));
            bars.extend(cycles.map(|cycles| Bar {
                name: format!("{kernel}, the paper's cycles"),
                value: percent(cycles, 289),
                foreign: true,
            }));
        }
        let (title, across) = ("A message without words", "in hundredths of what it takes with DS/LQ");
        Ok(Bars { title, across, bars }.svg())
    }

    fn picture_of_left(&self) -> Result<String> {
        let line = |kernel: &str| -> Result<Line> {
            let point =
                |number| Ok((u64::from(number), self.most(LEFT_IN_QUEUE, &left_case(kernel, number))?));
            Ok(Line { name: kernel.to_owned(), points: LEFT.map(point).into_iter().collect::<Result<_>>()? })
        };
        let lines = KERNELS[..3].iter().map(|kernel| line(kernel)).collect::<Result<_>>()?;
        let title = "A step of the scheduler behind direct switches";
        let (across, up) = ("threads that blocked before", "instructions");
        Ok(Plot { title, across, up, lines }.svg())
    }
}

/// A value in hundredths of another one, rounded.
fn percent(value: u64, of: u64) -> u64 {
    (value * 100 + of / 2) / of.max(1)
}

/// How much more one value is than another; with a sign if it is less.
fn difference(one: u64, other: u64, text: impl Fn(u64) -> String) -> String {
    let sign = if one < other { "-" } else { "" };
    format!("{sign}{}", text(one.abs_diff(other)))
}

fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let header: Vec<_> = header.iter().map(|cell| (*cell).to_owned()).collect();
    markdown(&header, rows)
}

/// The cells of each kernel, behind its name.
fn each(cells: impl Fn(&'static str) -> Vec<Result<String>>) -> Result<Vec<Vec<String>>> {
    let row = |kernel: &'static str| std::iter::once(Ok(kernel.to_owned())).chain(cells(kernel)).collect();
    KERNELS.into_iter().map(row).collect()
}

fn with_kernels(header: &[String], rows: &[Vec<String>]) -> String {
    markdown(&[&["kernel".to_owned()], header].concat(), rows)
}

/// What an operation comes to with each kernel, and in the paper.
fn of_operation(name: &str, kernels: [Result<String>; 6], paper: String) -> Result<Vec<String>> {
    std::iter::once(Ok(name.to_owned())).chain(kernels).chain([Ok(paper)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_grows_with_what_is_left_in_a_lazy_queue_and_in_no_other() -> Result<()> {
        let recorded = Recorded::read()?;
        let most = |kernel: &str, number| Figures(&recorded).most(LEFT_IN_QUEUE, &left_case(kernel, number));
        let [lazy, others @ ..] = KERNELS;
        let each = most(lazy, 2)? - most(lazy, 1)?;
        for number in LEFT {
            assert_eq!(most(lazy, number)?, most(lazy, 1)? + each * u64::from(number - 1), "{number}");
            for kernel in others {
                assert_eq!(most(kernel, number.max(5))?, most(kernel, 5)?, "{kernel}: {number}");
            }
        }
        Ok(())
    }

    #[test]
    fn a_difference_has_a_sign_only_if_it_is_one_of_less() {
        let cycles = |cycles: u64| cycles.to_string();
        assert_eq!([difference(7, 5, cycles), difference(5, 7, cycles)], ["2", "-2"]);
    }
}
