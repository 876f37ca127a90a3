//! The six kernels that are compared: direct or full scheduling, each with three queues.

use crate::rules::{Benno, DirectBenno, DirectEager, DirectLazy, FullEager, FullLazy, Rules};

/// Their names, in the order in which they are compared.
pub const NAMES: [&str; 6] =
    [DirectLazy::NAME, DirectEager::NAME, DirectBenno::NAME, FullLazy::NAME, FullEager::NAME, Benno::NAME];

/// What is done with each kernel.
pub trait Compare {
    /// Does it with the kernel of these rules.
    fn with<R: Rules>(&mut self);
}

/// Does something with all kernels, in their order.
pub fn each(compare: &mut impl Compare) {
    compare.with::<DirectLazy>();
    compare.with::<DirectEager>();
    compare.with::<DirectBenno>();
    compare.with::<FullLazy>();
    compare.with::<FullEager>();
    compare.with::<Benno>();
}
