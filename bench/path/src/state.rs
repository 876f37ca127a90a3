//! What is known of registers, flags and stack at a place in the code.
//!
//! A value is a word of which some bits are known, or a pointer into the stack or into the frame of who was
//! interrupted. Of memory, only the stack is followed, byte by byte, and so that nothing else can change it
//! unseen: a pointer into it that gets out of sight (it is computed with, stored elsewhere, or differs on
//! ways that meet) makes the state *lost*, and then each store through an unknown pointer, and each call,
//! ends all that is known of the stack.
//!
//! Places in the stack are counted from where the stack pointer was when the function was entered: its own are below.

use std::collections::BTreeMap;

use beryl_code::Processor;
use beryl_code::effect::{EXCEPTION, Effect, FRAME, Operation, Source, Transfer, bit};
use beryl_code::instruction::{Flow, Instruction, Pointer};

use crate::alive::Alive;
use crate::bits::Bits;
use crate::flags::Flags;
use crate::memory::Memory;
use crate::value::Value;

mod ways;

/// As many registers as the processor with most has.
const REGISTERS: u8 = 32;

/// What a path begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Facts {
    /// The call's number: in the first register, and in the first word of the caller's frame until somebody
    /// writes there.
    pub call: Option<u32>,
    /// The number of the active exception, or what a trap's cause is.
    pub exception: Option<u32>,
    /// The lowest bits of that which may be any.
    pub any: u32,
}

impl Facts {
    fn exception(self) -> Bits {
        let known = u32::MAX.checked_shl(self.any).unwrap_or(0);
        self.exception.map_or(Bits::UNKNOWN, |number| Bits::of(known, number))
    }
}

/// What is known at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    processor: Processor,
    registers: [Value; REGISTERS as usize],
    /// What the flags were set by.
    flags: Flags,
    memory: Memory,
    /// Whether a pointer into the stack got out of sight.
    is_lost: bool,
    /// Whether callers keep pointers into the stack there, which this function might find.
    is_deep: bool,
    facts: Facts,
}

impl State {
    /// At an entry.
    pub fn entry(processor: Processor, facts: Facts) -> State {
        let mut registers = [Value::UNKNOWN; REGISTERS as usize];
        let first = processor.arguments().trailing_zeros() as usize;
        registers[first] = facts.call.map_or(Value::UNKNOWN, Value::number);
        registers[usize::from(processor.stack())] = Value::Stack(0);
        if let Some(zero) = processor.zero() {
            registers[usize::from(zero)] = Value::number(0);
        }
        State {
            processor,
            registers,
            flags: Flags::UNKNOWN,
            memory: Memory::default(),
            is_lost: false,
            is_deep: false,
            facts,
        }
    }

    /// The same without what isn't needed any more: `alive` has a bit for each register, and [`FLAGS`].
    pub fn only(mut self, alive: Alive) -> State {
        let stack = self.stack();
        for (register, value) in self.registers.iter_mut().enumerate() {
            if register != stack
                && self.processor.zero().map(usize::from) != Some(register)
                && alive >> register & 1 == 0
            {
                *value = Value::UNKNOWN;
            }
        }
        if alive & FLAGS == 0 {
            self.flags = Flags::UNKNOWN;
        }
        self
    }

    fn register(&self, register: u8) -> Value {
        self.registers.get(usize::from(register)).copied().unwrap_or(Value::UNKNOWN)
    }

    /// What is known of a register's bits.
    pub fn bits(&self, register: u8) -> Bits {
        self.register(register).bits()
    }

    /// Whether a register is zero, if that is known. A pointer isn't.
    pub fn is_zero(&self, register: u8) -> Option<bool> {
        match self.register(register) {
            Value::Bits(bits) => bits.is_zero(),
            Value::Stack(_) | Value::Frame(_) => Some(false),
        }
    }

    fn set(&mut self, register: u8, value: Value) {
        if self.processor.zero() == Some(register) {
            return;
        }
        if let Some(place) = self.registers.get_mut(usize::from(register)) {
            *place = value;
        }
        self.flags.forget_register(register);
    }

    /// Notes that a register is this number.
    pub fn learn(&mut self, register: u8, number: u32) {
        self.set(register, Value::Bits(Bits::number(number)));
    }

    /// A stack pointer that is a number, as a trap loads it, is where a stack begins that nobody has a pointer into.
    fn begin_stack(&mut self) {
        if self.registers[self.stack()].bits().as_number().is_some() {
            self.registers[self.stack()] = Value::Stack(0);
            self.memory = Memory::default();
            self.is_lost = false;
        }
    }

