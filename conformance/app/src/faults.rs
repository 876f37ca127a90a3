//! Faults: threads that panic with a semaphore in hand and with a request to answer, and those who go on.

use beryl_user::endpoint::{Client, Server};
use beryl_user::period::Period;
use beryl_user::semaphore::Binary;

use crate::work;

/// Panics in its third job, inside.
pub fn dying_owner(mut period: Period, mut shared: Binary<()>) -> ! {
    let mut job = 0_u32;
    loop {
        if let Ok(held) = shared.wait() {
            work(1_300);
            job += 1;
            assert!(job < 3, "the third job goes wrong");
            drop(held);
        }
        period.wait();
    }
}

/// Waits for the semaphore, and does more if its last owner has stopped.
pub fn heir(mut period: Period, mut shared: Binary<()>) -> ! {
    loop {
        work(250);
        if let Ok(held) = shared.wait() {
            work(if held.owner_died() { 930 } else { 180 });
            drop(held);
        }
        period.wait();
    }
}

/// Panics at its fourth request.
pub fn dying_server(mut store: Server<i32, i32>) -> ! {
    store.serve(|request| {
        work(560);
        assert!(request < 3, "the fourth request goes wrong");
        request + 1
    })
}

/// Calls, and does more if nobody answers.
pub fn caller(mut period: Period, mut store: Client<i32, i32>) -> ! {
    let mut value = 0;
    loop {
        work(130);
        match store.call(&value) {
            Ok(answer) => value = answer,
            Err(_) => work(770),
        }
        period.wait();
    }
}

/// Goes on.
pub fn steady(mut period: Period) -> ! {
    loop {
        work(410);
        period.wait();
    }
}
