//! Registers as memory, and a device behind them that does something whenever its driver looks: for tests.

use std::boxed::Box;
use std::cell::{Cell, RefCell};

std::thread_local! {
    /// What the device does. There is one in a test.
    static DEVICE: RefCell<Option<Box<dyn FnMut()>>> = const { RefCell::new(None) };
}

/// Memory that keeps what is written, by the words of the manual's addresses.
#[derive(Clone, Copy)]
pub struct Model(&'static [Cell<u32>; 32]);

impl Model {
    /// All of it zero.
    pub fn new() -> Model {
        Model(Box::leak(Box::new([const { Cell::new(0) }; 32])))
    }

    /// The same as registers of a device, which have at most as many words.
    pub fn registers<R>(self) -> &'static R {
        assert!(size_of::<R>() <= size_of_val(self.0), "the model is too short");
        // SAFETY: registers are cells of whole words or parts of them, any content of which is one; they are in the memory,
        // which is never freed and is touched by this thread only.
        unsafe { &*self.0.as_ptr().cast() }
    }

    /// The word at an address from the device's first one.
    pub fn get(self, address: usize) -> u32 {
        self.0[address / 4].get()
    }

    /// Changes it.
    pub fn put(self, address: usize, word: u32) {
        self.0[address / 4].set(word);
    }

    /// From now on the device does this whenever its driver looks.
    pub fn does(self, mut step: impl FnMut(Model) + 'static) {
        DEVICE.set(Some(Box::new(move || step(self))));
    }
}

/// The driver looks.
pub fn step() {
    DEVICE.with_borrow_mut(|device| {
        if let Some(step) = device {
            step();
        }
    });
}
