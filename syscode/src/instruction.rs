//! The instruction table of system code.
//!
//! An instruction is one little-endian word: opcode in bits 0 to 7, operands in the three bytes above it. A
//! single width keeps decoding to a few machine instructions; with it the paper's hundred tasks (section 6)
//! fit into 2.5 kB.

use beryl_abi::{DriverId, ThreadId};

use crate::operand::{Operand, Place};

/// A row of the table, for tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The opcode's number.
    pub opcode: u8,
    /// Its name in listings.
    pub mnemonic: &'static str,
    /// Its operands, in the order of the listing.
    pub operands: &'static [(Operand, Place)],
    /// What it does, in one sentence.
    pub meaning: &'static str,
}

macro_rules! instructions {
    ($($number:literal $name:ident $mnemonic:literal { $($field:ident: $operand:ident $place:ident),* } $meaning:literal;)*) => {
        /// The opcodes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Opcode {
            $(#[doc = $meaning] $name = $number),*
        }

        /// A decoded instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Instruction {
            $(#[doc = $meaning] $name { $(#[doc = "operand"] $field: operand_type!($operand)),* }),*
        }

        /// The table, in order of opcodes.
        pub const TABLE: &[Row] = &[
            $(Row {
                opcode: $number,
                mnemonic: $mnemonic,
                operands: &[$((Operand::$operand, Place::$place)),*],
                meaning: $meaning,
            }),*
        ];

        impl Instruction {
            /// The instruction's word.
            #[must_use]
            pub const fn encode(self) -> u32 {
                match self {
                    $(Instruction::$name { $($field),* } =>
                        $number $(| (operand_number!($operand $field) as u32) << shift!($place))*),*
                }
            }

            /// The instruction in a word; none if the opcode is unknown.
            #[inline(always)]
            #[must_use]
            pub const fn decode(word: u32) -> Option<Instruction> {
                Some(match word & 0xFF {
                    $($number => Instruction::$name { $($field: operand_value!($operand (word >> shift!($place)))),* },)*
                    _ => return None,
                })
            }
        }
    };
}

macro_rules! shift {
    (A) => {
        8
    };
    (B) => {
        16
    };
    (C) => {
        16
    };
    (D) => {
        24
    };
}

macro_rules! operand_type {
    (Driver) => {
        DriverId
    };
    (Task) => {
        ThreadId
    };
    (Address) => {
        u16
    };
    ($byte:ident) => {
        u8
    };
}

macro_rules! operand_number {
    (Driver $value:expr) => {
        $value.0
    };
    (Task $value:expr) => {
        $value.0
    };
    ($other:ident $value:expr) => {
        $value
    };
}

macro_rules! operand_value {
    (Driver $bits:expr) => {
        DriverId($bits as u16)
    };
    (Task $bits:expr) => {
        ThreadId($bits as u8)
    };
    (Address $bits:expr) => {
        $bits as u16
    };
    ($byte:ident $bits:expr) => {
        $bits as u8
    };
}

instructions! {
    0x01 Call "call" { driver: Driver B } "Carries out a driver.";
    0x02 Release "release" { task: Task A, deadline: Duration B } "Releases a task, to be done that long after this instant.";
    0x03 Future "future" { delay: Duration A, address: Address B } "Continues at the address that long after this instant.";
    0x04 Phase "phase" { phase: Phase A } "Waits until every program has come to this phase of the instant.";
    0x05 Jump "jump" { address: Address B } "Goes on at the address, which lies ahead.";
    0x06 Branch "branch" { address: Address B } "Goes on at the address, which lies ahead, if the last guard said no.";
    0x07 Return "return" {} "Ends the work at this instant, or the thread.";
    0x08 Calls "calls" { first: Driver B, count: Count A } "Carries out so many drivers, one after the other.";
    0x09 Releases "releases" { first: Task A, deadline: Duration C, count: Count D } "Releases so many tasks, each to be done that long after this instant.";
    0x0a When "when" { condition: Condition A, address: Address B } "Continues at the address at the next instant at which the condition holds.";
    0x0b Period "period" {} "A period ends here, before anything of the next begins: another program may take over.";
    0x0c Late "late" { task: Task A, address: Address B } "Goes on at the address, which lies ahead, if no job of the task was in the way since this was last asked.";
    0x0d Owed "owed" { task: Task A, address: Address B } "At a completion: goes on at the address, which lies ahead, unless a release of the task is owed, which comes now.";
    0x0e Beat "beat" { beat: Duration A, address: Address B } "Goes on at the address, which lies ahead, unless a number of beats of the round has passed.";
    0x0f Next "next" { round: Condition A, address: Address B } "Continues at the address at the next beat of the round, or where it begins again.";
    0x10 Dispatch "dispatch" { task: Task A } "Lets the task run until it's complete; goes on at once if it isn't released.";
    0x11 DispatchUntil "dispatch" { task: Task A, until: Condition C, otherwise: Ahead D } "The same, but no longer than until the condition holds; then goes on at the address, which lies ahead.";
    0x12 Idle "idle" { until: Condition A } "The thread lets the processor idle until the condition holds.";
    0x13 Fork "fork" { address: Address B } "Begins another thread at the address, whose reference time is now.";
    0x14 Round "round" {} "A round begins at this instant.";
    0x20 Terminate "terminate" {} "In a handler: ends the jobs that stand in the way.";
    0x21 Resume "resume" {} "Ends a handler: the instruction is left out.";
    0x22 Retry "retry" {} "Ends a handler: the instruction is carried out, without another check.";
    0x23 Change "change" { address: Address B } "Drops the program's triggers and threads and goes on at the address, as at a start.";
    0x24 Offender "offender" { task: Task A, address: Address B } "In a handler: goes on at the address, which lies ahead, if it isn't a job of the task that is in the way.";
    0x25 Postpone "postpone" { most: Count A } "Ends a handler: the instruction is left out; if it releases the task in the way, that is owed, unless so many are already.";
    0x26 Tolerate "tolerate" { most: Count A } "Ends a handler: the instruction is left out; the job in the way is stopped instead, as by default, if so many releases have been left out for it.";
}

/// Phases of a logical instant, in order, over all programs (timing language, rule 2).
pub mod phase {
    /// Outputs of ending tasks become visible.
    pub const OUTPUTS: u8 = 0;
    /// Actuators are updated.
    pub const ACTUATORS: u8 = 1;
    /// Mode switches are tested.
    pub const SWITCHES: u8 = 2;
    /// Tasks are released.
    pub const RELEASES: u8 = 3;
    /// The number of phases.
    pub const COUNT: u8 = 4;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_that_decodes_encodes_to_itself_where_the_table_uses_its_bits() {
        for row in TABLE {
            let used = row.operands.iter().fold(0xFF, |mask, (operand, place)| {
                mask | place.put(place.largest().min(operand.largest()))
            });
            for pattern in [0, u32::MAX, 0xA5A5_5A00, 0x1234_5600] {
                let word = (pattern & !0xFF | u32::from(row.opcode)) & used;
                let instruction = Instruction::decode(word).expect("an opcode of the table decodes");
                assert_eq!(instruction.encode(), word, "{}", row.mnemonic);
            }
        }
    }

    #[test]
    fn opcodes_outside_the_table_do_not_decode() {
        for opcode in 0..=255 {
            let known = TABLE.iter().any(|row| u32::from(row.opcode) == opcode);
            assert_eq!(Instruction::decode(opcode).is_some(), known, "opcode {opcode}");
        }
    }
}
