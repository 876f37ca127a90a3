//! Which process and band a task or thread belongs to, and its place there.

use super::budget;
use super::diagnostic::{Problem, Reporter};
use super::section::Section;
use super::value::{Text, UpTo};
use super::{Band, Group, Placed, Policy, code};
use beryl_abi::{BandId, ProcessId};
use beryl_timing::Help;
use miette::SourceSpan;

/// The processes, bands and groups that there are, in their order.
pub(super) struct Members<'a> {
    processes: Vec<String>,
    bands: &'a [Band],
    groups: &'a [Group],
    /// Those that can't be read among them.
    named_groups: Vec<&'a str>,
    /// Whether something is wrong with the bands. Then nothing more is said about which thread belongs to which band.
    unclear: bool,
}

type Priority = Option<Placed<UpTo<31>>>;

impl<'a> Members<'a> {
    pub(super) fn new(
        processes: Vec<String>,
        bands: &'a [Band],
        (groups, named_groups): (&'a [Group], Vec<&'a str>),
        unclear: bool,
    ) -> Members<'a> {
        Members { processes, bands, groups, named_groups, unclear }
    }

    /// What the processes are called, in their order.
    pub(super) fn processes(&self) -> &[String] {
        &self.processes
    }

    /// The process that a section names.
    pub(super) fn process(
        &self,
        section: &Section<'_>,
        reporter: &mut Reporter,
    ) -> Option<Placed<ProcessId>> {
        let Placed { value: Text(name), place } = section.required("process", reporter)?;
        let names: Vec<&str> = self.processes.iter().map(String::as_str).collect();
        let index = find(&name, &names);
        // That there is no process at all is said once, not for each that needs one.
        if index.is_none() && !names.is_empty() {
            reporter.unknown("process", &Placed::new(name, place), &names);
        }
        Some(Placed::new(ProcessId(index?), place))
    }

    /// The group that a section names, if it names one.
    pub(super) fn group(&self, section: &Section<'_>, reporter: &mut Reporter) -> Option<Placed<usize>> {
        let Placed { value: Text(name), place } = section.optional("group", reporter)?;
        let index = self.groups.iter().position(|known| known.name.value == name);
        if !self.named_groups.contains(&name.as_str()) {
            reporter.unknown("group", &Placed::new(name, place), &self.named_groups);
        }
        Some(Placed::new(index?, place))
    }

    /// A task's band, and its priority if the band is a fixed one.
    pub(super) fn task_place(
        &self,
        section: &Section<'_>,
        reporter: &mut Reporter,
    ) -> Option<(Placed<BandId>, Option<u8>)> {
        let priority: Priority = section.optional("priority", reporter);
        let usual = |policy| matches!(policy, Policy::Dynamic | Policy::Code);
        let (band, policy) = self.band(section, &usual, reporter)?;
        match (policy, &priority) {
            (Policy::Fixed, None) if !section.has("priority") => {
                section.missing("`priority`", with_priority(section, reporter), reporter);
            }
            (Policy::Dynamic | Policy::Code, priority) => {
                self.refuse_priority(section, priority.as_ref(), band, reporter)
            }
            (Policy::Fixed, _) => {}
        }
        Some((band, priority.map(|priority| priority.value.0)))
    }

    /// A thread's band, and its priority if the band is a fixed one. In a dynamic band it needs a deadline.
    pub(super) fn thread_place(
        &self,
        section: &Section<'_>,
        reporter: &mut Reporter,
    ) -> Option<(Placed<BandId>, Option<u8>)> {
        let priority: Priority = section.optional("priority", reporter);
        let has_deadline = ["deadline", "period", "separation"].iter().any(|key| section.has(key))
            || budget::is_bandwidth(section, reporter);
        let usual = match has_deadline && !section.has("priority") {
            true => Policy::Dynamic,
            false => Policy::Fixed,
        };
        let (band, policy) = self.band(section, &|policy| policy == usual, reporter)?;
        match policy {
            Policy::Fixed if !section.has("priority") => {
                section.missing("`priority`", with_priority(section, reporter), reporter);
            }
            Policy::Fixed => {}
            Policy::Dynamic if !has_deadline => reporter.report(Problem {
                code: code::CONFLICT,
                place: band.place,
                message: "a thread without `period`, `separation` or `deadline` can't be in a dynamic band: the \
                          earliest deadline goes first there"
                    .to_owned(),
                label: "a dynamic band".to_owned(),
                help: "add `deadline = \"...\"`, or take a band whose policy is \"fixed\"".into(),
            }),
            Policy::Dynamic => self.refuse_priority(section, priority.as_ref(), band, reporter),
            Policy::Code => reporter.report(Problem {
                code: code::CONFLICT,
                place: band.place,
                message: "a thread can't be in a band that is scheduled by code: it isn't released by the timing program"
                    .to_owned(),
                label: "a band for tasks".to_owned(),
                help: "take a band whose policy is \"dynamic\" or \"fixed\"".into(),
            }),
        }
        Some((band, priority.map(|priority| priority.value.0)))
    }

    /// The band of threads that change their priorities, which is a fixed one.
    pub(super) fn fixed_band(
        &self,
        section: &Section<'_>,
        reporter: &mut Reporter,
    ) -> Option<Placed<BandId>> {
        let (band, policy) = self.band(section, &|policy| policy == Policy::Fixed, reporter)?;
        if policy != Policy::Fixed {
            reporter.report(Problem {
                code: code::CONFLICT,
                place: band.place,
                message: "threads of CMSIS-RTOS2 have priorities, which mean something in a fixed band only"
                    .to_owned(),
                label: "not a fixed band".to_owned(),
                help: "take a band whose policy is \"fixed\", behind those of what must be on time".into(),
            });
            return None;
        }
        Some(band)
    }

    /// A band's policy.
    pub(super) fn policy(&self, band: BandId) -> Option<Policy> {
        self.bands.get(band.index()).map(|band| band.policy)
    }

    fn refuse_priority(
        &self,
        section: &Section<'_>,
        priority: Option<&Placed<UpTo<31>>>,
        band: Placed<BandId>,
        reporter: &mut Reporter,
    ) {
        let Some(priority) = priority else { return };
        let problem = Problem {
            code: code::CONFLICT,
            place: priority.place,
            message: "a priority means nothing here: only in a fixed band the highest priority goes first"
                .to_owned(),
            label: "no use".to_owned(),
            help: section.without(
                "leave the priority out, or take a fixed band".into(),
                "priority",
                reporter,
            ),
        };
        reporter.report_with(problem, band.place, "not a fixed band");
    }

    /// The band that a section names; if it names none, the only one of a usual policy.
    fn band(
        &self,
        section: &Section<'_>,
        usual: &dyn Fn(Policy) -> bool,
        reporter: &mut Reporter,
    ) -> Option<(Placed<BandId>, Policy)> {
        let named = section.optional("band", reporter);
        if self.unclear || self.bands.is_empty() || named.is_none() && section.has("band") {
            return None;
        }
        let (index, place) = match named {
            None => (self.only_band(section, usual, reporter)?, section.place),
            Some(Placed { value: Text(name), place }) => {
                (self.named_band(Placed::new(name, place), reporter)?, place)
            }
        };
        let band = self.bands.get(usize::from(index))?;
        Some((Placed::new(BandId(index), place), band.policy))
    }

    fn named_band(&self, name: Placed<String>, reporter: &mut Reporter) -> Option<u8> {
        let names: Vec<&str> = self.bands.iter().map(|band| band.name.as_str()).collect();
        let index = find(&name, &names);
        if index.is_none() {
            reporter.unknown("band", &name, &names);
        }
        index
    }

    fn only_band(
        &self,
        section: &Section<'_>,
        usual: &dyn Fn(Policy) -> bool,
        reporter: &mut Reporter,
    ) -> Option<u8> {
        let mut candidates = (0..=u8::MAX).zip(self.bands).filter(|(_, band)| usual(band.policy));
        let (first, second) = (candidates.next(), candidates.next());
        if first.is_none() || second.is_some() {
            section.missing("`band`", "add `band = \"...\"` with the name of a [[band]]", reporter);
            return None;
        }
        first.map(|(index, _)| index)
    }
}

/// A member of a fixed band needs a priority.
fn with_priority(section: &Section<'_>, reporter: &Reporter) -> Help<SourceSpan> {
    let help = Help::from("its band is a fixed one: add `priority = 0` to `31`, the most urgent");
    section.with_line(help, "priority = 0", reporter)
}

/// The number of the name among `names`, as many of them as a byte can number.
fn find(name: &str, names: &[&str]) -> Option<u8> {
    (0..=u8::MAX).zip(names).find(|(_, known)| **known == name).map(|(index, _)| index)
}
