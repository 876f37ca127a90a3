//! The control flow of one function, rebuilt from its machine code.
//!
//! Only what control can reach is decoded, so literal pools and tables are never taken for code. A jump to
//! the start of another function is a call that returns for its caller.

use std::collections::{BTreeMap, BTreeSet};

use crate::cost::Visit;
use beryl_code::effect::Effect;
use beryl_code::instruction::{Flow, Instruction};
use beryl_code::{Image, Processor, table};

use crate::PathError;

mod through;

/// The pseudo target of a return through a register other than the link register.
const RETURN: &str = "return";

/// Where control goes at the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// To another block.
    Block(u32),
    /// To another function, which returns for this one.
    Function(u32),
    /// Back.
    Return,
    /// Nowhere.
    Halt,
}

/// Instructions that are carried out one after the other.
#[derive(Debug, Default)]
pub struct Block {
    /// Their addresses.
    pub addresses: Vec<u32>,
    /// Those among them that store or call, whatever the flags say.
    pub lasting: Vec<u32>,
    /// The functions that the last instruction may call.
    pub calls: Vec<u32>,
    /// Whether that is a piece of this one that the compiler has put elsewhere.
    pub calls_piece: bool,
    /// Whether it may also call none.
    pub call_is_conditional: bool,
    /// Where control may go then.
    pub next: Vec<Next>,
}

impl Block {
    /// The block as it appears on a path.
    pub fn visit(&self) -> Visit {
        // A block holds at least one instruction, and at most as many as fit into 32 bits of addresses.
        let instructions = u64::try_from(self.addresses.len()).unwrap_or(u64::MAX);
        Visit { address: self.addresses.first().copied().unwrap_or_default(), instructions }
    }

    /// Whether control may leave the function here.
    pub fn leaves_function(&self) -> bool {
        self.next.iter().any(|next| matches!(next, Next::Return | Next::Function(_)))
    }

    /// The blocks of the same function that may follow.
    pub fn followers(&self) -> impl Iterator<Item = u32> {
        self.next.iter().filter_map(|next| match next {
            Next::Block(address) => Some(*address),
            _ => None,
        })
    }
}

/// A function as a graph of blocks.
#[derive(Debug)]
pub struct Function {
    /// Whose code it is.
    pub processor: Processor,
    /// Its first address.
    pub start: u32,
    /// Its blocks by address.
    pub blocks: BTreeMap<u32, Block>,
    /// Its instructions by address.
    pub instructions: BTreeMap<u32, Instruction>,
    /// Where its jump tables lead, each in its order.
    pub tables: BTreeMap<u32, Vec<u32>>,
    /// The words of those of which somebody has loaded the address.
    pub words: BTreeMap<u32, u32>,
}

impl Function {
    /// Whether it asks for the number of the exception, or for the frame of who was interrupted.
    pub fn asks(&self) -> bool {
        self.instructions.values().any(|instruction| matches!(instruction.effect, Effect::Special { .. }))
    }

    /// The functions that it calls or goes to.
    pub fn callees(&self) -> BTreeSet<u32> {
        let gone_to = |block: &Block| {
            let functions = block.next.iter().filter_map(|next| match next {
                Next::Function(callee) => Some(*callee),
                _ => None,
            });
            functions.chain(block.calls.iter().copied()).collect::<Vec<_>>()
        };
        self.blocks.values().flat_map(gone_to).collect()
    }
}

/// Rebuilds the function that begins at `start`.
pub fn function(
    image: &Image<'_>,
    indirect: &BTreeMap<String, Vec<String>>,
    excluded: &BTreeSet<u32>,
    start: u32,
) -> Result<Function, PathError> {
    let mut reader = Reader {
        image,
        indirect,
        excluded,
        start,
        decoded: BTreeMap::new(),
        tables: BTreeMap::new(),
        words: BTreeMap::new(),
    };
    reader.read_all()?;
    reader.follow_registers()?;
    reader.blocks()
}

