//! The 48 cases: the number of tasks, the scheduler, the length of the jobs.

use beryl_generator::Scheme;

/// Numbers of tasks.
pub const TASKS: [u64; 4] = [4, 10, 50, 100];
/// How often the tasks of each group run in a hyperperiod.
pub const GROUPS: [u64; 4] = [1, 2, 3, 6];

/// The scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A band of the kernel, earliest deadline first.
    Bands,
    /// S code, earliest deadline first.
    Preemptive,
    /// The same, each job run to completion.
    NonPreemptive,
    /// S code, rate monotonic.
    ByRate,
}

/// All schedulers, in the order of the paper's tables.
pub const WAYS: [Way; 4] = [Way::Bands, Way::Preemptive, Way::NonPreemptive, Way::ByRate];

impl Way {
    /// Its name in cases and tables.
    pub fn name(self) -> &'static str {
        match self {
            Way::Bands => "EDF band",
            Way::Preemptive => "EDF S code",
            Way::NonPreemptive => "non-preemptive S code",
            Way::ByRate => "RM S code",
        }
    }

    /// The scheme of its code.
    pub fn scheme(self) -> Scheme {
        match self {
            Way::Bands => Scheme::Bands,
            Way::Preemptive => Scheme::PreemptiveEdf,
            Way::NonPreemptive => Scheme::NonPreemptiveEdf,
            Way::ByRate => Scheme::RateMonotonic,
        }
    }
}

/// The length of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// As in Table 1.
    Long,
    /// As in Table 2.
    Medium,
    /// As in Table 3.
    Short,
}

/// All lengths, in the order of the paper's tables.
pub const LENGTHS: [Length; 3] = [Length::Long, Length::Medium, Length::Short];

impl Length {
    /// Its name in cases.
    pub fn name(self) -> &'static str {
        match self {
            Length::Long => "long",
            Length::Medium => "medium",
            Length::Short => "short",
        }
    }

    /// The jobs' share of the processor, in thousandths: the paper's utilisation under preemptive S code less
    /// its system code, for 4, 10, 50 and 100 tasks.
    fn loads(self) -> [u64; 4] {
        match self {
            Length::Long => [814, 846, 743, 509],
            Length::Medium => [346, 345, 327, 360],
            Length::Short => [346, 345, 193, 192],
        }
    }
}

/// A case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The number of tasks.
    pub tasks: u64,
    /// The scheduler.
    pub way: Way,
    /// The length of jobs.
    pub length: Length,
}

impl Case {
    /// All cases, in the order of the paper's tables.
    pub fn all() -> impl Iterator<Item = Case> {
        LENGTHS.into_iter().flat_map(|length| {
            let of = move |tasks| WAYS.into_iter().map(move |way| Case { tasks, way, length });
            TASKS.into_iter().flat_map(of)
        })
    }

    /// Its name in figures.
    pub fn name(&self) -> String {
        format!("{}, {}, {}", self.tasks, self.way.name(), self.length.name())
    }

    /// How often each task runs in a hyperperiod.
    pub fn groups(&self) -> impl Iterator<Item = u64> {
        (0..self.tasks).zip(GROUPS.into_iter().cycle()).map(|(_, group)| group)
    }

    /// The number of jobs in a hyperperiod.
    pub fn jobs(&self) -> u64 {
        self.groups().sum()
    }

    /// The instructions of a job, if a hyperperiod has time for `hyperperiod` instructions.
    pub fn job(&self, hyperperiod: u64) -> u64 {
        let column = TASKS.iter().position(|tasks| *tasks == self.tasks).unwrap_or_default();
        hyperperiod * self.length.loads()[column] / 1000 / self.jobs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cases_are_those_of_the_paper() {
        assert_eq!(Case::all().count(), 48);
        let names: Vec<_> = Case::all().map(|case| case.name()).collect();
        assert_eq!([&names[0], &names[47]], ["4, EDF band, long", "100, RM S code, short"]);
        let jobs = TASKS.map(|tasks| Case { tasks, way: Way::Bands, length: Length::Short }.jobs());
        assert_eq!(jobs, [12, 27, 147, 300]);
    }

    #[test]
    fn jobs_take_what_the_paper_says() {
        for case in Case::all() {
            let busy = case.job(15_000_000) * case.jobs();
            assert!((15_000_000 * 190 / 1000..15_000_000 * 850 / 1000).contains(&busy), "{}", case.name());
        }
    }
}
