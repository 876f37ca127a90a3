//! Where application code went wrong in a simulation, as its program tells.

use std::path::Path;

use beryl_abi::{Instant, ThreadId};
use beryl_builder::simulate;

use crate::faulted::Found;

/// A place, with who came there and when.
pub struct Placed {
    /// When the thread was stopped there.
    pub at: Instant,
    /// The thread.
    pub thread: ThreadId,
    /// Where.
    pub found: Found,
}

/// The lines of a simulation's file of places, as far as they can be told by the program's own line table.
pub fn places(lines: &str, program: &Path) -> Vec<Placed> {
    let placed = |line: &str| {
        let fields: Vec<_> = line.split('\t').collect();
        let (head, what) = fields.split_at_checked(2)?;
        let found = match what {
            ["panic", file, line, text] => {
                Found::Panic { file: (*file).to_owned(), line: line.parse().ok()?, text: (*text).to_owned() }
            }
            ["instruction", distance] => Found::Code(simulate::place(program, distance.parse().ok()?)?),
            _ => return None,
        };
        let (at, thread) = (head[0].parse().ok()?, head[1].parse().ok()?);
        Some(Placed { at: Instant::from_ticks(at), thread: ThreadId(thread), found })
    };
    lines.lines().filter_map(placed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_read_and_what_is_none_of_the_forms_is_left_out() {
        let lines = "7\t2\tpanic\tsrc/a.rs\t3\tindex out of bounds\n7\t2\tinstruction\t12\nwhatever\n\n7\tx\tpanic\ta\t1\tb\n";
        let told = places(lines, Path::new("no such program"));
        let [Placed { at, thread, found: Found::Panic { file, line, text } }] = told.as_slice() else {
            panic!("{}", told.len())
        };
        assert_eq!(
            (at.ticks(), thread.0, file.as_str(), *line, text.as_str()),
            (7, 2, "src/a.rs", 3, "index out of bounds")
        );
    }
}
