//! The misdeeds of a board's interpreter: how they are drawn, and what is to be told of them.

use beryl_abi::call::{FOREVER, LONGEST_WAIT, Operand, POLL};
use beryl_abi::{CallNumber, FaultKind};
use beryl_testing::{Draw, SplitMix64 as Random};

/// What the interpreter knows, by the numbers in `kernel/boards/mps2-an385/hostile/app/src/interpreter.rs`.
pub const WHATS: [&str; 22] = [
    "call with any registers",
    "spin",
    "unknown instruction",
    "panic",
    "breakpoint",
    "division by zero",
    "unaligned load of two",
    "stray load",
    "stray store",
    "wild jump",
    "deep recursion",
    "forged word of kernel and thread",
    "store to its own stack",
    "interrupts off, or barriers",
    "sleep",
    "flood of one call",
    "call about what it has no right to",
    "flood against its limit",
    "wild timeout",
    "clock in a loop",
    "forged word of a lock or state message",
    "register of machine mode",
];

const CALL: u32 = 0;
const SPIN: u32 = 1;
const FORGE: u32 = 11;
const OWN_STORE: u32 = 12;
const INTERRUPTS_OFF: u32 = 13;
const SLEEP: u32 = 14;
const FLOOD: u32 = 15;
pub const STRANGER: u32 = 16;
const BEYOND: u32 = 17;
const WAIT: u32 = 18;
const CLOCK: u32 = 19;
const FORGE_SHARED: u32 = 20;
const MACHINE_MODE: u32 = 21;
/// How many registers and instructions of machine mode there are to try.
const OF_MACHINE_MODE: usize = 10;

/// Where nothing is on any board.
const NOWHERE: u32 = 0x7000_0000;
const NO_DEVICE: u32 = 0x4800_0000;
/// A register of Arm's protection unit.
const PROTECTION: u32 = 0xE000_ED94;

/// What is told of a misdeed.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// Nothing: the thread goes on.
    Nothing,
    /// A fault at an address.
    Exactly(FaultKind, u32),
    /// A fault, somewhere.
    OfKind(FaultKind),
    /// A fault of any kind.
    Some,
    /// A fault or nothing.
    Perhaps,
}

/// Where there is something to reach for.
pub struct Around {
    /// Whether the processor is one of Arm's; otherwise it is a RISC-V.
    pub is_arm: bool,
    /// The kernel's clock, which the hostile process may read.
    pub clock: u32,
    pub kernel: u32,
    pub text: u32,
    pub published: u32,
    pub others: Vec<u32>,
    pub own: u32,
    /// Words of locks and state messages that the hostile process may write.
    pub shared: Vec<u32>,
    /// Calls about objects to which it has no right: of each kind, and of numbers that no object has.
    pub strangers: Vec<(CallNumber, u8)>,
    /// Calls that have a limit.
    pub limited: Vec<(CallNumber, u8)>,
}

/// A misdeed.
#[derive(Clone, Copy, Debug)]
pub struct Misdeed {
    pub what: u32,
    stack_pointer: u32,
    registers: [u32; 5],
    pub expected: Expected,
}

impl Misdeed {
    /// As the interpreter reads it, where hostile stacks end so many bytes from a multiple of the second number.
    pub fn words(&self, number: u32, [end, grain]: [u32; 2]) -> [u32; 8] {
        let [r0, r1, r2, r3, r12] = self.registers;
        [self.what | end << 8 | grain << 20, self.stack_pointer, r0, r1, r2, r3, r12, number]
    }

    /// Whether any fault may follow from it later.
    pub fn breaks(&self) -> bool {
        matches!(self.what, FORGE | OWN_STORE)
    }

    /// Mostly calls; what ends the thread is seldom.
    pub fn draw(around: &Around, random: &mut Random) -> Misdeed {
        match random.below(1000) {
            0..400 => Misdeed::call(CALL, around, random),
            400..540 => Misdeed::stranger(around, random),
            540..600 => Misdeed::beyond(around, random),
            600..640 => Misdeed::wait(random),
            640..665 => Misdeed::clock(random),
            665..700 => Misdeed::forge_shared(around, random),
            700..760 => Misdeed::call(FLOOD, around, random),
            760..820 => Misdeed::plain(FORGE, [word(random), word(random)]),
            820..823 => Misdeed {
                expected: Expected::Perhaps,
                ..Misdeed::plain(OWN_STORE, [word(random), word(random)])
            },
            823..860 => Misdeed::plain(INTERRUPTS_OFF, [0, 0]),
            860..880 => Misdeed::plain(SLEEP, [random.under(2_000) as u32, 0]),
            // A thread without a budget comes back sooner.
            880..910 => Misdeed::plain(SPIN, [random.under(1 << 21) as u32, 0]),
            910..985 => Misdeed::allowed(around, random),
            985..990 => {
                Misdeed { expected: Expected::OfKind(FaultKind::StackOverflow), ..Misdeed::plain(10, [1, 0]) }
            }
            _ => Misdeed::fault(around, random),
        }
    }

