//! The program at the other end of an emulated board's wire: it listens on a Unix socket, asks, and tells what was answered.
#![forbid(unsafe_code)]

use std::error::Error;
use std::os::unix::net::UnixListener;
use std::process::ExitCode;

use ethernet_peer::serve;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [socket] = arguments.as_slice() else {
        println!(
            "Usage: ethernet-peer SOCKET\n\nExample:  ethernet-peer /tmp/wire &  beryl run examples/ethernet --network /tmp/wire"
        );
        return Ok(ExitCode::from(if arguments.is_empty() { 0 } else { 2 }));
    };
    let listener = UnixListener::bind(socket).map_err(|reason| {
        format!("can't listen at {}: {reason}; if a file is there, remove it", socket.display())
    })?;
    println!("listening at {}", socket.display());
    let (wire, _) = listener.accept()?;
    let host = serve(wire)?;
    drop(listener);
    std::fs::remove_file(socket)?;
    let [told, received] = host.told;
    println!("the board has told {told} times, of {received} frames the last time");
    for (what, tally) in [("pings", &host.pings), ("datagrams", &host.datagrams)] {
        println!("{what}: {} of {} answered", tally.answered(), tally.0.len());
    }
    host.wrong.iter().for_each(|wrong| println!("wrong: {wrong}"));
    Ok(ExitCode::from(u8::from(!host.wrong.is_empty())))
}
