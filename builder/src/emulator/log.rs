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

/// The same of each of so many processors, whose instructions are logged in the order in which the emulator carries them out.
#[must_use]
pub fn executed_by_each(log: &str, processors: usize) -> Vec<Vec<u32>> {
    let mut each = vec![Vec::new(); processors];
    for (processor, address) in executed_in_order(log, processors) {
        if let Some(addresses) = each.get_mut(processor) {
            addresses.push(address);
        }
    }
    each
}

/// The same, with the number of each one's processor, in the order in which the emulator has carried them out: one instruction late.
#[must_use]
pub fn executed_in_order(log: &str, processors: usize) -> Vec<(usize, u32)> {
    let mut each = vec![Instructions::default(); processors];
    // What was stopped is what was logged last.
    let (mut last, mut executed) = (0, Vec::new());
    for line in log.lines() {
        last = processor(line).unwrap_or(last);
        let address = each.get_mut(last).and_then(|instructions| instructions.line(line));
        executed.extend(address.map(|address| (last, address)));
    }
    let ends = each.into_iter().enumerate();
    executed.extend(ends.filter_map(|(processor, instructions)| Some((processor, instructions.end()?))));
    executed
}

/// The number of the processor in a line `Trace 1: ..`.
fn processor(line: &str) -> Option<usize> {
    line.strip_prefix("Trace ")?.split_once(':')?.0.parse().ok()
}

/// The registers before an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// The instruction's address.
    pub address: u32,
    /// By their numbers: r0 to r12 on Arm, x0 to x31 on RISC-V.
    pub general: [u32; 32],
    /// The number of the exception that is being handled, 0 in a thread; on RISC-V the cause of the last trap.
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
            row.keep(line.split_whitespace().filter_map(register));
        } else if let Some(cause) = line.strip_prefix(" mcause ").and_then(first_number) {
            row.exception = cause;
        } else if line.starts_with(" x") {
            row.keep(named(line));
            // The last line of them.
            if line.starts_with(" x28/") {
                all.push(row);
            }
        }
    }
    all
}

impl Registers {
    /// What is in one of them.
    #[must_use]
    pub fn of(&self, number: u8) -> u32 {
        self.general.get(usize::from(number)).copied().unwrap_or_default()
    }

    fn keep(&mut self, registers: impl Iterator<Item = (usize, u32)>) {
        for (number, value) in registers {
            if let Some(place) = self.general.get_mut(number) {
                *place = value;
            }
        }
    }
}

/// Registers and their contents, as in ` x0/zero  00000000 x1/ra    80000120`.
fn named(line: &str) -> impl Iterator<Item = (usize, u32)> {
    let mut words = line.split_whitespace();
    std::iter::from_fn(move || Some((words.next()?, words.next()?))).filter_map(|(name, value)| {
        let number = name.strip_prefix('x')?.split('/').next()?;
        Some((number.parse().ok()?, u32::from_str_radix(value, 16).ok()?))
    })
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
    fn a_log_of_several_processors_is_read_of_each() {
        let log = "\
Trace 0: 0x7f0 [00000000/80000100/00000110/ff000201] one
Trace 1: 0x7f1 [00000000/82000100/00000110/ff000201] two
Trace 0: 0x7f2 [00000000/80000104/00000110/ff000201] one
Trace 1: 0x7f3 [00000000/82000104/00000110/ff000201] two
Stopped execution of TB chain before 0x7f3 [82000104] two
Trace 0: 0x7f4 [00000000/80000108/00000110/ff000201] one
Trace 1: 0x7f3 [00000000/82000104/00000110/ff000201] two
";
        let each = [vec![0x8000_0100, 0x8000_0104, 0x8000_0108], vec![0x8200_0100, 0x8200_0104]];
        assert_eq!(executed_by_each(log, 2), each);
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
        let mut general = [0; 32];
        general[..4].copy_from_slice(&[8, 0, 0x2000_00ff, 1]);
        general[12..16].copy_from_slice(&[12, 0x2000_0100, 0xffff_fffd, 0x100]);
        let call = Registers { address: 0x100, general, exception: 11 };
        let mut general = [0; 32];
        general[..4].copy_from_slice(&[5, 0, 0x2000_00ff, 1]);
        assert_eq!(with_registers(log), [call, Registers { address: 0x10e, general, exception: 16 + 9 }]);
    }
}