    /// Carries out an instruction, but for where it leads. `words` are those of the tables that jumps go through.
    pub fn apply(&mut self, instruction: &Instruction, words: &BTreeMap<u32, u32>) {
        let is_transfer = matches!(instruction.effect, Effect::Transfer(_));
        if is_transfer || matches!(instruction.flow, Flow::Call(_) | Flow::CallRegister) {
            self.begin_stack();
        }
        let stack = self.registers[self.stack()];
        let sets_flags = instruction.sets_flags;
        match &instruction.effect {
            Effect::Nothing | Effect::When { .. } | Effect::IfZero { .. } => {}
            Effect::Move { to, from, is_inverted } => {
                let value = match (self.source(*from), is_inverted) {
                    (value, false) => value,
                    (value, true) => self.computed(value, Value::UNKNOWN, |bits, _| bits.inverted()),
                };
                self.result(*to, value, sets_flags);
            }
            Effect::Compute { operation, to, first, second } => {
                let (first, second) = (self.register(*first), self.source(*second));
                let value = self.compute(*operation, first, second);
                let operands = [first, second].map(Value::bits);
                self.result(*to, value, sets_flags);
                if sets_flags && *operation == Operation::Subtract {
                    self.flags = Flags::compared(operands, None);
                }
            }
            Effect::Upper { to, number } => {
                let low = self.register(*to).bits().and(Bits::number(0xffff));
                self.set(*to, Value::Bits(low.or(Bits::number(number << 16))));
            }
            Effect::Extract { to, from, low, width } => {
                let mask = Bits::number(!u32::MAX.checked_shl((*width).into()).unwrap_or(0));
                let value = self.register(*from);
                let low = u32::from(*low);
                let value = self.computed(value, Value::UNKNOWN, |bits, _| bits.shifted_right(low).and(mask));
                self.set(*to, value);
            }
            Effect::Compare { .. } => self.compare(instruction),
            Effect::Test { first, second } => {
                let (first, second) = (self.register(*first).bits(), self.source(*second).bits());
                self.flags = Flags::result(first.and(second), None);
            }
            Effect::Transfer(transfer) => self.transfer(transfer, words),
            Effect::Special { to, register } => {
                let value = match *register {
                    FRAME => Value::Frame(0),
                    EXCEPTION => Value::Bits(self.facts.exception()),
                    _ => Value::UNKNOWN,
                };
                self.set(*to, value);
            }
            effect @ (Effect::Writes { .. } | Effect::Unknown) => {
                let (reads, writes) = (effect.reads(), effect.writes());
                for register in 0..REGISTERS {
                    if reads & bit(register) != 0
                        && register != self.processor.stack()
                        && self.register(register).is_stack()
                    {
                        self.lose();
                    }
                }
                (0..REGISTERS)
                    .filter(|register| writes & bit(*register) != 0)
                    .for_each(|register| self.set(register, Value::UNKNOWN));
                if sets_flags || writes == 0 || *effect == Effect::Unknown {
                    self.flags = Flags::UNKNOWN;
                }
                if instruction.pointer == Pointer::Stays {
                    self.registers[self.stack()] = stack;
                }
            }
        }
    }

    /// Carries out what an instruction compares.
    pub fn compare(&mut self, instruction: &Instruction) {
        let Effect::Compare { first, second } = instruction.effect else { return };
        let operands = [self.register(first), self.source(second)].map(Value::bits);
        self.flags = Flags::compared(operands, Some(first));
    }

    fn result(&mut self, to: u8, value: Value, sets_flags: bool) {
        self.set(to, value);
        if sets_flags {
            self.flags = Flags::result(value.bits(), Some(to));
        }
    }

    fn source(&mut self, source: Source) -> Value {
        match source {
            Source::Number(number) => Value::number(number),
            Source::Register(register) => self.register(register),
            Source::Shifted(register, by) => {
                let value = self.register(register);
                let count = u32::from(by.unsigned_abs());
                self.computed(value, Value::UNKNOWN, |bits, _| match by > 0 {
                    true => bits.shifted_left(count),
                    false => bits.shifted_right(count),
                })
            }
        }
    }

    fn compute(&mut self, operation: Operation, first: Value, second: Value) -> Value {
        let distance = |value: Value| value.bits().as_number().map(u32::cast_signed);
        match (operation, first, second) {
            (Operation::Add, Value::Stack(_) | Value::Frame(_), by) if distance(by).is_some() => {
                first.moved(distance(by).unwrap_or_default())
            }
            (Operation::Add, by, Value::Stack(_) | Value::Frame(_)) if distance(by).is_some() => {
                second.moved(distance(by).unwrap_or_default())
            }
            (Operation::Subtract, Value::Stack(_) | Value::Frame(_), by) if distance(by).is_some() => {
                first.moved(distance(by).unwrap_or_default().wrapping_neg())
            }
            _ => self.computed(first, second, |first, second| match operation {
                Operation::Add => first.plus(second),
                Operation::Subtract => first.minus(second),
                Operation::And => first.and(second),
                Operation::Or => first.or(second),
                Operation::Xor => first.xor(second),
                Operation::Clear => first.and(second.inverted()),
            }),
        }
    }

