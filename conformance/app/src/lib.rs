//! The code of the conformance suite's systems: each shows one mechanism, on every host of the kernel alike.
//!
//! A file is a system; its `beryl.toml` names these functions. Time is used with [`work`], which takes as
//! long on a board as in the simulator, so that all events come in one order on both.
#![no_std]
#![forbid(unsafe_code)]

mod bands;
pub mod bell;
mod carrier;
mod ceiling;
mod changes;
mod conditions;
mod endpoint;
mod event_groups;
mod events;
mod faults;
mod inheritance;
mod interrupts;
mod late;
mod mailbox;
mod priorities;
mod program;
mod reactions;
mod records;
mod shared;
mod slots;
mod tasks;
mod timeouts;
mod transfers;
mod work;
mod yields;

pub use bands::{four, half, one, third, three, two};
pub use ceiling::{holder, outsider, user};
pub use changes::{
    Head, Place, Wave, far_impl, place_impl, three_impl, turn_of_the_tide, wave_impl, whole_impl,
};
pub use conditions::{filler, moody, opener, passing, waiting};
pub use endpoint::{asker, eager, passer, server};
pub use event_groups::{gathering, hasty, keeping, looking, readying};
pub use events::{changed_impl, counts, ring_impl, start_once, step_impl};
pub use faults::{caller, dying_owner, dying_server, heir, steady};
pub use inheritance::{consumer, low, middle, producer, top};
pub use interrupts::{dozer, knocker, ringer};
pub use late::{burdened, patient, strict};
pub use mailbox::{burst, impatient, reader, taker};
pub use priorities::{filing, obeying, rising, steering};
pub use program::{
    follow_impl, heavy_impl, is_seventh, lead_impl, read_count, read_in_vain, read_slowly, show, stumble_impl,
};
pub use reactions::{copy_impl, creep_impl, log_impl, plan_impl};
pub use records::{
    Leg, Point, Route, chart_impl, is_quick, is_right, read_corners, show_legs, show_point, show_route,
    turn_impl,
};
pub use shared::{auditor, follower, halves, latecomer, onlooker, publisher, surveyor};
pub use slots::changer;
pub use tasks::{blend_impl, leveller, noting, show_single, single_impl};
pub use timeouts::{asks_briefly, notifier, ponderer, sleeper, waiter, waits_for_any};
pub use transfers::transferring;
pub use work::work;
pub use yields::{brief, clock, listener, owner, polite, tenant};
