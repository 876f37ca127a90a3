//! Plugins for the emulator: one in which the environment answers an emulated board, one that is the bus controller of
//! an emulated node, and one that ends the turns of emulated cores.

use crate::emit::File;
use crate::emit::simulation::{World, bus, environment};
use crate::nodes::Nodes;

/// The source of the plugin with an environment.
#[must_use]
pub fn plugged(system: &str, world: &World) -> File {
    let what = format!("The environment of `{system}`");
    let text =
        library(&what, "plugged::install(id, count, arguments, environment)") + &environment(world, false);
    File::new("plugged/src/lib.rs", text)
}

/// The source of the plugin that joins nodes by their bus.
#[must_use]
pub fn coupled(nodes: &Nodes) -> File {
    let what = format!("The bus controllers of `{}`", nodes.name);
    let text = library(&what, "plugged::install_bus(id, count, arguments, &SCHEDULE)") + &bus(nodes);
    File::new("coupled/src/lib.rs", text)
}

/// The source of the plugin that ends turns of cores.
#[must_use]
pub fn turns(system: &str) -> File {
    let what = format!("The turns of the cores of `{system}`");
    File::new("turns/src/lib.rs", library(&what, "plugged::install_turns(id, count, arguments)"))
}

/// A plugin that is installed by a call.
fn library(what: &str, call: &str) -> String {
    format!(
        "//! {what}, for the emulator. Written by the builder; changes are lost.\n\
         #![allow(missing_docs)]\n\nuse std::ffi::{{c_char, c_int, c_void}};\n\nuse beryl_sim::plugged;\n\n\
         /// What the emulator asks for first.\n#[unsafe(no_mangle)]\n#[allow(non_upper_case_globals)]\n\
         pub static qemu_plugin_version: c_int = plugged::VERSION;\n\n\
         /// What the emulator calls then.\n///\n/// # Safety\n///\n/// `arguments` are `count` texts in C's form.\n#[unsafe(no_mangle)]\n\
         pub unsafe extern \"C\" fn qemu_plugin_install(\n    id: u64,\n    _about: *const c_void,\n    count: c_int,\n    \
         arguments: *const *const c_char,\n) -> c_int {{\n    // SAFETY: as the caller says.\n    \
         unsafe {{ {call} }}\n}}\n"
    )
}