    /// Bits from bits. A pointer into the stack that is computed with gets out of sight.
    fn computed(&mut self, first: Value, second: Value, compute: impl Fn(Bits, Bits) -> Bits) -> Value {
        if first.is_stack() || second.is_stack() {
            self.lose();
            return Value::UNKNOWN;
        }
        Value::Bits(compute(first.bits(), second.bits()))
    }

    fn transfer(&mut self, transfer: &Transfer, words: &BTreeMap<u32, u32>) {
        let base = self.register(transfer.base);
        if transfer.index.is_some_and(|index| self.register(index).is_stack()) {
            self.lose();
        }
        let values: Vec<Value> =
            transfer.registers.iter().map(|(register, _)| self.register(*register)).collect();
        if transfer.moves != 0 {
            self.set(transfer.base, base.moved(transfer.moves));
        }
        for ((register, offset), value) in transfer.registers.iter().zip(values) {
            let place = base.moved(*offset);
            match transfer.is_load {
                true => {
                    let value = self.load(place, transfer, words);
                    self.set(*register, value);
                }
                false => self.store(place, transfer, value),
            }
        }
    }

    fn load(&mut self, place: Value, transfer: &Transfer, words: &BTreeMap<u32, u32>) -> Value {
        let is_somewhere = transfer.index.is_some();
        match place {
            Value::Bits(bits) if !is_somewhere && transfer.bytes == 4 => {
                let word = bits.as_number().and_then(|address| words.get(&address));
                word.map_or(Value::UNKNOWN, |word| Value::number(*word))
            }
            Value::Frame(place)
                if place == self.processor.number_in_frame() && !is_somewhere && transfer.bytes == 4 =>
            {
                self.facts.call.map_or(Value::UNKNOWN, Value::number)
            }
            Value::Stack(place) if !is_somewhere => self.load_at(place, transfer),
            Value::Stack(_) => {
                if self.is_deep || self.memory.keeps_pointers() {
                    self.lose();
                }
                Value::UNKNOWN
            }
            _ => Value::UNKNOWN,
        }
    }

    fn load_at(&mut self, place: i32, transfer: &Transfer) -> Value {
        let length = i32::from(transfer.bytes);
        if let Some(pointer) = self.memory.pointer(place).filter(|_| length == 4) {
            return Value::Stack(pointer);
        }
        let is_callers = place >= 0 && !self.memory.was_written(place);
        if self.memory.overlaps_pointer(place, length) || (is_callers && self.is_deep) {
            self.lose();
            return Value::UNKNOWN;
        }
        let bits = self.memory.bits(place, length);
        let is_whole = !transfer.is_signed || bits.as_number().is_some_and(|number| number < 0x80);
        if is_whole { Value::Bits(bits) } else { Value::UNKNOWN }
    }

    fn store(&mut self, place: Value, transfer: &Transfer, value: Value) {
        let is_somewhere = transfer.index.is_some();
        match place {
            Value::Stack(place) if !is_somewhere => return self.store_at(place, transfer.bytes, value),
            Value::Stack(_) => self.lose(),
            Value::Frame(_) if is_somewhere => self.facts.call = None,
            Value::Frame(place) if self.is_number(place, transfer.bytes) => {
                let is_same = transfer.bytes == 4 && value.bits().as_number() == self.facts.call;
                self.facts.call = self.facts.call.filter(|_| is_same);
            }
            Value::Frame(_) | Value::Bits(_) => {}
        }
        if value.is_stack() {
            self.lose();
        }
        if self.is_lost {
            self.memory.forget();
        }
    }

    /// Whether so many bytes of the frame have some of a call's number.
    fn is_number(&self, place: i32, bytes: u8) -> bool {
        let number = self.processor.number_in_frame();
        place < number.saturating_add(4) && place.saturating_add(bytes.into()) > number
    }

    fn store_at(&mut self, place: i32, bytes: u8, value: Value) {
        self.memory.store(place, bytes.into(), value);
        if value.is_stack() && bytes != 4 {
            self.lose();
        }
    }

    /// A pointer into the stack gets out of sight.
    fn lose(&mut self) {
        self.is_lost = true;
        self.memory.forget();
    }

    /// Whether a condition holds, if that is known.
    pub fn decide(&self, condition: u8) -> Option<bool> {
        self.flags.decide(condition)
    }

    /// Goes on where a condition holds, or doesn't.
    pub fn assume(&mut self, condition: u8, holds: bool) {
        let found = self.flags.assume(condition, holds);
        let found = found.filter(|(register, _)| !self.register(*register).is_stack());
        if let Some((register, number)) = found
            && let Some(place) = self.registers.get_mut(usize::from(register))
        {
            *place = Value::number(number);
        }
    }
}

/// The flags' bit, beside those of registers.
pub const FLAGS: Alive = 1 << 32;
