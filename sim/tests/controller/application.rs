//! The controller's code, and code that does what it may not.

use beryl_abi::Duration;
use beryl_user::{call, drivers, environment, memory, platform, println, task};

use super::{ACTUATOR, BASE, SENSOR};

/// A port's value.
pub fn get(port: u32) -> i32 {
    // SAFETY: Every port of the controller is four bytes in its memory.
    unsafe { memory::at::<i32>(BASE + port).read() }
}

/// Changes a port's value.
pub fn set(port: u32, value: i32) {
    // SAFETY: As in `get`.
    unsafe { memory::at::<i32>(BASE + port).write(value) }
}

pub extern "C" fn fast() -> ! {
    task::run(|| set(0x10, get(0x08) + 1))
}

pub extern "C" fn slow() -> ! {
    task::run(|| set(0x28, get(0x20) * 2))
}

pub extern "C" fn drivers() -> ! {
    drivers::run(&[sense, act])
}

unsafe fn sense(address: u32) -> bool {
    let mut value = get(address - BASE);
    environment::read(SENSOR, &mut value);
    set(address - BASE, value);
    true
}

unsafe fn act(address: u32) -> bool {
    environment::write(ACTUATOR, &get(address - BASE));
    true
}

/// A driver thread whose getter faults from the third sensor value on.
pub extern "C" fn faulty_drivers() -> ! {
    unsafe fn sense_twice(address: u32) -> bool {
        if get(0x48) == 2 {
            stray();
        }
        set(0x48, get(0x48) + 1);
        // SAFETY: The same address.
        unsafe { sense(address) }
    }
    drivers::run(&[sense_twice, act])
}

/// Writes through a pointer to nowhere.
pub extern "C" fn stray() -> ! {
    let nowhere = std::hint::black_box(0x4000_0010_usize) as *mut u32;
    // SAFETY: None, that is the point: nothing is mapped there.
    unsafe { nowhere.write_volatile(1) };
    call::stop()
}

/// Asks for a port outside of the system's memory.
pub extern "C" fn outside() -> ! {
    set(0x100, 1);
    call::stop()
}

/// Jumps to where there is no code.
pub extern "C" fn astray() -> ! {
    let nowhere = std::hint::black_box(0x4000_0020_usize);
    // SAFETY: None, that is the point: nothing is mapped there.
    let function: extern "C" fn() = unsafe { std::mem::transmute(nowhere) };
    function();
    call::stop()
}

/// Uses up its stack.
pub extern "C" fn deep() -> ! {
    fn deeper(level: u64) -> u64 {
        let here = std::hint::black_box([level; 64]);
        if here[1] == u64::MAX { 0 } else { deeper(level + 1) + here[3] }
    }
    task::run(|| set(0x10, i32::try_from(deeper(0)).unwrap_or(0)))
}

/// Executes an instruction that user code may not.
pub extern "C" fn privileged() -> ! {
    // SAFETY: None, that is the point: switching interrupts off is refused in user mode.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!("cli");
    }
    // SAFETY: As above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!("msr vbar_el1, xzr");
    }
    call::stop()
}

/// Executes an instruction that doesn't exist.
pub extern "C" fn undefined() -> ! {
    // SAFETY: None, that is the point.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!("ud2");
    }
    // SAFETY: As above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!("udf #0");
    }
    call::stop()
}

/// Gives up.
pub extern "C" fn panicking() -> ! {
    platform::contain(|| panic!("on purpose: this message belongs to the test"))
}

/// Never comes back.
pub extern "C" fn endless() -> ! {
    loop {
        std::hint::black_box(0);
    }
}

/// Takes far too long the first time only; counts its jobs since the last start on its stack.
pub extern "C" fn slow_at_first() -> ! {
    let mut jobs = 0;
    task::run(|| {
        jobs += 1;
        if get(0x48) == 0 {
            set(0x48, 1);
            call::spend(Duration::from_ticks(1000));
        }
        set(0x28, jobs);
    })
}

/// Spends all of its eighty ticks, then ends.
pub extern "C" fn spending() -> ! {
    task::run(|| call::spend(Duration::from_ticks(80)))
}

/// Spends, asks for the time, prints.
pub extern "C" fn talkative() -> ! {
    task::run(|| {
        call::spend(Duration::from_ticks(7));
        let middle = call::time();
        call::null();
        println!("at {} after {}", middle.ticks(), call::execution_time().ticks());
    })
}

/// Does nothing but system calls, for ever.
pub extern "C" fn restless() -> ! {
    loop {
        call::null();
    }
}
