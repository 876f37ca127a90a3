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
    let instruction = (!status.is_without_frame()).then_some(0x8000);
    let fault = status.decode(instruction, |_| panic!("the code must not be read"));
    (fault.kind, fault.address, fault.instruction)
}

#[test]
fn accesses_and_jumps() {
    let write = Status { causes: DATA | PROTECTED_VALID, protected: 0x2000_0C00, ..CALM };
    assert_eq!(decode(write), (FaultKind::Data, 0x2000_0C00, 0x8000));
    let jump = Status { causes: EXECUTE, ..CALM };
    assert_eq!(decode(jump), (FaultKind::Execute, 0x8000, 0), "the address register is stale");
}

/// The frame fits, so what lies below the stack was reached by a push, or not through the stack pointer at all.
#[test]
fn what_is_below_the_stack_is_an_overflow_only_through_the_stack_pointer() {
    let at = |stack_pointer, protected| {
        decode(Status { causes: DATA | PROTECTED_VALID, protected, stack_pointer, ..CALM }).0
    };
    assert_eq!(at(0x2000_0400, 0x2000_03FC), FaultKind::StackOverflow, "36 bytes are pushed");
    assert_eq!(at(0x2000_0400, 0x2000_03E8), FaultKind::StackOverflow, "all registers are");
    assert_eq!(at(0x2000_0400, 0x2000_03E4), FaultKind::Data);
    assert_eq!(at(0x2000_0480, 0x2000_03FC), FaultKind::Data, "a variable of the neighbour's");
    assert_eq!(at(0x2000_0480, 0x2000_0000), FaultKind::Data);
    assert_eq!(at(0x2000_0480, 0x1FFF_FFFC), FaultKind::Data, "nobody's stack");
}

#[test]
fn stack_pointers_under_which_there_is_no_frame() {
    let at = |stack_pointer, causes| {
        let stacking = |cause| decode(Status { causes: cause | causes, stack_pointer, ..CALM });
        let told = stacking(1 << 4);
        for cause in [1 << 3, 1 << 11, 1 << 12] {
            assert_eq!(stacking(cause), told);
        }
        assert_eq!((told.1, told.2), (stack_pointer, 0));
        told.0
    };
    for causes in [0, DATA | PROTECTED_VALID, UNDEFINED, BUS_PRECISE | BUS_VALID, 1 << 25] {
        assert_eq!(at(0x2000_03F0, causes), FaultKind::StackOverflow);
        assert_eq!(at(0x2000_0300, causes), FaultKind::StackOverflow);
        assert_eq!(at(0x2000_02FC, causes), FaultKind::StackPointer);
        assert_eq!(at(0x1000_0000, causes), FaultKind::StackPointer);
        assert_eq!(at(0x2000_0800, causes), FaultKind::StackPointer);
        assert_eq!(at(0x2000_07F0, causes), FaultKind::StackPointer, "half of the frame fits, at the top");
    }
}

/// A device takes what is stacked, and has something else when it is asked.
#[test]
fn a_frame_that_is_not_on_the_stack_is_not_read() {
    let at = |stack_pointer| Status { causes: UNDEFINED, stack_pointer, ..CALM };
    for place in [0, 0x4000_4000, 0x2000_07E8, 0x2000_0800, 0xFFFF_FFE0] {
        assert_eq!(decode(at(place)), (FaultKind::StackPointer, place, 0));
    }
    assert!(!at(0x2000_0400).is_without_frame() && !at(0x2000_07E0).is_without_frame());
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
    let kind = |code| undefined.decode(Some(0x8000), |_| code).kind;
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

/// A frame that doesn't fit isn't stacked, and the stack pointer is at the limit then.
#[test]
fn limits_of_stacks_and_the_other_security_state() {
    let told = |causes, stack_pointer, instruction| {
        let fault = Status { causes, stack_pointer, ..CALM }.told_by_limits(instruction)?;
        Some((fault.kind, fault.address, fault.instruction))
    };
    let overflow = |pointer, instruction| Some((FaultKind::StackOverflow, pointer, instruction));
    assert_eq!(told(STACK_LIMIT, 0x2000_0400, None), overflow(0x2000_0400, 0));
    assert_eq!(told(STACK_LIMIT, 0x2000_0420, Some(0x8000)), overflow(0x2000_0420, 0x8000));
    assert_eq!(told(STACK_LIMIT | DATA, 0x2000_0420, Some(0x8000)), overflow(0x2000_0420, 0x8000));
    for causes in [0, STACK_LIMIT, UNDEFINED] {
        assert_eq!(told(causes, 0, None), Some((FaultKind::Instruction, 0, 0)));
    }
    for causes in [0, DATA | PROTECTED_VALID, UNDEFINED, 1 << 4] {
        assert_eq!(told(causes, 0x2000_0480, Some(0x8000)), None);
        assert_eq!(told(causes, 0x2000_02FC, None), None);
    }
}
