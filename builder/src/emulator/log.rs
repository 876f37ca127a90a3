//! The emulator's log of instructions: what was carried out, and what was in the registers there.
//!
//! The emulator logs an instruction before it is carried out. One that it stopped at, or began again because it reads
//! a device, is logged twice.

/// The address in a line `Trace 0: <host address> [<flags>/<address>/..] <symbol>`.
#[must_use]
pub fn address(line: &str) -> Option<u32> {
    let inside = line.strip_prefix("Trace ")?.split_once('[')?.1;
    u32::from_str_radix(inside.split('/').nth(1)?, 16).ok()
}

/// Reads a log of instructions line by line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Instructions {
    /// The last one that was logged; whether it was carried out, the next line says.
    last: Option<u32>,
}

impl Instructions {
    /// The instruction that was carried out for certain, now that this line follows.
    pub fn line(&mut self, line: &str) -> Option<u32> {
        if line.starts_with("Stopped") {
            self.last = None;
            return None;
        }
        let address = address(line).filter(|address| self.last != Some(*address))?;
        self.last.replace(address)
    }

    /// The instruction that was carried out last, now that nothing follows.
    #[must_use]
    pub fn end(self) -> Option<u32> {
        self.last
    }
}

/// The addresses of all instructions that were carried out, by a log.
#[must_use]
pub fn executed(log: &str) -> Vec<u32> {
    let mut instructions = Instructions::default();
    let mut addresses: Vec<u32> = log.lines().filter_map(|line| instructions.line(line)).collect();
    addresses.extend(instructions.end());
    addresses
}

/// The registers before an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// The instruction's address.
    pub address: u32,
    /// r0 to r12.
    pub general: [u32; 13],
    /// The number of the exception that is being handled; 0 in a thread.
    pub exception: u32,
}

/// The instructions that were carried out, with their registers, by a log that has these.
#[must_use]
pub fn with_registers(log: &str) -> Vec<Registers> {
    let (mut all, mut row) = (Vec::new(), Registers::default());
    for line in log.lines() {
        if line.starts_with("Stopped") {
            all.pop();
        } else if let Some(address) = address(line) {
            row = Registers { address, ..Registers::default() };
        } else if let Some(status) = line.strip_prefix("XPSR=").and_then(first_number) {
            row.exception = status & 0x1FF;
            all.push(row);
        } else if line.starts_with('R') {
            line.split_whitespace().filter_map(register).for_each(|(number, value)| {
                if let Some(place) = row.general.get_mut(number) {
                    *place = value;
                }
            });
        }
    }
    all
}

/// A register and its content, as in `R00=00000008`.
fn register(word: &str) -> Option<(usize, u32)> {
    let (number, value) = word.strip_prefix('R')?.split_once('=')?;
    Some((number.parse().ok()?, u32::from_str_radix(value, 16).ok()?))
}

fn first_number(text: &str) -> Option<u32> {
    u32::from_str_radix(text.split_whitespace().next()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_counts_what_was_executed() {
        let log = "\
Trace 0: 0x7f0 [00000000/0000010e/00000110/ff000201] DefaultHandler
Trace 0: 0x7f1 [00000000/00000112/00000110/ff000201] DefaultHandler
Trace 0: 0x7f1 [00000000/00000112/00000110/ff000201] DefaultHandler
Trace 0: 0x7f2 [00000000/00000116/00000110/ff000201] DefaultHandler
Stopped execution of TB chain before 0x7f2 [00000116] DefaultHandler
Trace 0: 0x7f3 [00000000/00000200/00000110/ff000201] other
cpu_io_recompile: rewound execution of TB to 00000200
";
        assert_eq!(executed(log), [0x10e, 0x112, 0x200]);
    }

    #[test]
    fn a_log_with_registers_says_what_was_called_and_what_interrupted() {
        let log = "\
Trace 0: 0x7f0 [00000000/00000100/00000110/ff000201] SVCall
R00=00000008 R01=00000000 R02=200000ff R03=00000001
R04=00000000 R05=00000000 R06=00000000 R07=00000000
R08=00000000 R09=00000000 R10=00000000 R11=00000000
R12=0000000c R13=20000100 R14=fffffffd R15=00000100
XPSR=6100000b -ZC- T handler
Trace 0: 0x7f1 [00000000/0000010e/00000110/ff000201] DefaultHandler
R00=00000005 R01=00000000 R02=200000ff R03=00000001
XPSR=41000019 -Z-- T handler
Trace 0: 0x7f1 [00000000/00000200/00000110/ff000201] other
R00=00000006 R01=00000000 R02=200000ff R03=00000001
XPSR=41000000 -Z-- T priv-thread
Stopped execution of TB chain before 0x7f1 [00000200] other
";
        let general = [8, 0, 0x2000_00ff, 1, 0, 0, 0, 0, 0, 0, 0, 0, 12];
        let call = Registers { address: 0x100, general, exception: 11 };
        let general = [5, 0, 0x2000_00ff, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(with_registers(log), [call, Registers { address: 0x10e, general, exception: 16 + 9 }]);
    }
}
