//! Each cause of a fault, as the status registers tell it.

use super::*;

const CALM: Status = Status {
    exception: 4,
    causes: 0,
    protected: 0x1234_5678,
    bus: 0x1234_5678,
    stack_pointer: 0x2000_0480,
    stack_bottom: 0x2000_0400,
    stack_top: 0x2000_0800,
};

fn decode(status: Status) -> (FaultKind, u32, u32) {
    let fault = status.decode(0x8000, |_| panic!("the code must not be read"));
    (fault.kind, fault.address, fault.instruction)
}

#[test]
fn accesses_and_jumps() {
    let write = Status { causes: DATA | PROTECTED_VALID, protected: 0x2000_0000, ..CALM };
    assert_eq!(decode(write), (FaultKind::Data, 0x2000_0000, 0x8000));
    let jump = Status { causes: EXECUTE, ..CALM };
    assert_eq!(decode(jump), (FaultKind::Execute, 0x8000, 0), "the address register is stale");
}

#[test]
fn overflow_with_and_without_a_frame() {
    let below = |protected| Status { causes: DATA | PROTECTED_VALID, protected, ..CALM };
    assert_eq!(decode(below(0x2000_03FC)), (FaultKind::StackOverflow, 0x2000_03FC, 0x8000));
    assert_eq!(decode(below(0x2000_0300)), (FaultKind::StackOverflow, 0x2000_0300, 0x8000));
    assert_eq!(decode(below(0x2000_02FF)), (FaultKind::Data, 0x2000_02FF, 0x8000));
    assert_eq!(decode(below(0x2000_0400)), (FaultKind::Data, 0x2000_0400, 0x8000));
    let stacking = |stack_pointer| Status { causes: 1 << 4 | DATA | PROTECTED_VALID, stack_pointer, ..CALM };
    assert_eq!(decode(stacking(0x2000_03F0)), (FaultKind::StackOverflow, 0x2000_03F0, 0));
    assert_eq!(decode(stacking(0x1000_0000)), (FaultKind::Data, 0x1000_0000, 0), "a wild stack pointer");
    assert_eq!(decode(stacking(0x2000_0800)), (FaultKind::Data, 0x2000_0800, 0), "a wild stack pointer");
}

#[test]
fn the_bus_and_the_system_space() {
    let precise = |bus| Status { exception: 5, causes: BUS_PRECISE | BUS_VALID, bus, ..CALM };
    assert_eq!(decode(precise(0xE000_ED94)), (FaultKind::Privilege, 0xE000_ED94, 0x8000));
    assert_eq!(decode(precise(0x4000_4FFC)), (FaultKind::Bus, 0x4000_4FFC, 0x8000));
    assert_eq!(decode(Status { exception: 5, causes: BUS_IMPRECISE, ..CALM }), (FaultKind::Bus, 0, 0));
    assert_eq!(decode(Status { exception: 5, causes: BUS_FETCH, ..CALM }), (FaultKind::Bus, 0x8000, 0));
}

#[test]
fn instructions() {
    let undefined = Status { exception: 6, causes: UNDEFINED, ..CALM };
    let kind = |code| undefined.decode(0x8000, |_| code).kind;
    assert_eq!(kind(PANIC), FaultKind::Panic);
    assert_eq!(kind(0xDEFE), FaultKind::Instruction);
    let coprocessor = Status { exception: 6, causes: NO_COPROCESSOR, ..CALM };
    assert_eq!(decode(coprocessor), (FaultKind::Instruction, 0, 0x8000));
    let breakpoint = Status { exception: 3, ..CALM };
    assert_eq!(decode(breakpoint), (FaultKind::Instruction, 0, 0x8000));
    for cause in [17, 18, 24, 25] {
        let usage = Status { exception: 6, causes: 1 << cause, ..CALM };
        assert_eq!(decode(usage), (FaultKind::Usage, 0, 0x8000), "cause {cause}");
    }
}
