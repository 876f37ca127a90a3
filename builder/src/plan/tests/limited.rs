//! The same plans where regions mustn't overlap: what they let a thread touch is what the plan says, byte by byte, and no byte
//! is in two of them.

use super::*;
use crate::board::armv8m::{self, RegionWords};

/// The unit as its manual has it: what user mode may do with each byte of a memory.
fn accesses(base: u32, limit: Bytes, regions: &[RegionWords]) -> Vec<Access> {
    let mut accesses = vec![NONE; limit.get() as usize];
    for RegionWords { rbar, rlar } in regions.iter().filter(|words| words.rlar & 1 == 1) {
        let (first, last) = (rbar & !0x1F, rlar | 0x1F);
        let of_it = (first..=last).filter_map(|address| accesses_at(base, limit, address));
        let access = match rbar >> 1 & 0b11 {
            0b01 => Access { read: true, write: true, execute: rbar & 1 == 0 },
            0b11 => Access { read: true, write: false, execute: rbar & 1 == 0 },
            _ => panic!("the plan gives no such right"),
        };
        for place in of_it {
            assert_eq!(accesses[place], NONE, "two regions overlap {place} bytes from {base:#x}");
            accesses[place] = access;
        }
    }
    accesses
}

/// Where an address is in a memory.
fn accesses_at(base: u32, limit: Bytes, address: u32) -> Option<usize> {
    let place = address.checked_sub(base)?;
    (place < limit.get()).then_some(place as usize)
}

fn check(plan: &Plan, demand: &Demand) {
    let owners = owners(plan);
    let [text, _] = plan.fixed_regions();
    for (index, stack) in plan.stacks.iter().enumerate() {
        let process = stack.process.index();
        let own: Vec<_> = plan.processes[process].regions().chain([stack.block.region]).collect();
        let fixed = armv8m::words(&text).expect("a region");
        let switched = armv8m::switched(&plan.fixed_regions(), &own).expect("regions");
        let stack_base = switched[switched.len() - 1].rbar & !0x1F;
        assert_eq!(stack_base, stack.block.region.interval.base, "the limit of the stack pointer");
        // Devices lie elsewhere, and have a region each.
        let of_memory = |words: &RegionWords| words.rlar >> 1 & 0b111 == 1;
        let regions: Vec<_> = std::iter::once(fixed).chain(switched).filter(of_memory).collect();
        for (memory, limit) in owners.iter().zip([room_for_flash(plan), plan.limits.ram]) {
            let accesses = accesses(memory.base, limit, &regions);
            let rows = accesses.iter().zip(&memory.bytes);
            let wrong =
                rows.clone().position(|(access, owner)| *access != allowed(*owner, process, index, demand));
            assert_eq!(wrong, None, "{} at this offset from {:#x}", stack.thread, memory.base);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn plans_keep_processes_apart_without_overlap(demand in demand(), linked in sizes()) {
        let linked = within(&demand, linked);
        let board = Board::named("mps2-an505").expect("it is known");
        let plan = plan(board, LIMITS, &demand).and_then(|plan| plan.with_flash(KERNEL, &linked));
        let plan = plan.expect("the limits are wide enough");
        check(&plan, &demand);
        check_stacks_meet_nothing(&plan);
        check_parts(&plan, &demand, &linked);
    }
}
