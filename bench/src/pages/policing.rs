//! Policing: accounting, reactions, budgets that come back, restarts, storms, bytes.

use anyhow::Result;

use super::{Page, markdown, tenths};
use crate::bars::{Bar, Bars};
use crate::plot::{Line, Plot};
use crate::policing::accounting::{self, SWITCH, WITHOUT};
use crate::policing::latency::{self, LATENCY, USED};
use crate::policing::returns::{
    ASLEEP, BANDWIDTH, CHARGED, END, NUMBERS, POLICIES, RETURN, USED_UP, at_once, one_of,
};
use crate::policing::storm::{self, STORM};
use crate::policing::text::{self, Base, CHOICES, RAM, TEXT};
use crate::policing::wakes::{self, WAKE};
use crate::policing::{anew, slope};
use crate::recorded::Recorded;
use crate::restarts;

pub fn page(recorded: &Recorded) -> Result<Page> {
    let figures = Figures(recorded);
    Ok(Page {
        file: "policing.md",
        tables: vec![
            ("accounting", figures.accounting()?),
            ("latency", figures.latency()?),
            ("returns", figures.returns()?),
            ("policies", figures.policies()?),
            ("restarts", figures.restarts()?),
            ("storm", figures.storm()?),
            ("text", figures.text()?),
        ],
        plots: vec![
            ("policing-returns.svg", figures.picture_of_returns()?),
            ("policing-policies.svg", figures.picture_of_policies()?),
        ],
    })
}

/// A figure for each number of threads.
type Points = Vec<(u64, u64)>;

/// Tables and pictures of recorded figures.
struct Figures<'a>(&'a Recorded);

