//! No bytes from C, with no address: nothing is touched and nobody is asked.

use core::ptr;

use beryl_user::c;

use crate::script::{Script, WORDS};

#[test]
fn no_bytes_need_no_address() {
    let host = Script::without_kernel(WORDS);
    // SAFETY: there is nothing at the addresses, and nothing is said to be there.
    let ((), events) = host.run(|| unsafe {
        c::print(ptr::null(), 0);
        c::environment_read(3, ptr::null_mut(), 0);
        c::environment_write(3, ptr::null(), 0);
    });
    assert_eq!(events, []);
}
