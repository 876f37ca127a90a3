//! The interrupts' part of the vector table, and the kernel's crate in one line.

// The rest of the vector table, and the reset handler.
use cortex_m_rt as _;

use crate::map::LINES;

unsafe extern "C" {
    /// The port's entry, which serves every interrupt.
    fn DefaultHandler();
}

/// Every interrupt has the same entry.
#[unsafe(link_section = ".vector_table.interrupts")]
#[unsafe(no_mangle)]
pub static __INTERRUPTS: [unsafe extern "C" fn(); LINES] = [DefaultHandler; LINES];

/// The kernel of one system on a board, from its sizes and the builder's tables (statics).
///
/// A panic can't happen in the kernel: if the compiler left one in, the link fails because this
/// function is missing.
#[macro_export]
macro_rules! kernel {
    ($sizes:ty, $system:expr, $layout:expr $(, $crashes:ident)? $(; $floating:expr)?) => {
        $crate::port::kernel!($sizes, $system, $layout, $crate::Stm32 $(, $crashes)? $(; $floating)?);

        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo) -> ! {
            unsafe extern "C" {
                fn the_kernel_contains_a_panic() -> !;
            }
            // SAFETY: never linked, hence never called.
            unsafe { the_kernel_contains_a_panic() }
        }
    };
}