    fn plain(what: u32, [r0, r1]: [u32; 2]) -> Misdeed {
        Misdeed { what, stack_pointer: 0, registers: [r0, r1, 0, 0, 0], expected: Expected::Nothing }
    }

    fn call(what: u32, around: &Around, random: &mut Random) -> Misdeed {
        let last = CallNumber::ALL.len();
        let number = match random.below(16) {
            0 => word(random),
            _ => random.below(last + 1) as u32,
        };
        let stops = number == CallNumber::Stop as u32 && random.below(64) > 0;
        let number = if stops { CallNumber::Null as u32 } else { number };
        let operand = match random.below(8) {
            0 => word(random),
            1 => random.below(256) as u32,
            2 => random.below(8) as u32 | (random.below(8) as u32) << 8,
            _ => random.below(8) as u32,
        };
        let timeout = match random.below(32) {
            0 => FOREVER,
            1 => word(random),
            2..6 => random.below(2_000) as u32,
            _ => POLL,
        };
        let [second, third] = [(); 2].map(|()| argument(around, random));
        Misdeed {
            what,
            stack_pointer: 0,
            registers: [number, operand, second, third, timeout],
            // Who stops while it is raised has faulted.
            expected: if number == CallNumber::Stop as u32 { Expected::Perhaps } else { Expected::Nothing },
        }
    }

    /// A call that has to be refused, since it is about something of others.
    fn stranger(around: &Around, random: &mut Random) -> Misdeed {
        let (number, object) = around.strangers[random.below(around.strangers.len())];
        let timeout = if random.below(2) == 0 { POLL } else { FOREVER };
        Misdeed::asks(
            STRANGER,
            number,
            object.into(),
            [argument(around, random), argument(around, random)],
            timeout,
        )
    }

    /// As many requests at once as it can make, where it may make a few.
    fn beyond(around: &Around, random: &mut Random) -> Misdeed {
        let (number, object) = around.limited[random.below(around.limited.len())];
        Misdeed::asks(BEYOND, number, object.into(), [8 + random.below(24) as u32, 0], POLL)
    }

    /// A wait with a time limit that is too long, just not, or nearly for ever.
    fn wait(random: &mut Random) -> Misdeed {
        const WAITS: [CallNumber; 6] = [
            CallNumber::SemaphoreWait,
            CallNumber::MailboxReceive,
            CallNumber::NotificationWait,
            CallNumber::EndpointReceive,
            CallNumber::ConditionWait,
            CallNumber::SleepUntil,
        ];
        let number = WAITS[random.below(WAITS.len())];
        let timeout = match random.below(64) {
            0 => LONGEST_WAIT,
            1..32 => LONGEST_WAIT + 1 + random.below(9) as u32,
            32..48 => FOREVER - 1 - random.below(9) as u32,
            _ => 1 + random.below(500) as u32,
        };
        // An instant: long past, or far beyond what a timer holds.
        let instant = if number == CallNumber::SleepUntil {
            [word(random), random.below(2) as u32 * 9]
        } else {
            [0, 0]
        };
        Misdeed::asks(WAIT, number, random.below(4) as u32, instant, timeout)
    }

    fn clock(random: &mut Random) -> Misdeed {
        let number = [CallNumber::Time, CallNumber::ExecutionTime][random.below(2)];
        Misdeed::asks(CLOCK, number, 32 + random.below(200) as u32, [0, 0], POLL)
    }

    /// The lock's word is one that the thread may hold: what follows of it is its own.
    fn forge_shared(around: &Around, random: &mut Random) -> Misdeed {
        let address = around.shared[random.below(around.shared.len())];
        Misdeed::plain(FORGE_SHARED, [address, word(random)])
    }

    fn asks(what: u32, number: CallNumber, operand: u32, [second, third]: [u32; 2], timeout: u32) -> Misdeed {
        let registers = [number as u32, operand, second, third, timeout];
        Misdeed { what, stack_pointer: 0, registers, expected: Expected::Nothing }
    }

