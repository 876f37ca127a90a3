//! The programs of a system: those of modules, of bands that are scheduled by code, and of asynchronous tasks.

use super::{Assembly, Band, Policy, Role, Task};

impl Assembly {
    /// The tasks of a module that its own program releases, by their threads.
    pub fn released_by(&self, module: usize) -> impl Iterator<Item = (usize, &Task)> {
        let rows = self.threads.iter().enumerate().filter_map(|(thread, row)| match &row.role {
            Role::Task(task) => Some((thread, task)),
            _ => None,
        });
        rows.filter(move |(thread, task)| task.module == module && !self.is_asynchronous(*thread))
    }

    /// Whether an event releases a thread's jobs, and no mode does.
    #[must_use]
    pub fn is_asynchronous(&self, thread: usize) -> bool {
        self.asynchronous.iter().any(|row| row.task == thread)
    }

    /// The bands that are scheduled by code.
    pub fn bands_by_code(&self) -> impl Iterator<Item = usize> {
        let bands = self.bands.iter().enumerate();
        bands.filter(|(_, band)| matches!(band.policy, Policy::Code { .. })).map(|(index, _)| index)
    }

    /// How many programs there are: those of modules, behind them those of bands, and then those of
    /// asynchronous activities.
    #[must_use]
    pub fn programs(&self) -> usize {
        self.modules.len() + self.bands_by_code().count() + self.asynchronous.len()
    }

    /// How many threads of system code the bands above `band` have.
    #[must_use]
    pub fn threads_by_code(&self, band: usize) -> usize {
        let threads = |band: &Band| if let Policy::Code { threads, .. } = band.policy { threads } else { 0 };
        self.bands.iter().take(band).map(threads).sum()
    }

    /// The names of all programs.
    pub fn program_names(&self) -> impl Iterator<Item = String> {
        let modules = self.modules.iter().map(|module| module.name.clone());
        let bands = self.bands_by_code().map(|band| self.schedule_name(band));
        modules.chain(bands).chain(self.asynchronous.iter().map(|row| row.name.clone()))
    }

    /// The name of a band's program.
    #[must_use]
    pub fn schedule_name(&self, band: usize) -> String {
        format!("schedule_of_{}", self.bands[band].name)
    }
}
