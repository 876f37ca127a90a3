//! All ways in which jobs may take their times: one run after the other, until none is left.

use std::collections::BTreeMap;

use crate::shape::TIMES;

/// The times of one run, in the order in which its jobs are released.
#[derive(Default)]
pub struct Choices {
    /// For each choice that was made, which.
    made: Vec<usize>,
    /// How many of them this run has come to.
    reached: usize,
    /// The times by task and job.
    times: BTreeMap<(usize, usize), u64>,
}

impl Choices {
    /// How long a job takes; chosen when it is asked for the first time.
    pub fn time(&mut self, task: usize, number: usize) -> u64 {
        let (made, reached) = (&mut self.made, &mut self.reached);
        *self.times.entry((task, number)).or_insert_with(|| {
            if *reached == made.len() {
                made.push(0);
            }
            *reached += 1;
            TIMES[task][made[*reached - 1]]
        })
    }

    /// How long it takes, if this was chosen.
    pub fn known(&self, task: usize, number: usize) -> Option<u64> {
        self.times.get(&(task, number)).copied()
    }

    /// The next run's choices: the last that can be another one is; answers whether there are any.
    pub fn advance(&mut self) -> bool {
        self.made.truncate(self.reached);
        (self.reached, self.times) = (0, BTreeMap::new());
        while self.made.last().is_some_and(|choice| choice + 1 == TIMES[0].len()) {
            self.made.pop();
        }
        match self.made.last_mut() {
            Some(choice) => {
                *choice += 1;
                true
            }
            None => false,
        }
    }
}
