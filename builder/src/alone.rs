//! One at a time in a folder: what builds or runs a system writes files with fixed names, and another one's must not be
//! taken for them.

use std::fs::{self, File};
use std::path::Path;

use crate::error::BuildError;

/// A folder in which nobody else builds or runs as long as this value lives.
#[must_use = "others may write into the folder as soon as this is dropped"]
pub struct Alone {
    _lock: File,
}

impl Alone {
    /// Waits until all others in `folder`, of this program or another, are done. One that is killed is done.
    ///
    /// # Errors
    /// The folder can't be written into.
    pub fn in_folder(folder: &Path) -> Result<Alone, BuildError> {
        let place = folder.join("lock");
        let failed = |reason| BuildError::file("lock", &place, reason);
        fs::create_dir_all(folder).map_err(failed)?;
        let lock = File::create(&place).map_err(failed)?;
        lock.lock().map_err(failed)?;
        Ok(Alone { _lock: lock })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn nobody_is_beside_another() {
        let folder = std::env::temp_dir().join(format!("beryl-alone-{}", std::process::id()));
        let (here, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let _alone = Alone::in_folder(&folder).expect("a folder");
                        most.fetch_max(here.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        thread::yield_now();
                        here.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(most.into_inner(), 1);
    }
}
