//! The tables of one system as a type, and the functions that every kernel has: what a port's `kernel!` begins with.

/// `$port` is the port's crate, `$system` and `$layout` are statics.
///
/// A panic can't happen in the kernel: if the compiler left one in, the link fails because a function is missing.
#[doc(hidden)]
#[macro_export]
macro_rules! hosted {
    ($port:ident, $sizes:ty, $system:expr, $layout:expr, $board:ty) => {
        const THREADS: usize = <<$sizes as $port::kernel::Sizes>::Threads as $port::kernel::Table<
            $port::kernel::Thread,
        >>::LENGTH;

        enum Tables {}

        impl $port::common::Tables<THREADS> for Tables {
            type Sizes = $sizes;
            type Fixed = $port::Fixed;
            type Switched = $port::Switched;
            type Context = $port::Context;

            #[inline(always)]
            fn system() -> &'static $port::kernel::System<$sizes> {
                &$system
            }

            #[inline(always)]
            fn layout() -> &'static $port::Layout {
                &$layout
            }

            #[inline(always)]
            fn contexts() -> &'static [core::cell::UnsafeCell<$port::Context>; THREADS] {
                &KERNEL.contexts
            }
        }

        static KERNEL: $port::Kernel<Tables, $board, THREADS> = $port::Kernel::new();

        /// The reset code ends here.
        #[unsafe(no_mangle)]
        extern "C" fn main() -> ! {
            // SAFETY: called once, by the reset code; the layout comes from the builder.
            unsafe { $port::boot(&KERNEL) }
        }

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
