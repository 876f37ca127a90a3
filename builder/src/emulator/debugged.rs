//! An emulated board that a debugger starts, and whose every step it decides.

use std::path::Path;

use super::{Serial, command};
use crate::error::BuildError;
use crate::plan::Board;
use crate::workshop::replace;

/// Where the board stops, the emulator (7.2) takes the stopped processor for a sleeping one and puts the clock forward to the
/// next timer of its own. With one that goes off each microsecond, that is the most that a stop takes.
const FINE_HEARTBEAT: &str = "filter-buffer,id=fine,netdev=nobody,interval=1";

/// What a debugger's `target remote |` is to start, as a line for a shell: the board with `image` and a window, stopped
/// before its first instruction. It speaks with the debugger by standard input and output, and ends with it. While it is
/// stopped, no virtual time passes: that is counted in instructions.
///
/// # Errors
/// The window can't be written, or the image isn't there.
pub fn debugged(
    board: &Board,
    image: &Path,
    window: &[u8],
    speed: u8,
    folder: &Path,
) -> Result<String, BuildError> {
    let find = |path: &Path| path.canonicalize().map_err(|reason| BuildError::file("find", path, reason));
    let image = find(image)?;
    replace(&folder.join("window.bin"), window)?;
    let folder = find(folder)?;
    let mut emulator = command(board, &image, speed, &folder, Serial::File)?;
    emulator.args(["-gdb", "stdio", "-S", "-object", FINE_HEARTBEAT]);
    let words = [emulator.get_program()].into_iter().chain(emulator.get_args());
    let words: Vec<_> = words.map(|word| quoted(&word.to_string_lossy())).collect();
    // What the emulator says of itself is no part of the conversation. Whoever ends first, the debugger's last words find
    // a reader, and the emulator doesn't outlive it.
    Ok(format!(
        "cd {} && exec 3<&0 && {{ {} <&3 2>messages.txt & trap \"kill $!\" TERM; wait $!; cat >/dev/null; }}",
        quoted(&folder.to_string_lossy()),
        words.join(" ")
    ))
}

/// A word that a shell leaves as it is.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_leaves_words_as_they_are() {
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        let said = std::process::Command::new("sh")
            .args(["-c", &format!("printf %s {}", quoted("$(it's) \\n"))])
            .output();
        assert!(said.is_ok_and(|said| said.stdout == b"$(it's) \\n"));
    }
}
