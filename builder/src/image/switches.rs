//! Checks that nothing is left to do behind a switch: a linked kernel must branch to the routine that switches threads,
//! and never call it.
//!
//! The port writes a call as the very last thing. The compiler makes a branch of it, once the thread's registers are in
//! place again (`entry.rs` there). A call would save the kernel's registers as the thread's, so a kernel with such a
//! call isn't used. A port whose switch isn't a routine has none.

use crate::board::code::{Image, ImageError, image};
use crate::board::{FLOATING_SWITCH, GO_ON, SWITCH};
use crate::error::BuildError;

/// Checks that all ways to the switch are branches.
///
/// # Errors
/// One is a call, or it is no linked kernel.
pub(super) fn check(elf: &[u8]) -> Result<(), BuildError> {
    let callers = callers(elf).map_err(|reason| BuildError::Step {
        what: "reading the kernel".to_owned(),
        output: reason.to_string(),
    })?;
    let Some(caller) = callers.first() else { return Ok(()) };
    Err(BuildError::Limit {
        message: format!("this compiler lets `{caller}` of the kernel call `{SWITCH}` and not end there, so registers would be lost"),
        proposal: "nothing of your system is wrong: use the compiler that the README names, and tell Beryl's maintainers which one did that"
            .to_owned(),
    })
}

fn callers(elf: &[u8]) -> Result<Vec<String>, ImageError> {
    let linked = Image::new(&image::parse(elf)?)?;
    // A kernel has one of the first two, or none, and one with a core of its own has the third.
    let places = [SWITCH, FLOATING_SWITCH, GO_ON].map(|name| linked.addresses(name).unwrap_or_default());
    Ok(places
        .into_iter()
        .flatten()
        .flat_map(|place| linked.calls_of(*place))
        .map(|call| linked.name(call))
        .collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use object::{Object, ObjectSection};

    use super::{Image, SWITCH, check, image};
    use crate::error::BuildError;
    use crate::image::kernel_alone;
    use crate::parsed::Variant;
    use crate::project::Project;

    /// The same kernel, in which the first wide branch to the switch is a call, which differs in a bit of its
    /// second half.
    fn with_a_call(elf: &[u8]) -> Vec<u8> {
        const LINKS: u8 = 1 << 6;
        let file = object::File::parse(elf).expect("a linked kernel");
        let (_, size) = file.section_by_name(".text").and_then(|text| text.file_range()).expect("code");
        let start = file.section_by_name(".text").and_then(|text| text.file_range()).expect("code").0;
        let place =
            image::parse(elf).and_then(|file| Image::new(&file)?.addresses(SWITCH).map(<[u32]>::to_vec));
        let [place] = place.expect("a kernel that switches")[..] else { panic!("one way out") };
        let (start, size) = (usize::try_from(start).expect("small"), usize::try_from(size).expect("small"));
        // A wide branch is 11110... 10.1...; only where one may be is the whole kernel read again.
        let may_branch = |high: usize| elf[high - 2] & 0xf8 == 0xf0 && elf[high] & 0xd0 == 0x90;
        for high in (start + 3..start + size).step_by(2).filter(|high| may_branch(*high)) {
            let mut changed = elf.to_vec();
            changed[high] |= LINKS;
            let file = image::parse(&changed).expect("still a kernel");
            if !Image::new(&file).expect("code").calls_of(place).is_empty() {
                return changed;
            }
        }
        panic!("no wide branch leads to the switch");
    }

    #[test]
    fn a_kernel_that_calls_the_switch_is_refused() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace");
        let project = Project::load(&root.join("bench/objects"), Variant::default()).expect("it is right");
        let elf = kernel_alone(&project).expect("it compiles");
        check(&elf).expect("all ways to the switch are branches");
        match check(&with_a_call(&elf)) {
            Err(BuildError::Limit { message, .. }) => {
                assert!(message.contains("and not end there, so registers would be lost"), "{message}");
            }
            other => panic!("{other:?}"),
        }
    }
}
