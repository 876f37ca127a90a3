//! A million operations on numbers, for every host of the kernel to do alike: what is promised about values, tried.
//!
//! Each operation is done in blocks, with inputs that are drawn. Of each block a hash of the results is told,
//! so a difference is found to the block; a block that is asked for shows each operation. What `numbers.c`
//! has under the same name has the same results.
#![no_std]
#![forbid(unsafe_code)]

mod conversions;
mod floats;
mod inputs;
mod integers;
mod mathematics;
mod operation;

use beryl_user::call::{spend, stop};
use beryl_user::environment::{self, Channel};
use beryl_user::println;
use beryl_user::time::{Duration, microseconds};
use beryl_user::trace::tell;

use inputs::Inputs;
use operation::Operation;

/// So many inputs of each operation have one hash.
const BLOCK: u32 = 100;
/// Blocks of each operation.
const BLOCKS: u32 = 16;
/// Where the choice comes from, and what it may be beside an operation: all of them, or their names.
const CHOICE: Channel = Channel::new(0);
const ALL: i32 = -1;
const NAMES: i32 = -2;
/// What a block takes in the simulator.
const TIME: Duration = microseconds(1);

/// Does what is chosen.
pub fn in_rust() -> ! {
    let mut choice = [ALL, 0_i32];
    environment::read(CHOICE, &mut choice);
    let all = [integers::ALL, floats::ALL, conversions::ALL, mathematics::ALL];
    for (number, operation) in (0..).zip(all.into_iter().flatten().copied().flatten()) {
        match choice {
            [ALL, _] => tell_of(number, operation),
            [NAMES, _] => println!("{number} {}", operation.name),
            [one, block] if one == i32::from(number) => show(operation, block.cast_unsigned()),
            _ => {}
        }
    }
    stop()
}

/// Tells of each block what it came to.
fn tell_of(number: u16, operation: &Operation) {
    for block in 1..=BLOCKS {
        let mut inputs = Inputs::of(block);
        let mut hash = inputs::START;
        for _ in 0..BLOCK {
            hash = inputs::mixed(hash, (operation.run)(inputs.three(operation.kind)));
        }
        tell(number, (hash ^ (hash >> 32)) as u32);
        spend(TIME);
    }
}

/// Shows each operation of a block, with its inputs.
fn show(operation: &Operation, block: u32) {
    let mut inputs = Inputs::of(block);
    for _ in 0..BLOCK {
        let [first, second, third] = inputs.three(operation.kind);
        let result = (operation.run)([first, second, third]);
        println!("{}: {first:016x} {second:016x} {third:016x} -> {result:016x}", operation.name);
        spend(TIME);
    }
}
