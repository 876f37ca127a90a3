//! How deep a stack gets: the deepest way through a function and all that it calls.
//!
//! Each function is followed from its first instruction with the bytes that it has in use; a call adds what
//! the called function needs at most. Only what control can reach counts, and a call that never comes back
//! ends a way. What can't be told from the code is an error that says why: recursion, calls through
//! registers, a stack pointer that is computed.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::instruction::{Flow, Instruction, Pointer};
use crate::values::{Value, Values};
use crate::{Image, ImageError, table};

/// Why a depth can't be computed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unknown {
    /// The image, or the function in it.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// Functions that call each other in a circle.
    #[error("recursion: {}", .0.join(" calls "))]
    Recursion(Vec<String>),
    /// A call or jump through a register, without known targets.
    #[error("`{function}` calls through a register at {address:#x} (`{instruction}`)")]
    Indirect {
        /// The function.
        function: String,
        /// The address of the instruction.
        address: u32,
        /// The instruction.
        instruction: String,
    },
    /// The stack pointer takes a value that the code computes, or different ones on ways that meet.
    #[error("`{function}` computes its stack pointer at {address:#x}")]
    Computed {
        /// The function.
        function: String,
        /// The address of the instruction.
        address: u32,
    },
    /// What isn't an instruction, or a table of jumps that can't be followed.
    #[error("`{function}` has no readable instruction at {address:#x}: {reason}")]
    Unreadable {
        /// The function.
        function: String,
        /// The address.
        address: u32,
        /// What is wrong.
        reason: String,
    },
}

/// The deepest stacks of the functions of an image.
pub struct Stacks<'image, 'data> {
    image: &'image Image<'data>,
    /// What a function may call through registers, by its address.
    indirect: BTreeMap<u32, Vec<u32>>,
    known: BTreeMap<u32, Need>,
    /// Functions that are being followed, the outermost first.
    open: Vec<u32>,
}

/// What a function needs, with all that it calls.
#[derive(Clone, Copy, Debug, Default)]
struct Need {
    bytes: u32,
    /// Whether control can come back from it.
    returns: bool,
}

/// The way through one function.
#[derive(Default)]
struct Way {
    decoded: BTreeMap<u32, Instruction>,
    /// What is known before each instruction, of which the bytes in use are a part.
    known: BTreeMap<u32, Values>,
    ahead: Vec<(u32, Values)>,
    tables: BTreeSet<u32>,
    /// Instructions that still belong to an `IT` block.
    covered: BTreeMap<u32, u32>,
    need: Need,
}

impl<'image, 'data> Stacks<'image, 'data> {
    /// Those of `image`. `indirect` tells what functions may call through registers, all by their names.
    ///
    /// # Errors
    /// A name that the image doesn't have.
    pub fn new(
        image: &'image Image<'data>,
        indirect: &BTreeMap<String, Vec<String>>,
    ) -> Result<Self, ImageError> {
        let mut targets = BTreeMap::<u32, Vec<u32>>::new();
        for (caller, called) in indirect {
            for caller in image.addresses(caller)? {
                for called in called {
                    targets.entry(*caller).or_default().extend(image.addresses(called)?);
                }
            }
        }
        Ok(Stacks { image, indirect: targets, known: BTreeMap::new(), open: Vec::new() })
    }

    /// The bytes that a function needs at most, with all that it calls.
    ///
    /// # Errors
    /// Why that can't be told.
    pub fn depth(&mut self, function: &str) -> Result<u32, Unknown> {
        let mut most = 0;
        for address in self.image.addresses(function)? {
            self.open.clear();
            most = self.need(*address)?.bytes.max(most);
        }
        Ok(most)
    }

    fn need(&mut self, start: u32) -> Result<Need, Unknown> {
        if let Some(known) = self.known.get(&start) {
            return Ok(*known);
        }
        if let Some(place) = self.open.iter().position(|open| *open == start) {
            let circle = self.open.iter().skip(place).chain([&start]);
            return Err(Unknown::Recursion(circle.map(|address| self.image.name(*address)).collect()));
        }
        self.open.push(start);
        let need = self.follow(start)?;
        self.open.pop();
        self.known.insert(start, need);
        Ok(need)
    }

    fn follow(&mut self, start: u32) -> Result<Need, Unknown> {
        let begin = Values::entry(self.image.processor);
        let mut way = Way { ahead: vec![(start, begin)], ..Way::default() };
        loop {
            while let Some((address, values)) = way.ahead.pop() {
                self.step(start, address, values, &mut way)?;
            }
            // Tables come last, because other code helps to find their end.
            let open = way.decoded.values().find_map(|row| match row.flow {
                Flow::Table { entry, .. } if !way.tables.contains(&row.address) => Some((row.clone(), entry)),
                _ => None,
            });
            let Some((branch, entry)) = open else { return Ok(way.need) };
            let targets = table::targets(self.image, &branch, entry, &way.decoded);
            if targets.is_empty() {
                let reason = "its table of jumps has no end".to_owned();
                return Err(self.unreadable(start, branch.address, reason));
            }
            let Some(values) = way.known.get(&branch.address).cloned() else { return Ok(way.need) };
            way.ahead.extend(targets.into_iter().map(|target| (target, values.clone())));
            way.tables.insert(branch.address);
        }
    }

