//! What is known about reaching an instruction, over all ways that lead to it.

use super::Reason;

/// The kind of work that an instruction belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The start: it may set as many triggers and begin as many threads as there are places.
    Start,
    /// A trigger's activation: it may set one trigger, in the place of its own.
    Trigger,
    /// A completion entry: it sets and begins nothing.
    Completion,
    /// A thread: it may begin one other, in the place of itself.
    Thread,
    /// A thread that has begun another: it can only end.
    Ending,
    /// An exception's handler.
    Handler,
}

impl Mode {
    /// Its bit in a set of modes.
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// In the order of their numbers.
const MODES: [Mode; 6] =
    [Mode::Start, Mode::Trigger, Mode::Completion, Mode::Thread, Mode::Ending, Mode::Handler];

/// How far a thread has come since it began, which decides whether it can return there at the same instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Advance {
    /// It can.
    None,
    /// It can, if this task's job ends without having been there.
    Released(u8),
    /// It can't: time has passed, or a job has ended.
    Done,
}

impl Advance {
    fn join(self, other: Advance) -> Advance {
        match (self, other) {
            (same, again) if same == again => same,
            (Advance::Done, other) | (other, Advance::Done) => other,
            _ => Advance::None,
        }
    }
}

/// What is known about an instruction, in a word of the caller's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Mark(u32);

impl Mark {
    /// A mark from its word.
    pub const fn from_word(word: u32) -> Mark {
        Mark(word)
    }

    /// Its word; 0 if nothing is known.
    pub const fn word(self) -> u32 {
        self.0
    }
}

/// A mark, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub mode: Mode,
    pub phase: u8,
    /// Free places for triggers.
    pub triggers: u8,
    /// Free places for threads.
    pub threads: u8,
    pub advance: Advance,
}

impl State {
    /// The state at a beginning.
    pub const fn new(mode: Mode, triggers: u8, threads: u8) -> State {
        State { mode, phase: 0, triggers, threads, advance: Advance::None }
    }

    /// What holds on both ways: the fewest free places, the least progress.
    pub(super) fn join(self, other: State) -> Result<State, Reason> {
        let mode = match (self.mode, other.mode) {
            (mode, again) if mode == again => mode,
            (Mode::Start, Mode::Trigger) | (Mode::Trigger, Mode::Start) => Mode::Trigger,
            (Mode::Thread, Mode::Ending) | (Mode::Ending, Mode::Thread) => Mode::Ending,
            _ => return Err(Reason::Disagreement),
        };
        Ok(State {
            mode,
            phase: self.phase.max(other.phase),
            triggers: self.triggers.min(other.triggers),
            threads: self.threads.min(other.threads),
            advance: self.advance.join(other.advance),
        })
    }
}

impl Mark {
    const SEEN: u32 = 1 << 31;

    pub(super) fn state(self) -> Option<State> {
        let byte = |shift: u32| (self.0 >> shift) as u8;
        let advance = match byte(24) & 3 {
            0 => Advance::None,
            1 => Advance::Released(byte(16)),
            _ => Advance::Done,
        };
        let mode = MODES.get(usize::from(byte(0) & 7)).copied()?;
        let counts = (self.0 >> 5) & 0x7FF;
        let state = State {
            mode,
            phase: byte(3) & 3,
            triggers: (counts & 0x1F) as u8,
            threads: (counts >> 5) as u8,
            advance,
        };
        (self.0 & Mark::SEEN != 0).then_some(state)
    }

    pub(super) fn of(state: State) -> Mark {
        let mode = state.mode as u32;
        let (kind, task) = match state.advance {
            Advance::None => (0, 0),
            Advance::Released(task) => (1, task),
            Advance::Done => (2, 0),
        };
        let counts = u32::from(state.triggers) | u32::from(state.threads) << 5;
        Mark(
            Mark::SEEN
                | kind << 24
                | u32::from(task) << 16
                | counts << 5
                | u32::from(state.phase) << 3
                | mode,
        )
    }
}

/// The most triggers and threads of a program: the largest numbers in a mark.
pub(super) const MOST_TRIGGERS: u8 = 31;
pub(super) const MOST_THREADS: u8 = 63;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_come_back_out_of_marks() {
        for mode in MODES {
            for advance in [Advance::None, Advance::Released(0), Advance::Released(255), Advance::Done] {
                let state = State { mode, phase: 3, triggers: MOST_TRIGGERS, threads: MOST_THREADS, advance };
                assert_eq!(Mark::of(state).state(), Some(state));
                let state = State { advance, ..State::new(mode, 1, 2) };
                assert_eq!(Mark::of(state).state(), Some(state));
            }
        }
        assert_eq!(Mark::default().state(), None);
    }

    #[test]
    fn joining_takes_the_worse_of_both() {
        let done = State { advance: Advance::Done, ..State::new(Mode::Thread, 0, 3) };
        let released = State { advance: Advance::Released(4), threads: 2, ..State::new(Mode::Thread, 0, 3) };
        let other = State { advance: Advance::Released(5), ..State::new(Mode::Thread, 0, 3) };
        assert_eq!(done.join(released), Ok(released));
        assert_eq!(released.join(other), Ok(State { advance: Advance::None, ..released }));
        assert_eq!(done.join(State::new(Mode::Handler, 0, 0)), Err(Reason::Disagreement));
        let (start, trigger) = (State::new(Mode::Start, 4, 1), State::new(Mode::Trigger, 1, 2));
        assert_eq!(start.join(trigger), Ok(State::new(Mode::Trigger, 1, 1)));
    }
}
