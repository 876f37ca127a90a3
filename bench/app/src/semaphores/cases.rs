//! The holders, each with the name of its case: the band's policy and how many threads it has.

use beryl_user::notification::{Notification, Notifier};
use beryl_user::semaphore::Binary;

use crate::semaphores::cycle;

macro_rules! holders {
    ($($name:ident $policy:literal $threads:literal,)+) => {$(
        /// Thread, less urgent: holds the semaphore while the event happens.
        #[inline(always)]
        pub fn $name(event: Notifier, resource: Binary<()>) -> ! {
            let cases = [
                concat!("early/", $policy, "/", $threads),
                concat!("standard/", $policy, "/", $threads),
                concat!("alone/", $policy, "/", $threads),
            ];
            cycle::hold(cases, event, resource)
        }
    )+};
}

holders! {
    dynamic_3 "dynamic" 3,
    dynamic_5 "dynamic" 5,
    dynamic_10 "dynamic" 10,
    dynamic_15 "dynamic" 15,
    dynamic_20 "dynamic" 20,
    dynamic_25 "dynamic" 25,
    dynamic_30 "dynamic" 30,
    fixed_3 "fixed" 3,
    fixed_5 "fixed" 5,
    fixed_10 "fixed" 10,
    fixed_15 "fixed" 15,
    fixed_20 "fixed" 20,
    fixed_25 "fixed" 25,
    fixed_30 "fixed" 30,
}

/// Thread, urgent: wants the semaphore when the event has happened.
#[inline(always)]
pub fn contender(event: Notification, resource: Binary<()>) -> ! {
    cycle::contend(event, resource)
}
