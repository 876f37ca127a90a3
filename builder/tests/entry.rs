//! The entry code of a linked kernel against the table of calls: each number leads to its own call, or to where all go.

use std::collections::BTreeSet;
use std::path::Path;

use beryl_abi::CallNumber;
use beryl_builder::image::kernel_alone;
use beryl_builder::{Project, Variant};
use object::{Object, ObjectSection, ObjectSymbol};

/// `bx lr`: back to user mode.
const LEAVES: u16 = 0x4770;
/// `tbb [pc, r0]`: a jump by half the way that the byte behind it names.
const TABLE_BRANCH: [u16; 2] = [0xE8DF, 0xF000];
/// `mov r0, r12`: the fourth argument becomes the first.
const MOVE: u16 = 0x4660;

/// A linked program's code and its functions.
struct Linked {
    base: u32,
    code: Vec<u8>,
    /// Several may be one: what a system hasn't is refused by the same code.
    functions: BTreeSet<(u32, String)>,
}

impl Linked {
    fn of(elf: &[u8]) -> Linked {
        let file = object::File::parse(elf).expect("a linked kernel");
        let text = file.section_by_name(".text").expect("code");
        let address = |address: u64| u32::try_from(address).expect("an address of 32 bits");
        let named = file
            .symbols()
            .filter_map(|symbol| Some((address(symbol.address()) & !1, symbol.name().ok()?.to_owned())));
        // Marks of the linker's own have no size and stand where functions do.
        let functions = named.filter(|(_, name)| name.starts_with("beryl_") || name == "SVCall").collect();
        Linked { base: address(text.address()), code: text.data().expect("bytes").to_vec(), functions }
    }

    fn half(&self, address: u32) -> u16 {
        let at = usize::try_from(address - self.base).expect("within the code");
        u16::from_le_bytes([self.code[at], self.code[at + 1]])
    }

    fn byte(&self, address: u32) -> u8 {
        self.code[usize::try_from(address - self.base).expect("within the code")]
    }

    /// Where the branch at an address leads: one with a link, or one without.
    fn branch(&self, at: u32) -> u32 {
        let (first, second) = (u32::from(self.half(at)), u32::from(self.half(at + 2)));
        let offset = match first >> 11 {
            0b11100 => ((first & 0x7FF) << 21).cast_signed() >> 20,
            0b11110 => {
                let sign = first >> 10 & 1;
                let [upper, lower] = [second >> 13 & 1, second >> 11 & 1].map(|bit| !(bit ^ sign) & 1);
                let word =
                    sign << 24 | upper << 23 | lower << 22 | (first & 0x3FF) << 12 | (second & 0x7FF) << 1;
                (word << 7).cast_signed() >> 7
            }
            other => panic!("{at:#x} holds no branch: {other:#b}"),
        };
        (at + 4).wrapping_add_signed(offset)
    }
}

/// `SemaphoreWait` as a function is called.
fn function(call: CallNumber) -> String {
    let mut name = String::from("beryl");
    for letter in format!("{call:?}").chars() {
        if letter.is_uppercase() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    if call == CallNumber::Yield { name + "_now" } else { name }
}

#[test]
fn each_number_leads_to_its_own_call_or_to_where_all_go() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace");
    let project = Project::load(&root.join("bench/objects"), Variant::default()).expect("it is right");
    let elf = kernel_alone(&project).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let linked = Linked::of(&elf);
    let entry = linked.functions.iter().find(|(_, name)| *name == "SVCall").map(|(address, _)| *address);
    let entry = entry.expect("calls enter at SVCall");
    let calls = u8::try_from(CallNumber::ALL.len()).expect("few");
    assert_eq!(
        linked.half(entry),
        0x2800 | u16::from(calls),
        "what is compared first is how many calls there are"
    );
    let jump =
        (entry..entry + 8).step_by(2).find(|at| [linked.half(*at), linked.half(at + 2)] == TABLE_BRANCH);
    let ways = jump.expect("a jump by a table") + 4;
    for (index, call) in (0..).zip(CallNumber::ALL) {
        let mut at = ways + 2 * u32::from(linked.byte(ways + index));
        if *call == CallNumber::Null {
            assert_eq!(linked.half(at), LEAVES, "it leaves at once");
            continue;
        }
        let (own, moved) = (call.has_own_way(), linked.half(at) == MOVE);
        at += if moved { 2 } else { 0 };
        let expected = if own { function(*call) } else { "beryl_call".to_owned() };
        let target = (linked.branch(at), expected);
        assert!(linked.functions.contains(&target), "{call:?} doesn't lead to {target:x?}");
        assert_eq!(moved, own && !call.registers()[3].is_empty(), "{call:?}: r12");
    }
}