    /// Carries out one instruction, and notes where control goes on.
    fn step(&mut self, start: u32, address: u32, values: Values, way: &mut Way) -> Result<(), Unknown> {
        let depth = values.depth().ok_or_else(|| self.computed(start, address))?;
        if address != start && self.image.is_function(address) {
            // A jump to another function, which returns for this one.
            let need = self.need(address)?;
            way.deepen(depth.saturating_add(need.bytes));
            way.need.returns |= need.returns;
            return Ok(());
        }
        let values = match way.known.get_mut(&address) {
            Some(before) if before.depth() != Some(depth) => return Err(self.computed(start, address)),
            Some(before) => match before.meet(&values) {
                // Less is known than before, so it is carried out again.
                true => before.clone(),
                false => return Ok(()),
            },
            None => way.known.entry(address).or_insert(values).clone(),
        };
        let instruction = self.instruction(start, address, way)?;
        let after = address.wrapping_add(instruction.length);
        let is_return = matches!(instruction.flow, Flow::Return);
        let mut behind = values.clone();
        behind.apply(&instruction);
        let moved = match instruction.pointer {
            Pointer::Stays => depth,
            Pointer::Grows(bytes) if !instruction.conditional => depth.saturating_add(bytes),
            Pointer::Shrinks(bytes) if bytes <= depth && (is_return || !instruction.conditional) => {
                depth - bytes
            }
            Pointer::Computed => behind.depth().ok_or_else(|| self.computed(start, address))?,
            _ => return Err(self.computed(start, address)),
        };
        way.deepen(moved);
        behind.set_depth(moved);
        let mut goes_on = instruction.conditional;
        match instruction.flow {
            Flow::On => goes_on = true,
            Flow::Jump(target) => way.ahead.push((target, behind.clone())),
            Flow::Call(target) => goes_on |= self.call(target, moved, way)?,
            Flow::CallRegister => {
                for target in self.targets(start, &instruction, &values)? {
                    goes_on |= self.call(target, moved, way)?;
                }
            }
            Flow::JumpRegister => match values.leads_to(&instruction) {
                Value::Number(target) => way.ahead.push((target, behind.clone())),
                Value::From(table) => {
                    let targets = self.table(start, &instruction, table)?;
                    way.ahead.extend(targets.into_iter().map(|target| (target, behind.clone())));
                }
                _ => {
                    for target in self.targets(start, &instruction, &values)? {
                        way.need.returns |= self.call(target, moved, way)?;
                    }
                }
            },
            // What a function took it gives back before it returns.
            Flow::Return if moved != 0 => return Err(self.computed(start, address)),
            Flow::Return => way.need.returns = true,
            Flow::Table { .. } | Flow::Halt => {}
        }
        if goes_on {
            if matches!(instruction.flow, Flow::Call(_) | Flow::CallRegister) {
                behind.after_call(&instruction);
            }
            // What is left out under a condition gives nothing back.
            behind.set_depth(if is_return { depth } else { moved });
            way.ahead.push((after, behind));
        }
        Ok(())
    }

    /// Adds what a call needs; whether control comes back.
    fn call(&mut self, target: u32, depth: u32, way: &mut Way) -> Result<bool, Unknown> {
        let need = self.need(target)?;
        way.deepen(depth.saturating_add(need.bytes));
        Ok(need.returns)
    }

    fn instruction(&self, start: u32, address: u32, way: &mut Way) -> Result<Instruction, Unknown> {
        if let Some(known) = way.decoded.get(&address) {
            return Ok(known.clone());
        }
        let code = self.image.code(address);
        let code =
            code.ok_or_else(|| self.unreadable(start, address, "there is no code there".to_owned()))?;
        let decoded = self.image.decode(code, address);
        let mut instruction = decoded.map_err(|reason| self.unreadable(start, address, reason))?;
        let covered = way.covered.remove(&address).unwrap_or(0);
        instruction.conditional |= covered > 0;
        let rest = covered.saturating_sub(1).max(instruction.covers);
        if rest > 0 {
            way.covered.insert(address.wrapping_add(instruction.length), rest);
        }
        way.decoded.insert(address, instruction.clone());
        Ok(instruction)
    }

    /// The functions that a call or jump through a register may reach.
    fn targets(&self, start: u32, instruction: &Instruction, values: &Values) -> Result<Vec<u32>, Unknown> {
        match (values.leads_to(instruction), self.indirect.get(&start)) {
            (Value::Number(target), _) => Ok(vec![target]),
            (_, Some(targets)) => Ok(targets.clone()),
            (_, None) => Err(self.unknown_target(start, instruction)),
        }
    }

    /// The targets of a jump through a table of addresses. All that a table has lead into its own function, so it ends at
    /// the latest before a word that doesn't.
    fn table(&self, start: u32, instruction: &Instruction, table: u32) -> Result<BTreeSet<u32>, Unknown> {
        let end = self.image.end_of_function(start).unwrap_or(start);
        let places = (0..).map_while(|number: u32| table.checked_add(number.checked_mul(4)?));
        let words = places.map_while(|place| self.image.constant(place));
        let targets: BTreeSet<u32> =
            words.take_while(|word| (start..end).contains(word) && word % 2 == 0).collect();
        if targets.is_empty() { Err(self.unknown_target(start, instruction)) } else { Ok(targets) }
    }

    fn unknown_target(&self, start: u32, instruction: &Instruction) -> Unknown {
        Unknown::Indirect {
            function: self.image.name(start),
            address: instruction.address,
            instruction: instruction.text.clone(),
        }
    }

    fn computed(&self, start: u32, address: u32) -> Unknown {
        Unknown::Computed { function: self.image.name(start), address }
    }

    fn unreadable(&self, start: u32, address: u32, reason: String) -> Unknown {
        Unknown::Unreadable { function: self.image.name(start), address, reason }
    }
}

impl Way {
    fn deepen(&mut self, depth: u32) {
        self.need.bytes = self.need.bytes.max(depth);
    }
}
