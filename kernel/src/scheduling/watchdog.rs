//! The state of a watchdog.
//!
//! ```text
//!              there is something for whom it watches (1)          a step sets its timer (3)
//!   Asleep ---------------------------------------------> Roused ----------------------------> Awake
//!    ^  ^                                                    |          it came back (1)       |  ^ |
//!    |  +---- it waits for more, or finds nothing (2) -------+        or the timer was early --+  | |
//!    |                                                                                            | |
//!    |                         (2)                                                  (1)           | |
//!    |  +-------------------------------------------------------------- Dozing -------------------+ |
//!    |  |                                                                  ^                        |
//!    |  |                                                                  +---------- (2) ---------+
//!    |  |   the timer goes off (4)                                                                  |
//!    +--+------------------------------------------------------------------------------ it bites ---+
//! ```
//! (1) [`rouse`](WatchdogState::rouse), and [`remind`](WatchdogState::remind) where it isn't awake yet,
//! (2) [`rest`](WatchdogState::rest), (3) [`set`](WatchdogState::set), (4) [`go_off`](WatchdogState::go_off).
//!
//! A timer that is set isn't moved when whom it watches comes back: it goes off for nothing then, and is set to the
//! instant that counts. So coming back costs a few instructions and no walk through the timers' tree.

use beryl_abi::Moment;

use crate::rows::watchdogs::WatchdogId;
use crate::table::Blank;

/// A watchdog's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WatchdogState {
    /// When it bites, where it is roused or awake.
    due: Moment,
    phase: Phase,
}

/// Where a watchdog is in the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Asleep,
    Roused,
    Awake,
    Dozing,
}

impl WatchdogState {
    /// At the start.
    const ASLEEP: WatchdogState = WatchdogState { due: Moment::from_ticks(0), phase: Phase::Asleep };

    /// (1) It bites at `due`. Returns whether its timer has yet to be set.
    #[inline(always)]
    pub(crate) fn rouse(&mut self, due: Moment) -> bool {
        self.due = due;
        let is_to_be_set = self.phase == Phase::Asleep;
        self.phase = match self.phase {
            Phase::Asleep | Phase::Roused => Phase::Roused,
            Phase::Awake | Phase::Dozing => Phase::Awake,
        };
        is_to_be_set
    }

    /// (1) The same, unless it is awake: then it bites when it would have. Returns whether its timer has yet to be set.
    pub(crate) fn remind(&mut self, due: Moment) -> bool {
        matches!(self.phase, Phase::Asleep | Phase::Dozing) && self.rouse(due)
    }

    /// (2) There is nothing to watch for.
    #[inline(always)]
    pub(crate) fn rest(&mut self) {
        self.phase = match self.phase {
            Phase::Asleep | Phase::Roused => Phase::Asleep,
            Phase::Awake | Phase::Dozing => Phase::Dozing,
        };
    }

    /// (3) Its timer is set. Returns to which moment, if it watches still.
    pub(crate) fn set(&mut self) -> Option<Moment> {
        if self.phase == Phase::Roused {
            self.phase = Phase::Awake;
        }
        self.timer()
    }

    /// (4) Its timer has gone off. Returns whether it bites.
    pub(crate) fn go_off(&mut self, now: Moment) -> bool {
        let bites = self.phase == Phase::Awake && !now.is_before(self.due);
        if bites || self.phase == Phase::Dozing {
            self.phase = Phase::Asleep;
        }
        bites
    }

    /// To what its timer is to be set, if it watches.
    pub(crate) fn timer(&self) -> Option<Moment> {
        (self.phase == Phase::Awake).then_some(self.due)
    }

    /// Whether it watches.
    pub(crate) fn is_watching(&self) -> bool {
        matches!(self.phase, Phase::Roused | Phase::Awake)
    }

    /// For hosts that compare states: without what nobody will read again.
    pub(crate) fn forget(&mut self) {
        if !self.is_watching() {
            self.due = Moment::from_ticks(0);
        }
    }
}

impl Blank for WatchdogState {
    const BLANK: WatchdogState = WatchdogState::ASLEEP;
}

/// What has yet to be done about watchdogs, each in a step of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Alert {
    /// One whose timer isn't set yet.
    pub(crate) unset: WatchdogId,
    /// One that bites.
    pub(crate) biting: WatchdogId,
}

impl Alert {
    /// Nothing.
    pub(crate) const NONE: Alert = Alert { unset: WatchdogId::NONE, biting: WatchdogId::NONE };
}

impl Blank for Alert {
    const BLANK: Alert = Alert { unset: WatchdogId(0), biting: WatchdogId(0) };
}
