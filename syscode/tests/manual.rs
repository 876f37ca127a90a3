//! The manual page shows the instruction table, and nothing else.
//!
//! `BERYL_BLESS=1 cargo test -p beryl-syscode --test manual` writes the table into the page: read it before
//! you keep it.

use std::path::Path;
use std::{env, fs};

use beryl_syscode::manual::Manual;

const BEGIN: &str = "<!-- from the instruction table -->\n";
const END: &str = "<!-- end of the instruction table -->\n";

#[test]
fn the_manual_page_shows_the_instruction_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference/system-code.md");
    let page = fs::read_to_string(&path).expect("the manual page");
    let (before, rest) = page.split_once(BEGIN).expect("the mark before the table");
    let (found, after) = rest.split_once(END).expect("the mark behind the table");
    let expected = format!("\n{Manual}\n");
    if env::var_os("BERYL_BLESS").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{expected}{END}{after}")).expect("the page can be written");
        return;
    }
    assert_eq!(found, expected, "{} doesn't show the instruction table", path.display());
}
