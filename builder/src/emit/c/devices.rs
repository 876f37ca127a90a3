//! Where the registers of processes' devices are, for functions in C on the board. In the simulation there are none.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::assembly::Assembly;
use crate::board::Board;
use crate::emit::File;

/// Where the header is, in the system's folder.
pub const HEADER: &str = "c/devices.h";

/// The header: the first address and the bytes of each device that a process has.
#[must_use]
pub fn header(assembly: &Assembly, board: &Board) -> File {
    let mut text = "/* Devices of processes on this board: where their registers begin, and how many bytes they are. Only threads of a \
                    process with the device\n   may touch them; others are stopped. In the simulation there are no devices, and none \
                    of these names. Written by the builder; changes are lost. */\n#pragma once\n#pragma GCC system_header\n"
        .to_owned();
    let names: BTreeSet<_> = assembly.processes.iter().flat_map(|process| &process.devices).collect();
    for device in names.into_iter().filter_map(|name| board.device(name)) {
        let (name, interval) = (device.name.to_ascii_uppercase(), device.interval);
        let _ = write!(
            text,
            "\n#define BERYL_DEVICE_{name} UINT32_C({:#010x})\n#define BERYL_DEVICE_{name}_BYTES UINT32_C({})\n",
            interval.base,
            interval.limit.saturating_sub(interval.base)
        );
    }
    File::new(HEADER, text)
}
