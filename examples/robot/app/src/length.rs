//! How long a job takes: as long as it declares but for a little, whatever it has to do.

use beryl_user::call;
use beryl_user::time::{Duration, microseconds};

/// What is left free for the calls that a board makes around a job.
const CALLS: u64 = 100;

/// A job's time, from its beginning on.
pub struct Length {
    end: Duration,
    all: Duration,
}

impl Length {
    /// That of listening, reading a wheel, or forgetting: 20 ms.
    pub fn short() -> Length {
        Length::of(20_000)
    }

    /// That of entering what was heard into the map: 100 ms.
    pub fn long() -> Length {
        Length::of(100_000)
    }

    fn of(worst: u64) -> Length {
        let all = microseconds(worst - CALLS);
        Length { end: call::execution_time().plus(all), all }
    }

    /// Lets the rest of it pass: in the simulator as virtual time, of which the job's own code has taken none; on a board by
    /// looking at the thread's clock.
    pub fn pass(self) {
        call::spend(self.all);
        if cfg!(target_os = "none") {
            while call::execution_time() < self.end {}
        }
    }
}
