//! Ways to choose by numbers of a sequence.

/// A sequence of numbers that follows from a seed, and what is chosen by it.
///
/// Choices are remainders, so some come more often than others, by a part so small that no test sees it.
pub trait Draw {
    /// The next number.
    fn next(&mut self) -> u64;

    /// A number below the bound; zero where there is none.
    fn below(&mut self, bound: usize) -> usize {
        self.under(bound as u64) as usize
    }

    /// The same in 64 bits.
    fn under(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// A number from the least to the most, which isn't less.
    fn within(&mut self, least: u64, most: u64) -> u64 {
        let number = self.next();
        match most.saturating_sub(least).checked_add(1) {
            Some(count) => least + number % count,
            None => number,
        }
    }

    /// One of them.
    ///
    /// # Panics
    ///
    /// If there is none.
    fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// Yes once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Yes so many times in a hundred.
    fn chance(&mut self, percent: u64) -> bool {
        self.under(100) < percent
    }

    /// Puts them into any order, each of which is as likely as the others.
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Draw;

    /// Says the numbers of a list, over and over.
    struct Script(Vec<u64>, usize);

    impl Draw for Script {
        fn next(&mut self) -> u64 {
            self.1 += 1;
            self.0[(self.1 - 1) % self.0.len()]
        }
    }

    fn script(numbers: &[u64]) -> Script {
        Script(numbers.to_vec(), 0)
    }

    #[test]
    fn a_choice_takes_one_number() {
        let mut random = script(&[17, 23, 4, 99, 100, 42]);
        assert_eq!(random.below(10), 7);
        assert_eq!(random.within(5, 14), 8);
        assert_eq!(random.one_of(&['a', 'b', 'c']), &'b');
        assert!(!random.chance(99));
        assert!(random.once_in(10));
        assert_eq!(random.next(), 42);
    }

    #[test]
    fn the_ends_of_a_range_are_in_it() {
        let drawn: Vec<_> = script(&[0, 1, 2, 3]).numbers(4, |random| random.within(7, 9));
        assert_eq!(drawn, [7, 8, 9, 7]);
        assert_eq!(script(&[5]).within(3, 3), 3);
        assert_eq!(script(&[u64::MAX]).within(0, u64::MAX), u64::MAX);
    }

    #[test]
    fn nothing_is_below_zero_and_zero_stands_for_it() {
        assert_eq!(script(&[9]).below(0), 0);
    }

    #[test]
    fn a_shuffle_keeps_all_and_can_give_any_order() {
        let mut orders = std::collections::BTreeSet::new();
        for last in 0..3 {
            for middle in 0..2 {
                let mut items = ['a', 'b', 'c'];
                script(&[last, middle]).shuffle(&mut items);
                orders.insert(items);
            }
        }
        assert_eq!(orders.len(), 6);
    }

    impl Script {
        fn numbers<T>(&mut self, count: usize, mut draw: impl FnMut(&mut Script) -> T) -> Vec<T> {
            (0..count).map(|_| draw(self)).collect()
        }
    }
}