impl Figures<'_> {
    fn most(&self, bench: &str, case: &str) -> Result<u64> {
        Ok(self.0.row(bench, case)?.figures.max)
    }

    fn accounting(&self) -> Result<String> {
        let without = self.most(SWITCH, WITHOUT)?;
        let mut rows = vec![[WITHOUT.to_owned(), without.to_string(), String::new(), String::new()].into()];
        for (case, aim) in accounting::CASES {
            let with = self.most(SWITCH, case)?;
            let aim = aim.map_or(String::new(), |aim| aim.to_string());
            rows.push(vec![case.to_owned(), with.to_string(), more(with, without), aim]);
        }
        Ok(table(&["a yield between two threads", "instructions", "more", "aim"], &rows))
    }

    fn latency(&self) -> Result<String> {
        let mut rows = Vec::new();
        for case in &latency::CASES {
            let (took, used) =
                (self.0.row(LATENCY, case.name)?.figures, self.0.row(USED, case.name)?.figures);
            rows.push(vec![
                case.name.to_owned(),
                case.of.to_string(),
                self.most(latency::ALLOWED, case.name)?.to_string(),
                used.max.to_string(),
                took.max.to_string(),
                self.most(latency::COUNTED, case.name)?.to_string(),
                took.n.to_string(),
            ]);
        }
        let header = [
            "reaction",
            "may use",
            "the kernel allows",
            "used by its code",
            "until it has taken effect",
            "counted",
            "seen",
        ];
        Ok(table(&header, &rows))
    }

    /// A line of returns or ends: a value for each number of threads.
    fn line(&self, bench: &str, case: impl Fn(u64) -> String) -> Result<Points> {
        NUMBERS.iter().map(|number| Ok((*number, self.most(bench, &case(*number))?))).collect()
    }

    /// All lines of the table of returns, by their names.
    fn lines(&self) -> Result<Vec<(String, Points)>> {
        let mut lines = Vec::new();
        for policy in POLICIES {
            for what in [USED_UP, ASLEEP] {
                if policy == "sporadic" && what == ASLEEP {
                    continue;
                }
                let all = self.line(RETURN, |number| at_once(policy, what, number))?;
                lines.push((format!("{policy}, {what}, all at once"), all));
                let one = |number| match number {
                    1 => at_once(policy, what, number),
                    _ => one_of(policy, what, number),
                };
                lines.push((format!("{policy}, {what}, one of them"), self.line(RETURN, one)?));
            }
            let counted = self.line(CHARGED, |number| format!("return, {policy}, among {number}"))?;
            let counted = counted.into_iter().map(|(number, each)| (number, number * each)).collect();
            lines.push((format!("{policy}, all at once, counted by the proof"), counted));
        }
        for policy in POLICIES.into_iter().chain([BANDWIDTH]) {
            lines.push((
                format!("{policy}, an end"),
                self.line(END, |number| format!("{policy}, among {number}"))?,
            ));
        }
        Ok(lines)
    }

    fn returns(&self) -> Result<String> {
        let mut rows = Vec::new();
        for (name, points) in self.lines()? {
            let (each, beside) = slope(&points)?;
            let figures = points.iter().map(|(_, figure)| figure.to_string());
            rows.push([vec![name], figures.collect(), vec![tenths(each), beside.to_string()]].concat());
        }
        let numbers = NUMBERS.map(|number| format!("n = {number}"));
        let mut header = vec!["instructions".to_owned()];
        header.extend(numbers);
        header.extend(["each more", "beside that line"].map(str::to_owned));
        Ok(markdown(&header, &rows))
    }

    fn policies(&self) -> Result<String> {
        let mut rows = Vec::new();
        let without = self.most(SWITCH, WITHOUT)?;
        for case in wakes::WITHOUT {
            let wake = self.most(WAKE, case)?.to_string();
            rows.push([vec![case.to_owned(), "0".to_owned(), wake], vec![String::new(); 5]].concat());
        }
        for policy in POLICIES.into_iter().chain([BANDWIDTH]) {
            let switch = match policy {
                "deferrable" => more(self.most(SWITCH, "the alarm stays")?, without),
                BANDWIDTH => String::new(),
                _ => more(self.most(SWITCH, &format!("{policy} budgets, the alarm stays"))?, without),
            };
            let [one, each] = match policy {
                BANDWIDTH => [String::new(), String::new()],
                _ => {
                    let points = self.line(RETURN, |number| at_once(policy, USED_UP, number))?;
                    [self.most(RETURN, &at_once(policy, USED_UP, 1))?.to_string(), tenths(slope(&points)?.0)]
                }
            };
            let option = match policy {
                BANDWIDTH => "constant bandwidth".to_owned(),
                _ => format!("a {policy} budget"),
            };
            rows.push(vec![
                policy.to_owned(),
                switch,
                self.most(WAKE, policy)?.to_string(),
                self.most(END, &format!("{policy}, among 1"))?.to_string(),
                self.most(END, &format!("{policy}, among 50"))?.to_string(),
                one,
                each,
                self.most(TEXT, &text::case(&option, Base::Threads))?.to_string(),
            ]);
        }
        let header = [
            "policy",
            "a switch, more",
            "to wake",
            "an end, of 1",
            "of 50",
            "a return, of 1",
            "each more",
            "bytes",
        ];
        Ok(table(&header, &rows))
    }

    fn restarts(&self) -> Result<String> {
        let mut rows = Vec::new();
        for (bytes, case, _) in restarts::MEMORY {
            let (took, counted) = (self.most(restarts::NAMES[0], case)?, self.most(anew::COUNTED, case)?);
            rows.push(vec![bytes.to_string(), took.to_string(), counted.to_string(), times(counted, took)]);
        }
        Ok(table(&["bytes of its own", "instructions", "counted by the proof", "times"], &rows))
    }

    fn storm(&self) -> Result<String> {
        let [taken, counted, all] =
            [storm::TAKEN, storm::COUNTED, storm::SEPARATION].map(|case| self.most(STORM, case));
        let (taken, counted, all) = (taken?, counted?, all?);
        let share = |part: u64| format!("{} %", tenths((part * 1000 + all / 2) / all.max(1)));
        let rows = [
            vec!["taken by the storm".to_owned(), taken.to_string(), share(taken)],
            vec!["counted by the proof".to_owned(), counted.to_string(), share(counted)],
        ];
        Ok(table(&["in each separation", "instructions", "of the processor"], &rows))
    }

    fn text(&self) -> Result<String> {
        let mut rows = Vec::new();
        for choice in &CHOICES {
            let cell = |bench: &str, base: Base| match text::has(choice, base) {
                true => Ok::<_, anyhow::Error>(self.most(bench, &text::case(choice.name, base))?.to_string()),
                false => Ok(String::new()),
            };
            let name = match choice.beside {
                Some(beside) => format!("{}, beside {beside}", choice.name),
                None => choice.name.to_owned(),
            };
            let [threads, objects] = Base::ALL.map(|base| cell(TEXT, base));
            rows.push(vec![name, threads?, objects?, cell(RAM, Base::Threads)?, cell(RAM, Base::Objects)?]);
        }
        let [threads, objects] = Base::ALL.map(Base::name);
        let header = [
            "option",
            &format!("code, {threads}"),
            &format!("code, {objects}"),
            &format!("RAM, {threads}"),
            &format!("RAM, {objects}"),
        ];
        Ok(table(&header, &rows))
    }

    fn picture_of_returns(&self) -> Result<String> {
        let shown = |name: &str| name.ends_with("all at once");
        let lines = self.lines()?.into_iter().filter(|(name, _)| shown(name));
        let named = |(name, points): (String, Points)| {
            let name = name.strip_suffix(", all at once").unwrap_or(&name).to_owned();
            Line { name, points }
        };
        let lines = lines.map(named).collect();
        let title = "Budgets that come back at one instant";
        Ok(Plot { title, across: "threads with budgets", up: "instructions", lines }.svg())
    }

    /// A group of bars for each policy.
    fn picture_of_policies(&self) -> Result<String> {
        let mut bars = Vec::new();
        for policy in POLICIES.into_iter().chain([BANDWIDTH]) {
            let mut group = vec![
                ("wakes", self.most(WAKE, policy)?),
                ("used up", self.most(END, &format!("{policy}, among 1"))?),
            ];
            if policy != BANDWIDTH {
                group.push(("comes back", self.most(RETURN, &at_once(policy, USED_UP, 1))?));
            }
            for (number, (what, value)) in group.into_iter().enumerate() {
                bars.push(Bar { name: format!("{policy}: {what}"), value, foreign: number == 0 });
            }
        }
        let title = "One thread with a budget, by its policy";
        Ok(Bars { title, across: "instructions of the kernel; what wakes it is grey", bars }.svg())
    }
}

fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    markdown(&header.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>(), rows)
}

/// How much more a figure is than another; less has a sign.
fn more(with: u64, without: u64) -> String {
    let sign = if with < without { "-" } else { "" };
    format!("{sign}{}", with.abs_diff(without))
}

/// How many times one figure is another.
fn times(one: u64, other: u64) -> String {
    tenths((one * 10 + other / 2) / other.max(1))
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    /// What is measured is within what proofs count, and what isn't early is within the switch that is charged.
    #[test]
    fn nothing_takes_longer_than_it_is_counted() -> Result<()> {
        let recorded = Recorded::read()?;
        let figures = Figures(&recorded);
        for case in &latency::CASES {
            assert!(
                figures.most(LATENCY, case.name)? <= figures.most(latency::COUNTED, case.name)?,
                "{}",
                case.name
            );
            let (used, allowed) =
                (figures.most(USED, case.name)?, figures.most(latency::ALLOWED, case.name)?);
            assert!(used <= allowed + 1 && (case.of != latency::HOLD || used >= case.of), "{}", case.name);
        }
        for (_, case, _) in restarts::MEMORY {
            assert!(figures.most("restart", case)? <= figures.most(anew::COUNTED, case)?, "{case}");
        }
        for policy in POLICIES {
            for number in NUMBERS {
                let each = figures.most(CHARGED, &format!("return, {policy}, among {number}"))?;
                let all = figures.most(RETURN, &at_once(policy, USED_UP, number))?;
                assert!(all <= number * each, "{policy}, {number}");
            }
        }
        assert!(figures.most(STORM, storm::TAKEN)? <= figures.most(STORM, storm::COUNTED)?);
        Ok(())
    }

    /// The aims of a switch, and that returns are as many times one as there are budgets.
    #[test]
    fn switches_are_within_their_aims_and_returns_on_a_line() -> Result<()> {
        let recorded = Recorded::read()?;
        let figures = Figures(&recorded);
        let without = figures.most(SWITCH, WITHOUT)?;
        for (case, aim) in accounting::CASES {
            let more = figures.most(SWITCH, case)?.saturating_sub(without);
            assert!(aim.is_none_or(|aim| aim == 0 || more <= aim), "{case}: {more}");
        }
        for (name, points) in figures.lines()?.into_iter().filter(|(name, _)| name.ends_with("all at once")) {
            let last = points.last().context("a point")?.1;
            assert!(slope(&points)?.1 * 20 <= last, "{name} isn't a line: {points:?}");
        }
        Ok(())
    }
}
