//! Counts that are too large for any integer: a float with an exponent of its own.
//!
//! Numbers of trees grow exponentially with the size. Relative errors stay near 2^-52 for each operation, far below
//! what any number of tests could tell.

/// `mantissa · 2^exponent`, the mantissa 0 or from 1 up to 2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Big {
    mantissa: f64,
    exponent: i64,
}

/// Beyond this difference of exponents the smaller number does not show.
const SHOWS: i64 = 64;

impl Big {
    pub(super) const ZERO: Big = Big { mantissa: 0.0, exponent: 0 };
    pub(super) const ONE: Big = Big { mantissa: 1.0, exponent: 0 };

    pub(super) fn of(value: usize) -> Big {
        Big::normal(value as f64, 0)
    }

    pub(super) fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    fn normal(mantissa: f64, exponent: i64) -> Big {
        if mantissa == 0.0 {
            return Big::ZERO;
        }
        let shift = mantissa.abs().log2().floor() as i64;
        Big { mantissa: mantissa * power_of_two(-shift), exponent: exponent + shift }
    }

    pub(super) fn plus(self, other: Big) -> Big {
        if self.is_zero() {
            return other;
        }
        if other.is_zero() {
            return self;
        }
        let (large, small) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let apart = large.exponent - small.exponent;
        if apart > SHOWS {
            return large;
        }
        Big::normal(large.mantissa + small.mantissa * power_of_two(-apart), large.exponent)
    }

    pub(super) fn times(self, other: Big) -> Big {
        Big::normal(self.mantissa * other.mantissa, self.exponent + other.exponent)
    }

    /// What share of a whole this is, from 0 to 1.
    pub(super) fn share_of(self, whole: Big) -> f64 {
        match self.exponent - whole.exponent {
            _ if self.is_zero() || whole.is_zero() => 0.0,
            apart if apart < -1000 => 0.0,
            apart => self.mantissa / whole.mantissa * power_of_two(apart),
        }
    }
}

fn power_of_two(exponent: i64) -> f64 {
    2.0_f64.powi(exponent.clamp(-1022, 1022) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_and_their_ratios() {
        let factorial = |n: usize| (1..=n).fold(Big::ONE, |product, factor| product.times(Big::of(factor)));
        assert!((factorial(499).share_of(factorial(500)) - 0.002).abs() < 1e-12);
        let sum = factorial(20).plus(factorial(20)).plus(Big::ZERO);
        assert!((factorial(20).share_of(sum) - 0.5).abs() < 1e-12);
        assert_eq!(Big::ONE.plus(factorial(200)), factorial(200));
    }
}
