//! Lines: what a client makes of words, the server makes of a line.

use console::{line, text};

#[test]
fn the_server_writes_what_the_client_said() {
    let said = |name, number| text(&line(name, number)).map(char::from).collect::<String>();
    assert_eq!(said("alpha", 7), "alpha 7\n");
    assert_eq!(said("", u32::MAX), " 4294967295\n");
}

#[test]
fn what_is_too_long_is_cut_off() {
    let name = "abcdefghijklmnopqrstuvwxyz0123456789";
    let written: Vec<u8> = text(&line(name, 1)).collect();
    assert_eq!(written, [&name.as_bytes()[..32], b"\n"].concat());
}
