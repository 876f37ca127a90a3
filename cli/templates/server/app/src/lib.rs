//! A server that keeps settings, and two clients that have nothing else in common.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::endpoint::{Client, Server};
use beryl_user::period::Period;
use beryl_user::trace::tell;

/// How many settings there are.
const SETTINGS: usize = 4;
/// Leaves a setting as it is.
const KEEP: i32 = i32::MIN;

/// Which setting, and what it becomes.
pub type Wish = [i32; 2];

/// What the server keeps.
#[derive(Default)]
pub struct Store([i32; SETTINGS]);

impl Store {
    /// What a setting was. One that isn't there is 0 and stays so.
    pub fn answer(&mut self, [which, becomes]: Wish) -> i32 {
        let setting = usize::try_from(which).ok().and_then(|which| self.0.get_mut(which));
        setting.map_or(0, |setting| {
            let was = *setting;
            if becomes != KEEP {
                *setting = becomes;
            }
            was
        })
    }
}

/// Answers whoever calls.
pub fn store(mut settings: Server<Wish, i32>) -> ! {
    let mut store = Store::default();
    settings.serve(|wish| store.answer(wish))
}

/// Counts its jobs in the first setting.
pub fn steer(mut period: Period, mut settings: Client<Wish, i32>) -> ! {
    loop {
        if let Ok(jobs) = settings.call(&[0, KEEP]) {
            let _ = settings.call(&[0, jobs + 1]);
        }
        period.wait();
    }
}

/// Tells the trace what the first setting is: `beryl trace` shows it.
pub fn show(mut period: Period, mut settings: Client<Wish, i32>) -> ! {
    loop {
        if let Ok(jobs) = settings.call(&[0, KEEP]) {
            tell(1, jobs.unsigned_abs());
        }
        period.wait();
    }
}

#[cfg(test)]
mod tests {
    use beryl_user::fake::{End, Fake};
    use beryl_user::time::Duration;

    use super::*;

    #[test]
    fn a_setting_is_kept_until_it_becomes_another() {
        let mut store = Store::default();
        let answers = [[2, 7], [2, KEEP], [2, 9], [2, KEEP]].map(|wish| store.answer(wish));
        assert_eq!(answers, [0, 7, 7, 9]);
    }

    #[test]
    fn what_is_not_there_is_nothing() {
        let mut store = Store::default();
        assert_eq!([[-1, 7], [4, 7], [-1, KEEP]].map(|wish| store.answer(wish)), [0, 0, 0]);
    }

    /// A thread alone: its jobs and its server are the test's.
    #[test]
    fn what_is_set_is_shown() {
        let fake = Fake::new();
        let mut jobs = 40;
        let settings = fake.client(move |[which, becomes]: Wish| {
            assert_eq!((which, becomes), (0, KEEP));
            jobs += 1;
            jobs
        });
        let period = fake.period(Duration::from_ticks(1000), 3);
        assert_eq!(fake.thread(|| show(period, settings)), End::NoRelease);
        assert_eq!(fake.told(), [(1, 41), (1, 42), (1, 43)]);
    }

    #[test]
    fn whoever_asks_is_answered() {
        let fake = Fake::new();
        let (settings, replies) = fake.server([[1, 5], [1, KEEP], [2, KEEP]]);
        assert_eq!(fake.thread(|| store(settings)), End::NoRequest);
        assert_eq!(replies.take(), [0, 5, 0]);
    }
}
