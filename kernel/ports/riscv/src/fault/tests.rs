//! Each cause of a fault, as the registers tell it.

use super::*;

const CALM: Status =
    Status { cause: 0, value: 0, instruction: 0x8000, stack_pointer: 0x8040_0480, stack_bottom: 0x8040_0400 };

fn decode(status: Status) -> (FaultKind, u32, u32) {
    let fault = status.decode(false, |_| panic!("the code must not be read"));
    (fault.kind, fault.address, fault.instruction)
}

#[test]
fn accesses_and_jumps() {
    let [read, write] = [LOAD, STORE].map(|cause| Status { cause, value: 0x8040_0C00, ..CALM });
    assert_eq!([read, write].map(|status| status.is_write()), [Some(false), Some(true)]);
    assert_eq!(decode(read), (FaultKind::Data, 0x8040_0C00, 0x8000));
    assert_eq!(decode(write), (FaultKind::Data, 0x8040_0C00, 0x8000));
    let fault = write.decode(true, |_| panic!("the code must not be read"));
    assert_eq!((fault.kind, fault.address), (FaultKind::Bus, 0x8040_0C00), "it may, but nobody is there");
    let jump = Status { cause: FETCH, value: 0x10, instruction: 0x10, ..CALM };
    assert_eq!((decode(jump), jump.is_write()), ((FaultKind::Execute, 0x10, 0), None));
}

#[test]
fn what_is_below_the_stack_is_an_overflow_if_the_stack_pointer_is_there_too() {
    let at = |stack_pointer, value| decode(Status { cause: STORE, value, stack_pointer, ..CALM }).0;
    assert_eq!(at(0x8040_03E0, 0x8040_03FC), FaultKind::StackOverflow);
    assert_eq!(at(0x8040_03E0, 0x8040_03E0), FaultKind::StackOverflow);
    assert_eq!(at(0x8040_0000, 0x8040_0004), FaultKind::StackOverflow, "by however much");
    assert_eq!(at(0x8040_03E0, 0x8040_03DC), FaultKind::Data, "below what the function has made room for");
    assert_eq!(at(0x8040_0480, 0x8040_03FC), FaultKind::Data, "a variable of the neighbour's");
}

#[test]
fn instructions() {
    let at = |cause, code: u32| Status { cause, ..CALM }.decode(false, |_| code).kind;
    assert_eq!(at(ILLEGAL, PANIC), FaultKind::Panic);
    assert_eq!(at(ILLEGAL, 0x3020_0073), FaultKind::Instruction, "mret");
    assert_eq!(at(BREAKPOINT, 0), FaultKind::Instruction);
    assert_eq!(
        decode(Status { cause: 4, value: 0x8040_0401, ..CALM }),
        (FaultKind::Usage, 0x8040_0401, 0x8000)
    );
}
