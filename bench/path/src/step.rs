//! One block of code in one state: the states that it is left in, and where each leads.

use beryl_code::effect::Effect;
use beryl_code::instruction::{Flow, Instruction};

use crate::flow::{Block, Function, Next};
use crate::state::State;

/// Where a state leads behind a block's last instruction.
#[derive(Clone, Debug)]
pub enum Lead {
    /// There.
    To(Next),
    /// To what the last instruction calls, of which only that may be known to count, and from there to what stands behind it.
    Call(Option<u32>),
}

/// Carries out a block. Where a condition isn't known, both ways go on, each with what it is known by.
pub fn carry_out(function: &Function, block: &Block, state: &State) -> Vec<(State, Lead)> {
    let mut states = vec![state.clone()];
    let mut leads = Vec::new();
    for address in &block.addresses {
        let Some(instruction) = function.instructions.get(address) else { continue };
        let ways = states.drain(..).flat_map(|state| ways(instruction, state)).collect::<Vec<_>>();
        for (mut state, is_carried_out) in ways {
            if is_carried_out {
                state.apply(instruction, &function.words);
            }
            match instruction.flow {
                Flow::On => states.push(state),
                _ if !is_carried_out => {
                    leads.extend(behind(block, instruction).map(|next| (state, Lead::To(next))))
                }
                _ => leads.extend(taken(function, block, instruction, state)),
            }
        }
    }
    let behind = block.next.first().copied();
    leads.extend(states.into_iter().filter_map(|state| Some((state, Lead::To(behind?)))));
    leads
}

/// Whether an instruction is carried out: one way or both.
fn ways(instruction: &Instruction, state: State) -> Vec<(State, bool)> {
    match (instruction.condition, &instruction.effect) {
        // It compares and goes at once.
        (Some(condition), Effect::Compare { .. }) if matches!(instruction.flow, Flow::Jump(_)) => {
            let mut compared = state;
            compared.compare(instruction);
            fork(compared.decide(condition), compared, |state, holds| state.assume(condition, holds))
        }
        (Some(condition), _) => fork(state.decide(condition), state, |state, holds| {
            state.assume(condition, holds);
        }),
        (None, Effect::IfZero { register, is_zero }) => {
            let holds = state.is_zero(*register).map(|zero| zero == *is_zero);
            fork(holds, state, |state, holds| {
                if holds == *is_zero {
                    state.learn(*register, 0);
                }
            })
        }
        // A branch on what nobody follows.
        _ if instruction.conditional => vec![(state.clone(), true), (state, false)],
        _ => vec![(state, true)],
    }
}

fn fork(holds: Option<bool>, state: State, learn: impl Fn(&mut State, bool)) -> Vec<(State, bool)> {
    let assumed = |mut state: State, holds: bool| {
        learn(&mut state, holds);
        (state, holds)
    };
    match holds {
        Some(holds) => vec![(state, holds)],
        None => vec![assumed(state.clone(), true), assumed(state, false)],
    }
}

/// What stands behind a block.
fn behind(block: &Block, last: &Instruction) -> Option<Next> {
    let after = last.address.wrapping_add(last.length);
    block.next.iter().copied().find(|next| leads_to(*next, after))
}

fn leads_to(next: Next, address: u32) -> bool {
    matches!(next, Next::Block(to) | Next::Function(to) if to == address)
}

/// Where an instruction leads that is carried out.
fn taken(function: &Function, block: &Block, last: &Instruction, state: State) -> Vec<(State, Lead)> {
    let to = |address: u32| block.next.iter().copied().find(|next| leads_to(*next, address));
    match last.flow {
        Flow::Jump(target) => to(target).map(|next| (state, Lead::To(next))).into_iter().collect(),
        Flow::Call(_) => vec![(state, Lead::Call(None))],
        Flow::CallRegister => {
            let known = through(function, last, &state);
            vec![(state, Lead::Call(known))]
        }
        Flow::Return => vec![(state, Lead::To(Next::Return))],
        Flow::Halt => vec![(state, Lead::To(Next::Halt))],
        Flow::Table { index, .. } => {
            let targets = function.tables.get(&last.address).map_or(&[][..], Vec::as_slice);
            let known = state.bits(index).as_number();
            // A number that the table hasn't got would mean that it is longer than it seems.
            let known =
                known.filter(|known| (0..).zip(targets).any(|(number, _): (u32, _)| number == *known));
            let entries = (0..).zip(targets).filter(|(number, _)| known.is_none_or(|known| known == *number));
            let entry = |(number, target): (u32, &u32)| {
                let mut state = state.clone();
                state.learn(index, number);
                Some((state, Lead::To(to(*target)?)))
            };
            entries.filter_map(entry).collect()
        }
        Flow::JumpRegister => {
            let after = last.address.wrapping_add(last.length);
            let known = through(function, last, &state);
            let others = block.next.iter().filter(|next| known.is_none_or(|known| leads_to(**next, known)));
            let others = others.filter(|next| !last.conditional || !leads_to(**next, after));
            others.map(|next| (state.clone(), Lead::To(*next))).collect()
        }
        Flow::On => Vec::new(),
    }
}

/// Where an instruction leads that goes through a register, if its table is known and so is which entry.
fn through(function: &Function, last: &Instruction, state: &State) -> Option<u32> {
    let (register, _) = last.through?;
    let known = state.number(register)?;
    function.tables.get(&last.address)?.contains(&known).then_some(known)
}
