//! What registers hold on the way through a function, as far as that says where it leads and where its stack ends.
//!
//! ```text
//!                  + number                  + anything                load
//!   Number(n) ---------------> Number     ----------------> Behind(n) -------> From(n): a jump table
//!      +------------------------------------- load --------------------------> At(n): an entry of one
//!   Place(p)  ---------------> Place(p+n)     & -16 ------> Place of the lowest that it can be
//! ```
//! Where ways meet, what differs is unknown.

use crate::Processor;
use crate::effect::{Effect, Operation, Registers, Source, bit};
use crate::instruction::Instruction;

const REGISTERS: usize = 32;

/// What a register holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Value {
    /// Nobody knows.
    #[default]
    Unknown,
    /// This number.
    Number(u32),
    /// Something behind this address.
    Behind(u32),
    /// What is in memory there, or behind it.
    From(u32),
    /// What is in memory there.
    At(u32),
    /// So many bytes above where the stack pointer was at first.
    Place(i32),
}

/// What all registers hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    registers: [Value; REGISTERS],
    processor: Processor,
}

impl Values {
    /// At the start of a function.
    pub fn entry(processor: Processor) -> Values {
        let mut values = Values { registers: [Value::Unknown; REGISTERS], processor };
        values.set(processor.stack(), Value::Place(0));
        values
    }

    /// What a register holds.
    pub fn of(&self, register: u8) -> Value {
        match self.registers.get(usize::from(register)) {
            _ if self.processor.zero() == Some(register) => Value::Number(0),
            value => value.copied().unwrap_or_default(),
        }
    }

    fn set(&mut self, register: u8, value: Value) {
        if let Some(place) = self.registers.get_mut(usize::from(register)) {
            *place = value;
        }
    }

    /// Forgets what doesn't hold in `other`. Whether there was any.
    pub fn meet(&mut self, other: &Values) -> bool {
        let mut differs = false;
        for (value, other) in self.registers.iter_mut().zip(&other.registers) {
            if value != other && *value != Value::Unknown {
                *value = Value::Unknown;
                differs = true;
            }
        }
        differs
    }

    /// Forgets registers.
    fn forget(&mut self, registers: Registers) {
        for (number, value) in (0..).zip(&mut self.registers) {
            if registers & bit(number) != 0 {
                *value = Value::Unknown;
            }
        }
    }

    /// Carries out an instruction, but for where it leads.
    pub fn apply(&mut self, instruction: &Instruction) {
        match &instruction.effect {
            // What may have been left out.
            effect if instruction.conditional => self.forget(effect.writes()),
            Effect::Move { to, from, is_inverted: false } => self.set(*to, self.source(*from)),
            Effect::Compute { operation, to, first, second } => {
                self.set(*to, computed(*operation, self.of(*first), self.source(*second)));
            }
            Effect::Transfer(transfer) => {
                let base = self.of(transfer.base);
                self.forget(instruction.effect.writes());
                if let [(register, distance)] = transfer.registers[..]
                    && transfer.is_load
                    && transfer.bytes == 4
                {
                    let value = match base {
                        Value::Behind(address) => Value::From(address.wrapping_add_signed(distance)),
                        Value::Number(address) => Value::At(address.wrapping_add_signed(distance)),
                        _ => Value::Unknown,
                    };
                    self.set(register, value);
                }
            }
            effect => self.forget(effect.writes()),
        }
    }

    /// What is known where a call has come back.
    pub fn after_call(&mut self, instruction: &Instruction) {
        let stack = bit(self.processor.stack());
        let kept = match instruction.link {
            // A piece of this function that the compiler has put elsewhere: it may write all registers.
            Some(link) if link != self.processor.link() => stack,
            _ => self.processor.kept() | stack,
        };
        self.forget(!kept);
    }

    /// Where an instruction goes that goes through a register.
    pub fn leads_to(&self, instruction: &Instruction) -> Value {
        let Some((register, distance)) = instruction.through else { return Value::Unknown };
        match self.of(register) {
            // The lowest bit of an address is left out.
            Value::Number(address) => Value::Number(address.wrapping_add_signed(distance) & !1),
            value @ (Value::From(_) | Value::At(_)) if distance == 0 => value,
            _ => Value::Unknown,
        }
    }

    /// How many bytes of the stack are in use.
    pub fn depth(&self) -> Option<u32> {
        match self.of(self.processor.stack()) {
            Value::Place(place) => place.checked_neg().and_then(|depth| u32::try_from(depth).ok()),
            _ => None,
        }
    }

    /// Notes how many bytes of the stack are in use.
    pub fn set_depth(&mut self, depth: u32) {
        let place = i32::try_from(depth).map_or(Value::Unknown, |depth| Value::Place(-depth));
        self.set(self.processor.stack(), place);
    }

    fn source(&self, source: Source) -> Value {
        match source {
            Source::Number(number) => Value::Number(number),
            Source::Register(register) => self.of(register),
            Source::Shifted(register, by) => match self.of(register) {
                Value::Number(number) => {
                    let count = u32::from(by.unsigned_abs());
                    let shifted = if by > 0 { number.checked_shl(count) } else { number.checked_shr(count) };
                    shifted.map_or(Value::Unknown, Value::Number)
                }
                _ => Value::Unknown,
            },
        }
    }
}

fn computed(operation: Operation, first: Value, second: Value) -> Value {
    match (operation, first, second) {
        (Operation::Add, Value::Number(one), Value::Number(other)) => Value::Number(one.wrapping_add(other)),
        (Operation::Add, Value::Place(place), Value::Number(by))
        | (Operation::Add, Value::Number(by), Value::Place(place)) => {
            place.checked_add(by.cast_signed()).map_or(Value::Unknown, Value::Place)
        }
        (Operation::Add, Value::Behind(address), Value::Number(by))
        | (Operation::Add, Value::Number(by), Value::Behind(address)) => {
            Value::Behind(address.wrapping_add(by))
        }
        (Operation::Add, Value::Number(address), Value::Unknown)
        | (Operation::Add, Value::Unknown, Value::Number(address)) => Value::Behind(address),
        (Operation::Subtract, Value::Place(place), Value::Number(by)) => {
            place.checked_sub(by.cast_signed()).map_or(Value::Unknown, Value::Place)
        }
        // A pointer that is moved down to a multiple of something.
        (Operation::And, Value::Place(place), Value::Number(mask)) => {
            let grain = mask.wrapping_neg();
            let lowest = i32::try_from(grain.wrapping_sub(1)).ok().and_then(|most| place.checked_sub(most));
            lowest.filter(|_| grain.is_power_of_two()).map_or(Value::Unknown, Value::Place)
        }
        (Operation::And, Value::Number(one), Value::Number(other)) => Value::Number(one & other),
        (Operation::Or, Value::Number(one), Value::Number(other)) => Value::Number(one | other),
        (Operation::Subtract, Value::Number(one), Value::Number(other)) => {
            Value::Number(one.wrapping_sub(other))
        }
        _ => Value::Unknown,
    }
}
