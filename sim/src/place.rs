//! Where application code went wrong: what a panic says of itself, or the instruction at which the code was stopped.

use std::cell::Cell;
use std::fmt;

use beryl_abi::{Instant, ThreadId};

/// A place in the program that is simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A panic, with its file, its line, and its words.
    Panic {
        /// The source file, as the compiler was given it.
        file: String,
        /// The line, from 1.
        line: u32,
        /// What it said.
        text: String,
    },
    /// An instruction, as its distance from where this machine has loaded the program.
    Instruction(u64),
}

/// A place, with who came there and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// When the thread was stopped there.
    pub at: Instant,
    /// The thread.
    pub thread: ThreadId,
    /// Where.
    pub place: Place,
}

/// A line of the file of places: fields with tabs between them.
impl fmt::Display for Placed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}\t{}\t", self.at.ticks(), self.thread.0)?;
        match &self.place {
            Place::Panic { file, line, text } => {
                writeln!(formatter, "panic\t{file}\t{line}\t{}", text.replace(['\n', '\t'], " "))
            }
            Place::Instruction(instruction) => writeln!(formatter, "instruction\t{instruction}"),
        }
    }
}

thread_local! {
    /// The place that the running code has come to and nobody has taken yet.
    static LAST: Cell<Option<Place>> = const { Cell::new(None) };
}

/// The running code has come to a place where it can't go on.
pub(crate) fn come_to(place: Option<Place>) {
    LAST.set(place);
}

/// Takes that place.
pub(crate) fn take() -> Option<Place> {
    LAST.take()
}

/// From now on a panic of application code is kept with its words, and not printed. Others are printed as ever. For
/// programs that are simulations and nothing else: there is one such hook in a program.
pub(crate) fn keep_panics(is_in_application: fn() -> bool) {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !is_in_application() {
            return before(panic);
        }
        let place = panic.location().map(|at| Place::Panic {
            file: at.file().to_owned(),
            line: at.line(),
            text: panic.payload_as_str().unwrap_or_default().to_owned(),
        });
        come_to(place);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_line_whatever_a_panic_says() {
        let placed = |place| Placed { at: Instant::from_ticks(7), thread: ThreadId(2), place }.to_string();
        let panic = Place::Panic { file: "src/a.rs".to_owned(), line: 3, text: "one\ntwo\tthree".to_owned() };
        assert_eq!(placed(panic), "7\t2\tpanic\tsrc/a.rs\t3\tone two three\n");
        assert_eq!(placed(Place::Instruction(4096)), "7\t2\tinstruction\t4096\n");
    }
}
