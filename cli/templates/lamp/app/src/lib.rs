//! The lamp's task and its setter.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::environment::{self, Channel};

/// Switches between on and off. A boolean port is a `u8`, 0 or 1.
pub fn blink_impl(on: &mut u8, next: &mut u8) {
    *on = 1 - *on;
    *next = *on;
}

/// Hands the lamp's state to the world.
pub fn set_light(light: &u8) {
    environment::write(Channel::new(0), light);
}

#[cfg(test)]
mod tests {
    use super::*;
    use beryl_user::fake::Fake;

    #[test]
    fn it_goes_on_and_off() {
        let (mut on, mut next) = (0, 0);
        let seen = [(); 4].map(|()| {
            blink_impl(&mut on, &mut next);
            next
        });
        assert_eq!(seen, [1, 0, 1, 0]);
    }

    /// What would go to the lamp goes to the test.
    #[test]
    fn the_world_gets_the_light() {
        let fake = Fake::new();
        fake.run(|| [1, 0].iter().for_each(set_light));
        assert_eq!(fake.written::<u8>(Channel::new(0)), [1, 0]);
    }
}
