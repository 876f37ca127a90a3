//! The executor's thread and its tasks. After a second and a half one of these goes wrong in two ways.

use beryl_ecosystem::executor::Executor;
use beryl_ecosystem::serial::Output;
use beryl_user::call::spend;
use beryl_user::lock::Lock;
use beryl_user::notification::{Notification, Notifier};
use beryl_user::time::milliseconds;
use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use embassy_time::{Duration, Instant, Ticker, Timer};
use embedded_io::Write as _;

use portable_atomic::Ordering;

use crate::memory::memory;
use crate::watcher::TOLD;

/// Runs the tasks below.
static EXECUTOR: Executor = Executor::new();
/// What is to be kept.
pub static NEWS: Channel<CriticalSectionRawMutex, u32, 4> = Channel::new();
/// How much has been kept.
static KEPT: Signal<CriticalSectionRawMutex, u32> = Signal::new();

/// Bytes of an entry, and how many have room.
const ENTRY: u32 = 8;
const ROOM: u32 = 4096 / ENTRY;

/// Runs the tasks.
pub fn keep(_exclusion: Lock<()>, wake: Notifier, woken: Notification) -> ! {
    EXECUTOR.run(wake, &woken, [], |spawner| {
        let Ok(write) = write() else { return };
        spawner.spawn(write);
        let Ok(tell) = tell() else { return };
        spawner.spawn(tell);
        let Ok(wrong) = go_wrong() else { return };
        spawner.spawn(wrong);
    })
}

/// Writes entries, the oldest of which makes room, and reads each back.
#[embassy_executor::task]
async fn write() {
    let mut memory = memory();
    for number in (1..=u32::MAX).cycle() {
        let count = NEWS.receive().await;
        let place = (number - 1) % ROOM * ENTRY;
        let mut entry = [0; ENTRY as usize];
        entry[..4].copy_from_slice(&number.to_le_bytes());
        entry[4..].copy_from_slice(&count.to_le_bytes());
        let is_taken = memory.write_page(place, &entry).is_ok();
        // So long the chip is busy with a page.
        Timer::after_millis(5).await;
        let mut kept = [0; ENTRY as usize];
        if is_taken && memory.read_data(place, &mut kept).is_ok() && kept == entry {
            defmt::info!("entry {=u32} kept at {=u32:#x}: {=[u8]:x}", number, place, kept);
            KEPT.signal(number);
        }
    }
}

/// Says twice a second how much has been kept.
#[embassy_executor::task]
async fn tell() {
    let mut ticker = Ticker::every(Duration::from_millis(500));
    let mut kept = 0;
    loop {
        match select(ticker.next(), KEPT.wait()).await {
            Either::First(()) => {
                let told = TOLD.load(Ordering::Relaxed);
                let _ = writeln!(Output, "{} ms: {kept} entries kept of {told}", Instant::now().as_millis());
            }
            Either::Second(number) => kept = number,
        }
    }
}

/// Takes 300 ms without a break, in which no other task has a turn; later it asks for what isn't there.
#[embassy_executor::task]
async fn go_wrong() {
    Timer::after_millis(1100).await;
    let until = Instant::now() + Duration::from_millis(300);
    spend(milliseconds(300));
    while Instant::now() < until {}
    Timer::after_millis(500).await;
    let powers: [u32; 4] = core::array::from_fn(|place| 1 << place);
    let place = Instant::now().as_millis() as usize;
    let _ = writeln!(Output, "{}", powers[place]);
}
