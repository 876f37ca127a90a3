//! The kernel's own devices: the clock, and the alarm.

use super::{clock, still_alive, store};

/// Where boards have the kernel's alarm, by where they have its clock's count.
const ALARMS: [(usize, usize); 4] = [
    (0x4000_0004, 0x4000_1000),
    (0x5000_0004, 0x5000_1000),
    // Its control, as on the two before.
    (0x4000_0C24, 0x4000_0000),
    // The lower half of what the count is compared with.
    (0x0200_BFF8, 0x0200_4000),
];

/// Thread: stops the alarm.
pub fn set_alarm() -> ! {
    let own = ALARMS.iter().find(|(count, _)| *count == clock::place().addr());
    if let Some((_, alarm)) = own {
        store(*alarm, 0);
    }
    still_alive("set_alarm")
}

/// Thread: sets the clock.
pub fn set_clock() -> ! {
    store(clock::place().addr(), 0);
    still_alive("set_clock")
}
