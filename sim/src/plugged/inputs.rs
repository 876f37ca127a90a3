//! The inputs of the emulated interrupt controller, by the emulator's protocol for tests: a line of text for each order,
//! and one that answers it. The emulator's own thread answers, while the board's waits here.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;

use beryl_abi::Line;

use super::Broken;
use super::lines::Controller;
use super::settings::Inputs;

/// The other end, once it was needed.
pub(crate) struct Emulated {
    inputs: Inputs,
    stream: Option<BufReader<UnixStream>>,
}

impl Emulated {
    pub(crate) fn new(inputs: Inputs) -> Emulated {
        Emulated { inputs, stream: None }
    }

    fn order(&mut self, order: &str) -> Result<String, Broken> {
        let broken = |reason: std::io::Error| Broken(format!("`{order}` to the emulator: {reason}"));
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                let stream = UnixStream::connect(&self.inputs.socket).map_err(broken)?;
                self.stream.insert(BufReader::new(stream))
            }
        };
        writeln!(stream.get_mut(), "{order}").map_err(broken)?;
        let mut answer = String::new();
        stream.read_line(&mut answer).map_err(broken)?;
        match answer.trim().strip_prefix("OK") {
            Some(answer) => Ok(answer.trim().to_owned()),
            None => Err(Broken(format!("the emulator answers `{}` to `{order}`", answer.trim()))),
        }
    }
}

impl Controller for Emulated {
    fn set(&mut self, line: Line, is_up: bool) -> Result<(), Broken> {
        let controller = self.inputs.controller.clone();
        self.order(&format!("set_irq_in {controller} unnamed-gpio-in {} {}", line.0, u8::from(is_up)))
            .map(drop)
    }

    fn is_active(&mut self, line: Line) -> Result<bool, Broken> {
        let address = self.inputs.active + u32::from(line.0 / 32) * 4;
        let answer = self.order(&format!("readl {address:#x}"))?;
        let word = answer.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let word =
            word.ok_or_else(|| Broken(format!("the emulator answers `{answer}` where a word is due")))?;
        Ok(word >> (line.0 % 32) & 1 == 1)
    }
}
