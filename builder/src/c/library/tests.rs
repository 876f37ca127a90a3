//! What of the C library is let through, by names.

use super::*;

const ALL: Check<'_> = Check {
    has_library: true,
    all_in_c: true,
    headers: &["double beryl_sin(double x);\nvoid letters_send(void);"],
};

fn said(check: &Check<'_>, name: &str) -> Option<String> {
    check.one("a.c", plain(name)).err().map(|error| format!("{error:?}"))
}

#[test]
fn functions_are_let_through_or_refused_with_what_is_instead() {
    for name in ["strlen", "memcpy", "__isoc99_sscanf", "letters_send", "__aeabi_uldivmod", "_ctype_"] {
        assert_eq!(said(&ALL, name), None, "{name}");
    }
    let refused = [
        ("malloc", "memory pool"),
        ("printf", "beryl_print"),
        ("__errno_location", "`strtol` and its like"),
        ("__isoc23_strtol", "in C17, or call `beryl_strtol`"),
        ("sin", "`beryl_sin`"),
        ("qsort", "compare equal"),
        ("ring", "neither in the files of [c]"),
    ];
    for (name, instead) in refused {
        let said = said(&ALL, name).unwrap_or_default();
        assert!(said.contains(instead), "{name}: {said}");
    }
}

#[test]
fn without_a_library_only_what_compilers_call_is_there() {
    let none = Check { has_library: false, ..ALL };
    assert_eq!(said(&none, "memcpy"), None);
    for name in ["strlen", "strtol"] {
        let said = said(&none, name).unwrap_or_default();
        assert!(said.contains("library = \\\"picolibc\\\""), "{said}");
    }
}

/// In Rust anything may be defined, which the linker sees.
#[test]
fn beside_rust_a_name_that_nobody_knows_is_left_to_the_linker() {
    let beside = Check { all_in_c: false, ..ALL };
    assert_eq!(said(&beside, "ring"), None);
    assert!(said(&beside, "malloc").is_some());
}