#[derive(Clone)]
struct Reader<'a> {
    image: &'a Image<'a>,
    indirect: &'a BTreeMap<String, Vec<String>>,
    /// Functions that don't run: a call of one is the end, whatever stands behind it.
    excluded: &'a BTreeSet<u32>,
    start: u32,
    decoded: BTreeMap<u32, Instruction>,
    tables: BTreeMap<u32, Vec<u32>>,
    words: BTreeMap<u32, u32>,
}

impl Reader<'_> {
    fn name(&self) -> String {
        self.image.name(self.start)
    }

    /// Tables come last, because other code helps to find their end.
    fn read_all(&mut self) -> Result<(), PathError> {
        let mut ahead = vec![self.start];
        loop {
            while let Some(address) = ahead.pop() {
                self.read_run(address, &mut ahead)?;
            }
            let Some((branch, entry)) = self.open_table() else { return Ok(()) };
            let targets = table::targets(self.image, &branch, entry, &self.decoded);
            if targets.is_empty() {
                return Err(PathError::Table { function: self.name(), address: branch.address });
            }
            ahead.extend(&targets);
            self.tables.insert(branch.address, targets);
        }
    }

    fn open_table(&self) -> Option<(Instruction, u32)> {
        self.decoded.values().find_map(|instruction| match instruction.flow {
            Flow::Table { entry, .. } if !self.tables.contains_key(&instruction.address) => {
                Some((instruction.clone(), entry))
            }
            _ => None,
        })
    }

    /// Decodes from `address` until control can't go on to the next instruction.
    fn read_run(&mut self, mut address: u32, ahead: &mut Vec<u32>) -> Result<(), PathError> {
        let mut covered = Covered::default();
        while !self.decoded.contains_key(&address) && !self.leaves(address) {
            let mut instruction = self.decode(address)?;
            covered.next(&mut instruction);
            let goes_on = goes_on(&instruction);
            if let Flow::Jump(target) = instruction.flow {
                ahead.push(target);
            }
            let after = address.wrapping_add(instruction.length);
            self.decoded.insert(address, instruction);
            if !goes_on {
                return Ok(());
            }
            address = after;
        }
        Ok(())
    }

    fn decode(&self, address: u32) -> Result<Instruction, PathError> {
        let code = self.image.code(address);
        let code = code.ok_or_else(|| PathError::OutsideCode { function: self.name(), address })?;
        let mut instruction = self
            .image
            .decode(code, address)
            .map_err(|reason| PathError::NotAnInstruction { function: self.name(), address, reason })?;
        if let Flow::Call(target) = instruction.flow
            && self.excluded.contains(&target)
        {
            instruction.flow = Flow::Halt;
        }
        Ok(instruction)
    }

    /// Whether `address` belongs to another function.
    fn leaves(&self, address: u32) -> bool {
        address != self.start && self.image.is_function(address)
    }

    fn blocks(&self) -> Result<Function, PathError> {
        let heads = self.heads();
        let mut blocks = BTreeMap::new();
        for head in heads.iter().copied().filter(|head| self.decoded.contains_key(head)) {
            blocks.insert(head, self.block(head, &heads)?);
        }
        let Reader { start, decoded: instructions, tables, words, .. } = self.clone();
        Ok(Function { processor: self.image.processor, start, blocks, instructions, tables, words })
    }

    /// Where blocks begin: at targets of jumps, and behind what may leave the straight line.
    fn heads(&self) -> BTreeSet<u32> {
        let mut heads = BTreeSet::from([self.start]);
        for instruction in self.decoded.values().filter(|instruction| instruction.flow != Flow::On) {
            heads.insert(instruction.address.wrapping_add(instruction.length));
            if let Flow::Jump(target) = instruction.flow {
                heads.insert(target);
            }
        }
        heads.extend(self.tables.values().flatten());
        heads.extend(&self.image.looks);
        heads
    }

    fn block(&self, head: u32, heads: &BTreeSet<u32>) -> Result<Block, PathError> {
        let mut block = Block::default();
        let mut address = head;
        while let Some(instruction) = self.decoded.get(&address) {
            block.addresses.push(address);
            if instruction.lasting && !instruction.conditional {
                block.lasting.push(address);
            }
            address = address.wrapping_add(instruction.length);
            if instruction.flow != Flow::On {
                return self.finish(block, instruction, address);
            }
            if heads.contains(&address) {
                break;
            }
        }
        block.next = vec![self.at(address)];
        Ok(block)
    }

    fn at(&self, address: u32) -> Next {
        if self.leaves(address) { Next::Function(address) } else { Next::Block(address) }
    }

    fn finish(&self, mut block: Block, last: &Instruction, after: u32) -> Result<Block, PathError> {
        block.calls = match last.flow {
            Flow::Call(target) => vec![target],
            Flow::CallRegister => match self.tables.get(&last.address) {
                Some(targets) => targets.iter().copied().collect::<BTreeSet<_>>().into_iter().collect(),
                None => self.targets(last)?.0,
            },
            _ => Vec::new(),
        };
        block.next = match last.flow {
            Flow::Jump(target) => vec![self.at(target)],
            Flow::Table { .. } => {
                let targets: BTreeSet<u32> =
                    self.tables.get(&last.address).into_iter().flatten().copied().collect();
                targets.into_iter().map(|target| self.at(target)).collect()
            }
            Flow::Return => vec![Next::Return],
            Flow::Halt => vec![Next::Halt],
            Flow::JumpRegister if self.tables.contains_key(&last.address) => {
                let targets: BTreeSet<u32> =
                    self.tables.get(&last.address).into_iter().flatten().copied().collect();
                targets.into_iter().map(|target| self.at(target)).collect()
            }
            Flow::JumpRegister => {
                let (functions, returns) = self.targets(last)?;
                let functions = functions.into_iter().map(Next::Function);
                functions.chain(returns.then_some(Next::Return)).collect()
            }
            Flow::On | Flow::Call(_) | Flow::CallRegister => Vec::new(),
        };
        if goes_on(last) {
            block.next.push(self.at(after));
        }
        block.call_is_conditional = last.conditional;
        block.calls_piece = last.link.is_some_and(|link| link != self.image.processor.link());
        Ok(block)
    }

    fn unknown_target(&self, address: u32) -> PathError {
        let text = self.decoded.get(&address).map(|instruction| instruction.text.clone());
        PathError::Indirect { function: self.name(), address, instruction: text.unwrap_or_default() }
    }

    /// The functions that an instruction with an unknown target may reach, and whether it may return.
    fn targets(&self, instruction: &Instruction) -> Result<(Vec<u32>, bool), PathError> {
        let missing = || self.unknown_target(instruction.address);
        let names = self.image.lookup(self.indirect, self.start).ok_or_else(missing)?;
        let mut targets = Vec::new();
        for name in names.iter().filter(|name| *name != RETURN) {
            targets.extend(self.image.addresses(name)?);
        }
        Ok((targets, names.iter().any(|name| name == RETURN)))
    }
}

/// What an `IT` still covers.
#[derive(Default)]
struct Covered {
    count: u32,
    condition: u8,
    then: u8,
}

impl Covered {
    /// Gives the next instruction its condition. A short one sets no flags there.
    fn next(&mut self, instruction: &mut Instruction) {
        if self.count > 0 {
            self.count -= 1;
            instruction.conditional = true;
            instruction.condition = Some(self.condition ^ u8::from(self.then & 1 == 0));
            instruction.sets_flags &= instruction.length > 2;
            self.then >>= 1;
        }
        if let Effect::When { condition, then } = instruction.effect {
            *self = Covered { count: instruction.covers, condition, then };
        }
    }
}

/// Whether control may reach the next instruction.
fn goes_on(instruction: &Instruction) -> bool {
    instruction.conditional || matches!(instruction.flow, Flow::On | Flow::Call(_) | Flow::CallRegister)
}
