//! What the kernel takes for slack stealing, from its charges.

use beryl_abi::Duration;
use beryl_kernel::Charges;

use super::stealing::Told;

/// In ticks. All are nothing where the kernel takes no time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overheads {
    /// A job's release, whoever runs: before all.
    pub release: u64,
    /// From where a job has told its end to where it waits.
    pub end: u64,
    /// What the scheduler does in a turn once it has read the clock, with what it reckons, and an alarm for a wait that was
    /// over before its limit.
    pub turn: u64,
    /// From where soft work has told that it is done to where its thread sleeps.
    pub sleep: u64,
    /// Of that, what may pass before it waits.
    pub before_wait: u64,
    /// A call.
    pub call: u64,
    /// What wakes a thread by its time limit, with the switch to it.
    wakes: u64,
    /// An alarm for a wait that was over before its limit.
    nothing: u64,
    /// To tell something, up to where the scheduler has read the clock.
    tells: u64,
}

impl Overheads {
    /// Of a kernel with these charges, and a scheduler that takes so long to reckon.
    pub fn of(charges: &Charges, reckons: u64) -> Overheads {
        let Charges { alarm, release, completion, switch, decision, job, call, .. } = *charges;
        let sum = |all: &[Duration]| all.iter().map(|one| one.ticks()).sum::<u64>();
        Overheads {
            release: sum(&[alarm, release, decision, job, switch, switch]),
            end: sum(&[completion, decision, switch]),
            turn: reckons + sum(&[call, call, completion, job, decision, switch, alarm, release, decision]),
            before_wait: reckons + sum(&[call, call]),
            sleep: sum(&[call, completion, job, decision, switch]),
            call: call.ticks(),
            nothing: sum(&[alarm, release, decision]),
            wakes: sum(&[alarm, release, job, job, decision, switch]),
            tells: sum(&[call, decision, switch, call]),
        }
    }

    /// What a job costs in its own place: that its end is told, and what follows.
    pub fn job(&self) -> u64 {
        self.tells + self.turn + self.end
    }

    /// What passes before a turn, and isn't of who ran: where the thread's limit is over, or soft work comes.
    pub fn before(&self, told: Told) -> u64 {
        match told {
            Told { came: true, .. } => self.before_came(),
            Told { ends: 0, gone: false, .. } => self.wakes,
            _ => 0,
        }
    }

    /// What passes from where soft work comes to where the scheduler knows the time of it.
    fn before_came(&self) -> u64 {
        self.wakes + self.tells
    }

    /// What may have to be done before all in a window without slack: a less urgent job's end that has begun, soft work that
    /// comes and is lowered at once, soft work whose slack is used up just as it is done.
    pub fn at_once(&self) -> u64 {
        self.job() + self.came() + self.wakes + self.tells + self.turn + self.tells + self.turn + self.sleep
    }

    /// What a job costs before all where it is promoted, and again taken down: its release, and a turn for each. Gain of
    /// others takes so many more promotions back at once, and makes them once more.
    pub fn promotions(&self, others: u64) -> u64 {
        // At its limit no other wait was over before.
        let turn = self.wakes + self.turn - self.nothing;
        let again = if others > 0 { turn + others * self.call } else { 0 };
        self.release + turn + turn + again
    }

    /// Soft work that comes.
    fn came(&self) -> u64 {
        self.before_came() + self.turn
    }
}
