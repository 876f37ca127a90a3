//! Endpoints: the server runs at the urgency of who calls, and who calls later but more urgently lends its own.

use beryl_user::endpoint::{Client, Server};
use beryl_user::period::Period;

use crate::work;

/// Serves for 1.4 ms a request.
pub fn server(mut store: Server<i32, i32>) -> ! {
    store.serve(|request| {
        work(1_400);
        request.wrapping_add(1)
    })
}

/// Asks in the middle of its job.
pub fn asker(mut period: Period, mut store: Client<i32, i32>) -> ! {
    let mut value = 0;
    loop {
        work(200);
        value = store.call(&value).unwrap_or_default();
        work(350);
        period.wait();
    }
}

/// Asks at once; the most urgent.
pub fn eager(mut period: Period, mut store: Client<i32, i32>) -> ! {
    loop {
        let _ = store.call(&7);
        work(150);
        period.wait();
    }
}

/// Asks nobody, between the two.
pub fn passer(mut period: Period) -> ! {
    loop {
        work(650);
        period.wait();
    }
}
