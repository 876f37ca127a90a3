//! The kernel's crate in one line.

/// The kernel of one system on this board, from its sizes and the builder's tables (statics).
///
/// A panic can't happen in the kernel: if the compiler left one in, the link fails because this
/// function is missing.
#[macro_export]
macro_rules! kernel {
    ($sizes:ty, $system:expr, $layout:expr $(, $crashes:ident)?) => {
        $crate::port::kernel!($sizes, $system, $layout, $crate::Virt $(, $crashes)?);

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