    /// The call that it makes, and what that is about, if it is one.
    pub fn asked(&self) -> Option<(u32, u8)> {
        let [number, operand, ..] = self.registers;
        let is_call = [CALL, FLOOD, STRANGER, BEYOND, WAIT, CLOCK].contains(&self.what);
        is_call.then_some((number, Operand(operand).number()))
    }

    /// A load or store that is its own, or that everybody may do.
    fn allowed(around: &Around, random: &mut Random) -> Misdeed {
        let offset = random.below(4) as u32 * 4;
        // What follows in the interpreter is an instruction that doesn't exist: so it is told that the access was well.
        let what = if random.below(2) == 0 { 7 } else { 8 };
        let address = match what {
            7 => [around.published, around.text, around.own][random.below(3)].wrapping_add(offset),
            _ => around.own.wrapping_add(128 + offset),
        };
        match random.below(12) {
            0 => Misdeed {
                expected: Expected::OfKind(FaultKind::Instruction),
                ..Misdeed::plain(what, [address, 0])
            },
            _ => Misdeed::plain(INTERRUPTS_OFF, [0, 0]),
        }
    }

    /// What ends the thread: with its own stack pointer, or with any other.
    fn fault(around: &Around, random: &mut Random) -> Misdeed {
        let other =
            around.others[random.below(around.others.len())].wrapping_add(random.below(32) as u32 * 4);
        let kernel = around.kernel.wrapping_add(random.below(1000) as u32 * 4);
        let exactly = |what, kind, told, address| Misdeed {
            expected: Expected::Exactly(kind, told),
            ..Misdeed::plain(what, [address, 0])
        };
        let anywhere = [0x100, NOWHERE, NO_DEVICE, other, kernel][random.below(5)];
        let misdeed = match random.below(14) {
            0 => exactly(2, FaultKind::Instruction, 0, 0),
            1 => exactly(3, FaultKind::Panic, 0, 0),
            2 => exactly(4, FaultKind::Instruction, 0, 0),
            3 if around.is_arm => exactly(5, FaultKind::Usage, 0, 1),
            // Nothing is wrong with a division by zero, but with what follows.
            3 => exactly(5, FaultKind::Instruction, 0, 1),
            4 => Misdeed { expected: Expected::Some, ..Misdeed::plain(6, [other | 1, 0]) },
            5 | 6 => exactly(7, FaultKind::Data, anywhere, anywhere),
            7..10 => exactly(8, FaultKind::Data, anywhere, anywhere),
            10 => {
                let address = [around.text, around.published, around.clock][random.below(3)];
                exactly(8, FaultKind::Data, address, address)
            }
            11 if around.is_arm => exactly(8, FaultKind::Privilege, PROTECTION, PROTECTION),
            11 => exactly(MACHINE_MODE, FaultKind::Instruction, 0, random.below(OF_MACHINE_MODE) as u32),
            // To Arm state, or to what may not be executed.
            12 if around.is_arm => exactly(9, FaultKind::Usage, 0, around.text),
            12 => exactly(9, FaultKind::Execute, around.own, around.own),
            _ => {
                let address = [0x100, NOWHERE, other & !3, kernel & !3][random.below(4)];
                Misdeed { expected: Expected::Some, ..Misdeed::plain(9, [address | 1, 0]) }
            }
        };
        if random.below(2) == 0 {
            return misdeed;
        }
        let elsewhere = [
            NOWHERE,
            NO_DEVICE,
            0x140,
            0xFFFF_FFFC,
            around.text + 0x40,
            kernel,
            other,
            PROTECTION,
            around.published,
        ];
        // From far below the stack to behind its end.
        let pointer = match random.below(2) {
            0 => 1 + random.below(2_000) as u32,
            _ => elsewhere[random.below(elsewhere.len())],
        };
        Misdeed { stack_pointer: pointer, expected: Expected::Some, ..misdeed }
    }
}

/// A small number, an address in somebody's memory, or anything.
fn argument(around: &Around, random: &mut Random) -> u32 {
    let somebody = [
        around.own,
        around.kernel,
        around.published,
        around.text,
        around.others[random.below(around.others.len())],
    ];
    match random.below(4) {
        0 => random.below(40) as u32,
        1 => word(random),
        _ => somebody[random.below(somebody.len())].wrapping_add(random.below(64) as u32 * 4),
    }
}

fn word(random: &mut Random) -> u32 {
    (random.next() >> 32) as u32
}
