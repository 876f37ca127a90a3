//! What is known where ways part and meet: at loops, at calls, and where several come together.

use beryl_code::effect::Registers;

use super::{Facts, REGISTERS, State};
use crate::alive::Alive;
use crate::flags::Flags;
use crate::value::Value;

impl State {
    /// Before a loop that writes such registers, and memory if it `stores`.
    pub fn before_loop(&mut self, writes: Alive, stores: bool) {
        let points = |value: &Value| value.is_stack();
        let written = |register: &usize| writes >> register & 1 == 1;
        let loses = (0..self.registers.len())
            .filter(written)
            .any(|register| register != self.stack() && points(&self.registers[register]));
        let is_callers = |value: &Value| matches!(value, Value::Stack(place) if *place >= 0);
        let reaches = stores && self.registers.iter().any(is_callers) || self.memory.keeps_callers_pointers();
        if loses || reaches || (stores && self.memory.keeps_pointers()) {
            self.lose();
        }
        if stores {
            self.memory.forget();
        }
        let stack = self.registers[self.stack()];
        (0..self.registers.len())
            .filter(written)
            .for_each(|register| self.registers[register] = Value::UNKNOWN);
        // What a round takes from the stack it gives back.
        self.registers[self.stack()] = stack;
        self.flags = Flags::UNKNOWN;
    }

    /// What a function that is called here begins with.
    pub fn enter(&self) -> State {
        let mut inside = State::entry(self.processor, self.facts);
        inside.is_lost = self.is_lost;
        inside.is_deep = self.is_deep || self.memory.keeps_pointers();
        let depth = self.depth();
        for register in registers(self.processor.arguments()) {
            inside.registers[register] = match (&self.registers[register], depth) {
                (Value::Stack(place), Some(depth)) => Value::Stack(place.wrapping_sub(depth)),
                (Value::Stack(_), None) => Value::UNKNOWN,
                (value, _) => *value,
            };
        }
        inside.is_lost |= depth.is_none();
        inside
    }

    /// The same without what is known of arguments.
    pub fn forgotten(&self) -> State {
        let mut forgotten = State::entry(self.processor, self.facts);
        let first = self.processor.arguments().trailing_zeros() as usize;
        forgotten.registers[first] = Value::UNKNOWN;
        forgotten.is_lost = self.is_lost
            || registers(self.processor.arguments()).any(|register| self.registers[register].is_stack());
        forgotten.is_deep = self.is_deep;
        forgotten
    }

    pub(super) fn stack(&self) -> usize {
        self.processor.stack().into()
    }

    fn depth(&self) -> Option<i32> {
        match self.registers[self.stack()] {
            Value::Stack(depth) => Some(depth),
            _ => None,
        }
    }

    /// What is known of the exception.
    pub fn facts(&self) -> Facts {
        self.facts
    }

    /// The same with something else known of the exception.
    pub fn with_facts(self, facts: Facts) -> State {
        State { facts, ..self }
    }

    /// Whether a register points into the frame of who was interrupted.
    pub fn has_frame(&self) -> bool {
        self.registers.iter().any(|value| matches!(value, Value::Frame(_)))
    }

    /// What is known behind a piece of a function that the compiler has put elsewhere: it may have written all registers.
    pub fn behind_piece(mut self) -> State {
        let stack = self.processor.stack();
        (0..REGISTERS)
            .filter(|register| *register != stack)
            .for_each(|register| self.set(register, Value::UNKNOWN));
        self.lose();
        self
    }

    /// The number that a register holds, if that is known.
    pub fn number(&self, register: u8) -> Option<u32> {
        self.bits(register).as_number()
    }

    /// What a function leaves that returns here.
    pub fn leave(&self) -> State {
        let mut outside = State::entry(self.processor, self.facts);
        for register in registers(self.processor.results()) {
            outside.registers[register] = self.registers[register];
        }
        outside.memory = self.memory.of_callers();
        outside.is_lost = self.is_lost;
        outside
    }

    /// What is known where a called function has come back that left this.
    pub fn after(&self, left: &State) -> State {
        let mut after = State { flags: Flags::UNKNOWN, ..self.clone() };
        for (register, value) in after.registers.iter_mut().enumerate() {
            if self.processor.scratch() >> register & 1 == 1 {
                *value = Value::UNKNOWN;
            }
        }
        after.facts = left.facts;
        let Some(depth) = self.depth() else {
            after.lose();
            return after;
        };
        after.memory.end_at(depth);
        after.memory.take(&left.memory, depth);
        for register in registers(self.processor.results()) {
            after.registers[register] = match &left.registers[register] {
                Value::Stack(place) => Value::Stack(place.wrapping_add(depth)),
                value => *value,
            };
        }
        if left.is_lost {
            after.lose();
        }
        after
    }

    /// Whether the same is known of the stack.
    pub fn has_same_stack(&self, other: &State) -> bool {
        self.memory == other.memory && self.is_lost == other.is_lost
    }

    /// What holds by both.
    pub fn common(&self, other: &State) -> State {
        let mut common = self.clone();
        let mut loses = self.is_lost || other.is_lost;
        for (value, other) in common.registers.iter_mut().zip(&other.registers) {
            if value != other {
                loses |= value.is_stack() || other.is_stack();
                *value = Value::Bits(value.bits().common(other.bits()));
            }
        }
        let (memory, differs) = self.memory.common(&other.memory);
        common.memory = memory;
        loses |= differs;
        if self.flags != other.flags {
            common.flags = Flags::UNKNOWN;
        }
        common.is_deep |= other.is_deep;
        if self.facts != other.facts {
            common.facts = Facts::default();
        }
        if loses {
            common.lose();
        }
        common
    }
}

/// The numbers of some registers.
fn registers(these: Registers) -> impl Iterator<Item = usize> {
    (0..usize::from(REGISTERS)).filter(move |register| these >> register & 1 == 1)
}
