//! How deep a stack gets: the deepest way through a function and all that it calls.
//!
//! Each function is followed from its first instruction with the bytes that it has in use; a call adds what
//! the called function needs at most. Only what control can reach counts, and a call that never comes back
//! ends a way. What can't be told from the code is an error that says why: recursion, calls through
//! registers, a stack pointer that is computed.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use crate::instruction::{Flow, Instruction, decode};
use crate::pointer::Pointer;
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
    /// Bytes in use before each instruction.
    depths: BTreeMap<u32, u32>,
    ahead: Vec<(u32, u32)>,
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
        let mut way = Way { ahead: vec![(start, 0)], ..Way::default() };
        loop {
            while let Some((address, depth)) = way.ahead.pop() {
                self.step(start, address, depth, &mut way)?;
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
            let depth = way.depths.get(&branch.address).copied().unwrap_or_default();
            way.ahead.extend(targets.into_iter().map(|target| (target, depth)));
            way.tables.insert(branch.address);
        }
    }

    /// Carries out one instruction, and notes where control goes on.
    fn step(&mut self, start: u32, address: u32, depth: u32, way: &mut Way) -> Result<(), Unknown> {
        if address != start && self.image.is_function(address) {
            // A jump to another function, which returns for this one.
            let need = self.need(address)?;
            way.deepen(depth.saturating_add(need.bytes));
            way.need.returns |= need.returns;
            return Ok(());
        }
        match way.depths.insert(address, depth) {
            Some(before) if before == depth => return Ok(()),
            Some(_) => return Err(self.computed(start, address)),
            None => {}
        }
        let instruction = self.instruction(start, address, way)?;
        let after = address.wrapping_add(instruction.length);
        way.decoded.insert(address, instruction.clone());
        let is_return = matches!(instruction.flow, Flow::Return);
        let moved = match instruction.pointer {
            Pointer::Stays => depth,
            Pointer::Grows(bytes) if !instruction.conditional => depth.saturating_add(bytes),
            Pointer::Shrinks(bytes) if bytes <= depth && (is_return || !instruction.conditional) => {
                depth - bytes
            }
            _ => return Err(self.computed(start, address)),
        };
        way.deepen(moved);
        // What is left out under a condition gives nothing back.
        let kept = if is_return { depth } else { moved };
        let mut goes_on = instruction.conditional;
        match instruction.flow {
            Flow::On => goes_on = true,
            Flow::Jump(target) => way.ahead.push((target, moved)),
            Flow::Call(target) => goes_on |= self.call(target, moved, way)?,
            Flow::CallRegister => {
                for target in self.targets(start, &instruction)? {
                    goes_on |= self.call(target, moved, way)?;
                }
            }
            Flow::JumpRegister => {
                for target in self.targets(start, &instruction)? {
                    way.need.returns |= self.call(target, moved, way)?;
                }
            }
            Flow::Return => way.need.returns = true,
            Flow::Table { .. } | Flow::Halt => {}
        }
        if goes_on {
            way.ahead.push((after, kept));
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
        let code = self.image.code(address);
        let code =
            code.ok_or_else(|| self.unreadable(start, address, "there is no code there".to_owned()))?;
        let mut instruction =
            decode(code, address).map_err(|reason| self.unreadable(start, address, reason))?;
        let covered = way.covered.remove(&address).unwrap_or(0);
        instruction.conditional |= covered > 0;
        let rest = covered.saturating_sub(1).max(instruction.covers);
        if rest > 0 {
            way.covered.insert(address.wrapping_add(instruction.length), rest);
        }
        Ok(instruction)
    }

    fn targets(&self, start: u32, instruction: &Instruction) -> Result<Vec<u32>, Unknown> {
        self.indirect.get(&start).cloned().ok_or_else(|| Unknown::Indirect {
            function: self.image.name(start),
            address: instruction.address,
            instruction: instruction.text.clone(),
        })
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
