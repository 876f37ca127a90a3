//! What is known of registers, flags and stack at a place in the code.
//!
//! A value is a word of which some bits are known, or a pointer into the stack or into the frame of who was
//! interrupted. Of memory, only the stack is followed, byte by byte, and so that nothing else can change it
//! unseen: a pointer into it that gets out of sight (it is computed with, stored elsewhere, or differs on
//! ways that meet) makes the state *lost*, and then each store through an unknown pointer, and each call,
//! ends all that is known of the stack.
//!
//! Places in the stack are counted from where the stack pointer was when the function was entered: its own are below.

use beryl_code::effect::{EXCEPTION, Effect, FRAME, Operation, Source, Transfer, bit};
use beryl_code::instruction::{Instruction, Pointer};

use crate::bits::Bits;
use crate::flags::Flags;
use crate::memory::Memory;
use crate::value::Value;

const STACK: usize = 13;
const LINK: usize = 14;
/// Registers that calls leave alone: r4 to r11, and the stack pointer.
const KEPT: [usize; 9] = [4, 5, 6, 7, 8, 9, 10, 11, STACK];

/// What a function gives back is in the first registers; what is larger it leaves in its caller's memory.
const RESULTS: usize = 2;

/// What a path begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Facts {
    /// The call's number: in the first register, and in the first word of the caller's frame until somebody
    /// writes there.
    pub call: Option<u32>,
    /// The number of the active exception.
    pub exception: Option<u32>,
}

/// What is known at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    registers: [Value; 16],
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
    pub fn entry(facts: Facts) -> State {
        let mut registers = [Value::UNKNOWN; 16];
        registers[0] = facts.call.map_or(Value::UNKNOWN, Value::number);
        registers[STACK] = Value::Stack(0);
        State {
            registers,
            flags: Flags::UNKNOWN,
            memory: Memory::default(),
            is_lost: false,
            is_deep: false,
            facts,
        }
    }

    /// The same without what isn't needed any more: `alive` has a bit for each register, and [`FLAGS`].
    pub fn only(mut self, alive: u32) -> State {
        for (register, value) in self.registers.iter_mut().enumerate() {
            if register != STACK && alive >> register & 1 == 0 {
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

    fn set(&mut self, register: u8, value: Value) {
        if let Some(place) = self.registers.get_mut(usize::from(register)) {
            *place = value;
        }
        self.flags.forget_register(register);
    }

    /// Notes that a register is this number.
    pub fn learn(&mut self, register: u8, number: u32) {
        self.set(register, Value::Bits(Bits::number(number)));
    }

    /// Carries out an instruction, but for where it leads.
    pub fn apply(&mut self, instruction: &Instruction) {
        let stack = self.registers[STACK];
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
            Effect::Compare { first, second } => {
                let operands = [self.register(*first), self.source(*second)].map(Value::bits);
                self.flags = Flags::compared(operands, Some(*first));
            }
            Effect::Test { first, second } => {
                let (first, second) = (self.register(*first).bits(), self.source(*second).bits());
                self.flags = Flags::result(first.and(second), None);
            }
            Effect::Transfer(transfer) => self.transfer(transfer),
            Effect::Special { to, register } => {
                let value = match *register {
                    FRAME => Value::Frame(0),
                    EXCEPTION => self.facts.exception.map_or(Value::UNKNOWN, Value::number),
                    _ => Value::UNKNOWN,
                };
                self.set(*to, value);
            }
            effect @ (Effect::Writes { .. } | Effect::Unknown) => {
                let (reads, writes) = (effect.reads(), effect.writes());
                for register in 0..16 {
                    if reads & bit(register) != 0
                        && usize::from(register) != STACK
                        && self.register(register).is_stack()
                    {
                        self.lose();
                    }
                }
                (0..16)
                    .filter(|register| writes & bit(*register) != 0)
                    .for_each(|register| self.set(register, Value::UNKNOWN));
                if sets_flags || writes == 0 || *effect == Effect::Unknown {
                    self.flags = Flags::UNKNOWN;
                }
                if instruction.pointer == Pointer::Stays {
                    self.registers[STACK] = stack;
                }
            }
        }
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

    fn transfer(&mut self, transfer: &Transfer) {
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
                    let value = self.load(place, transfer);
                    self.set(*register, value);
                }
                false => self.store(place, transfer, value),
            }
        }
    }

    fn load(&mut self, place: Value, transfer: &Transfer) -> Value {
        let is_somewhere = transfer.index.is_some();
        match place {
            Value::Frame(0) if !is_somewhere && transfer.bytes == 4 => {
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
            Value::Frame(0..4) => self.facts.call = None,
            Value::Frame(_) if is_somewhere => self.facts.call = None,
            Value::Frame(_) | Value::Bits(_) => {}
        }
        if value.is_stack() {
            self.lose();
        }
        if self.is_lost {
            self.memory.forget();
        }
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

    /// Before a loop that writes such registers, and memory if it `stores`.
    pub fn before_loop(&mut self, writes: u32, stores: bool) {
        let points = |value: &Value| value.is_stack();
        let written = |register: &usize| writes >> register & 1 == 1;
        let loses =
            (0..16).filter(written).any(|register| register != STACK && points(&self.registers[register]));
        let is_callers = |value: &Value| matches!(value, Value::Stack(place) if *place >= 0);
        let reaches = stores && self.registers.iter().any(is_callers) || self.memory.keeps_callers_pointers();
        if loses || reaches || (stores && self.memory.keeps_pointers()) {
            self.lose();
        }
        if stores {
            self.memory.forget();
        }
        let stack = self.registers[STACK];
        (0..16).filter(written).for_each(|register| self.registers[register] = Value::UNKNOWN);
        // What a round takes from the stack it gives back.
        self.registers[STACK] = stack;
        self.flags = Flags::UNKNOWN;
    }

    /// What a function that is called here begins with.
    pub fn enter(&self) -> State {
        let mut inside = State::entry(self.facts);
        inside.is_lost = self.is_lost;
        inside.is_deep = self.is_deep || self.memory.keeps_pointers();
        let depth = self.depth();
        for (to, from) in inside.registers.iter_mut().zip(&self.registers).take(4) {
            *to = match (from, depth) {
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
        let mut forgotten = State::entry(self.facts);
        forgotten.registers[0] = Value::UNKNOWN;
        forgotten.is_lost = self.is_lost || self.registers[..4].iter().any(|value| value.is_stack());
        forgotten.is_deep = self.is_deep;
        forgotten
    }

    fn depth(&self) -> Option<i32> {
        match self.registers[STACK] {
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

    /// What a function leaves that returns here.
    pub fn leave(&self) -> State {
        let mut outside = State::entry(self.facts);
        outside.registers[..RESULTS].copy_from_slice(&self.registers[..RESULTS]);
        outside.memory = self.memory.of_callers();
        outside.is_lost = self.is_lost;
        outside
    }

    /// What is known where a called function has come back that left this.
    pub fn after(&self, left: &State) -> State {
        let mut after = State { flags: Flags::UNKNOWN, ..self.clone() };
        for (register, value) in after.registers.iter_mut().enumerate() {
            if !KEPT.contains(&register) {
                *value = Value::UNKNOWN;
            }
        }
        after.registers[LINK] = Value::UNKNOWN;
        after.facts = left.facts;
        let Some(depth) = self.depth() else {
            after.lose();
            return after;
        };
        after.memory.end_at(depth);
        after.memory.take(&left.memory, depth);
        for (to, from) in after.registers.iter_mut().zip(&left.registers).take(RESULTS) {
            *to = match from {
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
pub const FLAGS: u32 = 1 << 16;
