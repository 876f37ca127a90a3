//! Other processors: there is nothing to show.

use beryl_user::call;

macro_rules! threads_that_stop {
    ($($name:ident)+) => {
        $(
            /// Stops at once on this processor.
            pub fn $name() -> ! {
                call::stop()
            }
        )+
    };
}

threads_that_stop! {
    write_kernel write_neighbour write_published write_stack write_text
    read_kernel_text execute_kernel execute_stack
    overflow undefined breakpoint divide panics exception_return
    switch_off_protection mask_alarm reset set_alarm set_clock take_privileges
    call_without_stack call_below_stack wait_without_stack wait_below_stack
    unknown_call interrupts_off bystander
}

/// Does nothing on this processor.
pub fn wild_caller_impl(_jobs: &mut i32) {}

/// Does nothing on this processor.
pub fn low_caller_impl(_jobs: &mut i32) {}
