//! Exact fractions: what constants come to before they are rounded to a type, or refused for a remainder.

use std::fmt;

/// A fraction in lowest terms, with a positive denominator. Both parts reach to [`Ratio::LARGEST`]; what lies
/// beyond is `None`, and nothing wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    /// Ten times as much still fits into an `i128`, which the expansion to digits needs.
    const LARGEST: i128 = 10_i128.pow(37);

    fn new(numerator: i128, denominator: i128) -> Option<Ratio> {
        let divisor = common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
        let divisor = i128::try_from(divisor).ok().filter(|divisor| *divisor != 0)?;
        let sign = denominator.signum();
        let (numerator, denominator) = (sign * numerator / divisor, sign * denominator / divisor);
        let fits = |part: i128| (-Ratio::LARGEST..=Ratio::LARGEST).contains(&part);
        (denominator > 0 && fits(numerator) && fits(denominator)).then_some(Ratio { numerator, denominator })
    }

    pub(crate) fn whole(number: i128) -> Option<Ratio> {
        Ratio::new(number, 1)
    }

    /// The value of digits, perhaps with a sign, a point and an exponent.
    pub(crate) fn decimal(text: &str) -> Option<Ratio> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: i128 = format!("{before}{behind}").parse().ok()?;
        let exponent = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(behind.len()).ok()?)?;
        let power = 10_i128.checked_pow(exponent.unsigned_abs())?;
        match exponent < 0 {
            true => Ratio::new(digits, power),
            false => Ratio::new(digits.checked_mul(power)?, 1),
        }
    }

    pub(crate) fn plus(self, other: Ratio) -> Option<Ratio> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Ratio::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    pub(crate) fn times(self, other: Ratio) -> Option<Ratio> {
        let (numerator, denominator) = (other.numerator, other.denominator);
        // Shortened crosswise, so that nothing passes the reach on the way to a small result.
        let (one, two) = (Ratio::new(self.numerator, denominator)?, Ratio::new(numerator, self.denominator)?);
        let numerator = one.numerator.checked_mul(two.numerator)?;
        Ratio::new(numerator, one.denominator.checked_mul(two.denominator)?)
    }

    /// `None` also if `other` is zero.
    pub(crate) fn over(self, other: Ratio) -> Option<Ratio> {
        self.times(Ratio::new(other.denominator, other.numerator)?)
    }

    pub(crate) fn negative(self) -> Ratio {
        Ratio { numerator: -self.numerator, ..self }
    }

    pub(crate) fn is_zero(self) -> bool {
        self.numerator == 0
    }

    /// The whole number that it is, if it is one.
    pub(crate) fn integer(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// The largest whole number that isn't above it.
    pub(crate) fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    /// Digits with a sign and perhaps a point that any floating type rounds as it would round the fraction.
    ///
    /// A fraction that isn't zero is at least 1e-37, where neighbours of a `double` are 2^-175 apart: what lies
    /// half-way between two of them has at most 176 digits behind the point. So a longer expansion never lies
    /// on the other side of such a half than the fraction does, and its last digit says that something follows.
    pub(crate) fn digits(self) -> String {
        const BEHIND: usize = 200;
        let sign = if self.numerator < 0 { "-" } else { "" };
        let mut text = format!("{sign}{}.", self.numerator.abs() / self.denominator);
        let mut rest = self.numerator.abs() % self.denominator;
        for _ in 0..BEHIND {
            rest *= 10;
            text += &(rest / self.denominator).to_string();
            rest %= self.denominator;
            if rest == 0 {
                return text;
            }
        }
        text + "1"
    }
}

fn common_divisor(one: u128, other: u128) -> u128 {
    let (mut one, mut other) = (one, other);
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// As people write it: `7`, `6666 2/3`.
impl fmt::Display for Ratio {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.numerator < 0 { "-" } else { "" };
        let (whole, rest) =
            (self.numerator.abs() / self.denominator, self.numerator.abs() % self.denominator);
        match (whole, rest) {
            (_, 0) => write!(out, "{sign}{whole}"),
            (0, _) => write!(out, "{sign}{rest}/{}", self.denominator),
            _ => write!(out, "{sign}{whole} {rest}/{}", self.denominator),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i128, denominator: i128) -> Ratio {
        Ratio::new(numerator, denominator).expect("a fraction in reach")
    }

    #[test]
    fn fractions_are_in_lowest_terms() {
        let shown = [(6, 4), (-6, 4), (6, -4), (0, -5), (1, 3), (-8, 4), (20_000, 3)];
        let shown = shown.map(|(one, other)| ratio(one, other).to_string());
        assert_eq!(shown, ["1 1/2", "-1 1/2", "-1 1/2", "0", "1/3", "-2", "6666 2/3"]);
    }

    #[test]
    fn decimals_are_exact() {
        let value = |text| Ratio::decimal(text).map(|ratio| ratio.to_string());
        let cases = [("2.5", "2 1/2"), ("-0.1", "-1/10"), ("1e3", "1000"), ("25e-1", "2 1/2"), ("7", "7")];
        for (text, expected) in cases {
            assert_eq!(value(text).as_deref(), Some(expected), "{text}");
        }
        for beyond in ["1e38", "1e-38", "1e2147483648", "4.9e-324", ""] {
            assert_eq!(value(beyond), None, "{beyond}");
        }
    }

    #[test]
    fn what_lies_beyond_is_none() {
        let largest = ratio(Ratio::LARGEST, 1);
        assert_eq!(largest.plus(ratio(1, 1)), None);
        assert_eq!(largest.times(ratio(2, 1)), None);
        assert_eq!(ratio(1, Ratio::LARGEST).over(largest), None);
        assert_eq!(ratio(1, 2).over(ratio(0, 1)), None);
        assert_eq!(
            largest.times(ratio(1, Ratio::LARGEST)),
            Some(ratio(1, 1)),
            "nothing on the way overflows"
        );
    }

    #[test]
    fn digits_round_as_the_fraction_does() {
        let third: f64 = ratio(1, 3).digits().parse().expect("a number");
        assert_eq!(third, 1.0 / 3.0);
        assert_eq!(ratio(-5, 4).digits(), "-1.25");
        // A hair above the half between two neighbours, by less than 200 digits show.
        let half = ratio((1 << 54) + 1, 1 << 53);
        let above = half.plus(ratio(1, Ratio::LARGEST / 3));
        let rounded: f64 = half.digits().parse().expect("a number");
        assert_eq!(rounded, 2.0, "to even");
        assert_eq!(above, None, "such a sum is out of reach, and refused");
    }
}
