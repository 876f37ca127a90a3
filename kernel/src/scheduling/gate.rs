//! The state of a gate.
//!
//! ```text
//!             something passes (1)            something comes early (2)
//!     Open -------------------------> Closed ---------------------------> Awaited
//!      ^                               |  ^                                 |
//!      +------ the instant is past ----+  +---- it opens, and that passes --+
//!      |                (3)                               (4)               |
//!      +------------------- it opens, and nothing is there (5) -------------+
//! ```
//! (1) `let_through`, (2) `await_opening`, (3) `forget_past`, (4) and (5) `open`, then (1) if anything passes.
//!
//! A gate that is closed has no timer: whoever comes looks at the clock. Only what came early sets one.

use beryl_abi::Moment;

use crate::table::Blank;

/// A gate's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GateState {
    /// When it opens, or has opened.
    opens: Moment,
    /// The bits that wait before it.
    pub(crate) kept: u32,
    /// How often something was dropped: at most 65,535.
    dropped: u16,
    phase: Phase,
}

/// Where a gate is in the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Open,
    Closed,
    Awaited,
}

impl GateState {
    /// At the start.
    pub(crate) const OPEN: GateState =
        GateState { opens: Moment::from_ticks(0), kept: 0, dropped: 0, phase: Phase::Open };

    /// Whether something that comes now comes too early. If something waits already, it isn't overtaken.
    #[inline(always)]
    pub(crate) fn is_closed(&self, now: Moment) -> bool {
        match self.phase {
            Phase::Open => false,
            Phase::Closed => now.is_before(self.opens),
            Phase::Awaited => true,
        }
    }

    /// Something passes.
    #[inline(always)]
    pub(crate) fn let_through(&mut self, now: Moment, separation: u32) {
        (self.phase, self.opens) = (Phase::Closed, now.after(separation));
    }

    /// Something waits until the gate opens. Returns whether nothing did before.
    pub(crate) fn await_opening(&mut self) -> bool {
        core::mem::replace(&mut self.phase, Phase::Awaited) != Phase::Awaited
    }

    /// When the gate opens, if something waits for that.
    pub(crate) fn awaited(&self) -> Option<Moment> {
        (self.phase == Phase::Awaited).then_some(self.opens)
    }

    /// The gate opens. Returns the bits that waited before it.
    pub(crate) fn open(&mut self) -> u32 {
        self.phase = Phase::Open;
        core::mem::take(&mut self.kept)
    }

    /// Opens a gate whose instant is past, before that can be mistaken for one to come.
    pub(crate) fn forget_past(&mut self, now: Moment) {
        if self.phase == Phase::Closed && !now.is_before(self.opens) {
            self.phase = Phase::Open;
        }
    }

    /// Something was dropped.
    pub(crate) fn drop_one(&mut self) {
        self.dropped = self.dropped.saturating_add(1);
    }

    /// How often something was dropped.
    pub(crate) fn dropped(&self) -> u16 {
        self.dropped
    }

    /// For hosts that compare states: without what nobody will read again.
    pub(crate) fn forget(&mut self, now: Moment) {
        self.forget_past(now);
        if self.phase == Phase::Open {
            self.opens = Moment::from_ticks(0);
        }
    }
}

impl Blank for GateState {
    const BLANK: GateState = GateState::OPEN;
}

/// The gate for whose opening no timer is set yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Opening(pub(crate) Option<u8>);

impl Blank for Opening {
    const BLANK: Opening = Opening(None);
}
