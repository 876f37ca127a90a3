//! Reference models, in the plainest code: of threads and the objects that they wait for, and of the
//! E machine. `twins` runs the first beside the kernel.

pub mod e_machine;
pub mod objects;
pub mod twins;
