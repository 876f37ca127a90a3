//! Draws the last map of a run: `cargo run -p robot-room -- out/robot/sim/accesses.bin > map.svg`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use robot_room::{Room, maps, picture};

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("which run? say `out/robot/sim/accesses.bin`, which `beryl sim` leaves");
        return ExitCode::from(2);
    };
    let maps = std::fs::read(&file).map_err(|reason| reason.to_string()).and_then(|bytes| maps(&bytes));
    match maps.as_deref() {
        Ok([.., last]) => print!("{}", picture(last, &Room::USUAL)),
        Ok([]) => eprintln!("{file}: no whole map was sent; run it for 60 s"),
        Err(reason) => eprintln!("{file}: {reason}"),
    }
    ExitCode::from(u8::from(!matches!(maps.as_deref(), Ok([.., _]))))
}
