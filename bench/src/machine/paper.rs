//! The paper's own numbers: Tables 1 to 3 of section 6, in microseconds of a StrongARM at 206 MHz.

use super::cases::{LENGTHS, Length, TASKS, WAYS, Way};

/// A row of the paper's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// The time of all system code per invocation, in microseconds: the longest, the shortest, the mean.
    /// `None` if there was no schedule.
    pub system: Option<[&'static str; 3]>,
    /// Utilisation, and preemptions in a hyperperiod.
    pub load: [&'static str; 2],
    /// Mean times of S code, E code and the EDF scheduler, in microseconds.
    pub parts: [&'static str; 3],
    /// Instructions of E and S code together, and of S code.
    pub instructions: [&'static str; 2],
}

/// All rows.
pub struct Rows([&'static str; 48]);

/// In the order of the paper's tables: peak, min, mean, U, P, S code, E code, EDF, E + S instructions, S
/// instructions.
pub const PAPER: Rows = Rows([
    "12.207 1.356 3.778 0.818 4 0 4.653 1.473 30 0",
    "20.888 2.170 3.884 0.818 4 1.411 5.574 0 60 30",
    "- - - - - - - - 64 34",
    "13.563 1.356 3.600 0.867 5 1.549 4.643 0 48 18",
    "21.159 1.356 6.129 0.917 4 0 8.792 3.658 54 0",
    "26.855 2.170 4.472 0.850 4 1.565 9.510 0 107 53",
    "- - - - - - - - 111 57",
    "17.632 1.356 4.386 0.934 5 1.762 8.842 0 108 54",
    "129.120 1.356 21.767 0.950 4 0 44.972 18.508 174 0",
    "120.710 1.899 6.822 0.750 0 2.207 52.882 0 347 173",
    "115.020 1.899 6.843 0.750 0 2.212 52.885 0 351 177",
    "100.910 1.356 7.263 0.917 5 3.036 48.450 0 468 294",
    "287.000 1.356 38.573 0.786 4 0 81.749 36.074 318 0",
    "247.400 1.899 7.628 0.517 0 2.258 116.190 0 636 318",
    "248.210 2.170 7.643 0.518 0 2.248 116.790 0 640 322",
    "177.950 1.356 8.625 0.569 2 3.897 98.331 0 912 594",
    "12.207 1.356 3.087 0.350 1 0 4.608 1.384 30 0",
    "20.888 2.170 4.065 0.350 1 1.428 5.513 0 60 30",
    "20.888 2.170 4.061 0.351 0 1.439 5.528 0 61 31",
    "12.478 1.356 3.083 0.352 1 1.619 4.933 0 48 18",
    "21.159 1.356 4.730 0.350 1 0 8.647 3.460 54 0",
    "27.127 2.170 4.676 0.350 1 1.595 9.588 0 108 54",
    "27.127 27.127 4.682 0.350 0 1.601 9.668 0 109 55",
    "16.819 1.356 3.988 0.351 1 1.843 8.958 0 108 54",
    "126.680 1.356 17.929 0.417 1 0 43.574 16.983 174 0",
    "113.390 1.899 6.799 0.334 0 2.152 52.417 0 348 174",
    "116.100 1.899 6.816 0.333 0 2.163 52.701 0 349 175",
    "87.348 1.356 7.156 0.384 1 3.239 47.878 0 468 294",
    "281.850 1.356 36.765 0.601 2 0 81.655 35.190 318 0",
    "247.120 1.899 7.584 0.368 0 2.229 113.880 0 636 318",
    "251.740 1.899 7.591 0.367 0 2.230 115.550 0 638 320",
    "174.420 1.356 8.590 0.400 4 3.935 97.230 0 912 594",
    "12.207 1.356 3.091 0.352 1 0 4.693 1.382 30 0",
    "20.888 2.170 4.063 0.350 1 1.435 5.468 0 60 30",
    "20.888 2.170 4.061 0.350 0 1.441 5.548 0 61 31",
    "12.478 1.356 3.084 0.351 1 1.623 4.942 0 48 18",
    "21.159 1.356 4.730 0.350 1 0 8.661 3.460 54 0",
    "27.127 2.170 4.677 0.351 1 1.595 9.606 0 108 54",
    "27.127 2.170 4.682 0.352 0 1.601 9.683 0 109 55",
    "16.819 1.356 3.988 0.351 1 1.843 8.959 0 108 54",
    "131.020 1.356 16.902 0.234 1 0 41.721 16.905 174 0",
    "116.370 1.899 6.742 0.200 0 2.160 51.498 0 348 174",
    "118.270 1.899 6.754 0.200 0 2.169 51.701 0 349 175",
    "89.789 1.356 7.025 0.201 1 3.286 46.539 0 468 294",
    "300.560 1.356 34.913 0.349 1 0 81.572 34.844 318 0",
    "242.510 1.899 7.580 0.200 0 2.216 115.570 0 636 318",
    "243.600 1.899 7.580 0.200 0 2.211 115.700 0 637 319",
    "177.140 1.356 8.535 0.201 1 3.979 98.032 0 912 594",
]);

impl Rows {
    /// The paper's row of a case.
    pub fn row(&self, tasks: u64, way: Way, length: Length) -> Option<Paper> {
        let length = LENGTHS.iter().position(|other| *other == length)?;
        let tasks = TASKS.iter().position(|other| *other == tasks)?;
        let way = WAYS.iter().position(|other| *other == way)?;
        let mut cells = self.0.get((length * TASKS.len() + tasks) * WAYS.len() + way)?.split(' ');
        let mut cell = || cells.next();
        let system = [cell()?, cell()?, cell()?];
        Some(Paper {
            system: (system[0] != "-").then_some(system),
            load: [cell()?, cell()?],
            parts: [cell()?, cell()?, cell()?],
            instructions: [cell()?, cell()?],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_has_its_row() {
        let row = PAPER.row(100, Way::ByRate, Length::Short).expect("the last");
        assert_eq!(row.system, Some(["177.140", "1.356", "8.535"]));
        assert_eq!((row.load, row.instructions), (["0.201", "1"], ["912", "594"]));
        let row = PAPER.row(10, Way::NonPreemptive, Length::Long).expect("a row");
        assert_eq!((row.system, row.instructions), (None, ["111", "57"]));
        assert_eq!(PAPER.row(50, Way::Bands, Length::Medium).expect("a row").parts[2], "16.983");
        assert_eq!(PAPER.row(5, Way::Bands, Length::Medium), None);
    }
}
