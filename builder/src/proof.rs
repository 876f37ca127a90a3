//! The proof: what the analysis says about a project, and what a reader has to know to understand it.

mod believed;
mod counted_modes;
mod demands;
mod enforced;
mod heaviest_instant;
pub mod judge;
mod latency;
mod lateness;
mod links;
mod modes;
mod offsets;
mod ranges;
mod relied;
mod run;
mod stopped;
mod unproved;
mod woken;

pub use crate::certificate::{
    Accepted, Uncertifiable, Uncertified, certified, certify, check, read_and_check,
};
pub use crate::costs::{Kind, most_waiting};
pub use crate::load::{Restarts, Stop, budget, restarts, system};
pub use crate::supply::Supply;

pub use believed::{believed, believed_charges};
pub use counted_modes::{out_of_step, together};
pub use demands::{Demand, demands};
pub use enforced::{Enforced, Prompt, answering, enforced, policed, prompt, separated};
pub use heaviest_instant::{HeavyRun, heavy_run};
pub use latency::{ChainTimes, Chains, chains};
pub use lateness::lateness;
pub use modes::{Proved, Question, in_turn, modal, prove};
pub use offsets::{MOST_THREADS, Shift, movable, offsets};
pub use ranges::ranges;
pub use relied::{Reliance, relied};
pub use run::{Run, Searched, Visit, shortest_run};
pub use stopped::{Room, Stopped, stopped};
pub use unproved::{Doubt, doubts, unproved, without_times};
pub use woken::woken;
