//! The reference's own numbers: exact decimals of any size, cut to DynamoDB's limits by counting digits in text.

use std::fmt;
use std::str::FromStr;

use bigdecimal::{BigDecimal, Zero};

/// An exact decimal without trailing zeros.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(BigDecimal);

/// Why a number cannot be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// More than 38 digits.
    #[error("Attempting to store more than 38 significant digits in a Number")]
    Digits,
    /// Beyond 9.9…E+125.
    #[error("Number overflow. Attempting to store a number with magnitude larger than supported range")]
    Overflow,
    /// Closer to zero than 1E-130.
    #[error("Number underflow. Attempting to store a number with magnitude smaller than supported range")]
    Underflow,
}

impl Decimal {
    /// The number a text stands for; `None` if it is not a number.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        BigDecimal::from_str(text).ok().map(|number| Self(number.normalized()))
    }

    /// Checks that the number can be stored.
    pub fn storable(self) -> Result<Self, Error> {
        if self.0.is_zero() {
            return Ok(self);
        }
        let (digits, exponent) = self.scientific();
        match () {
            () if digits.len() > 38 => Err(Error::Digits),
            () if exponent > 125 => Err(Error::Overflow),
            () if exponent < -130 => Err(Error::Underflow),
            () => Ok(self),
        }
    }

    /// Checks that the result of a sum can be stored; too many digits are called too large.
    pub fn storable_result(self) -> Result<Self, Error> {
        self.storable().map_err(|error| if error == Error::Digits { Error::Overflow } else { error })
    }

    /// Exact sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self((&self.0 + &other.0).normalized())
    }

    /// Exact difference.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        Self((&self.0 - &other.0).normalized())
    }

    /// Billed bytes: one for the exponent, one per pair of digits around the decimal point, one for a sign; at most 21.
    #[must_use]
    pub fn size(&self) -> usize {
        if self.0.is_zero() {
            return 1;
        }
        let (digits, exponent) = self.scientific();
        let straddles = digits.len().is_multiple_of(2) && exponent.rem_euclid(2) == 0;
        let pairs = digits.len().div_ceil(2) + usize::from(straddles);
        (1 + pairs + usize::from(self.0 < BigDecimal::zero())).min(21)
    }

    /// Whole seconds; what is beyond the point does not count.
    #[must_use]
    pub fn seconds(&self) -> Option<i64> {
        let text = self.to_string();
        text.split('.').next()?.parse().ok()
    }

    /// Significant digits, and the exponent of the first one.
    fn scientific(&self) -> (String, i64) {
        let (digits, scale) = self.0.as_bigint_and_exponent();
        let digits = digits.to_string().trim_start_matches('-').to_owned();
        let exponent = digits.len() as i64 - 1 - scale;
        (digits, exponent)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0.to_plain_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, plain: &str, size: usize) {
        let number = Decimal::parse(text).expect("a number");
        assert_eq!((number.to_string().as_str(), number.size()), (plain, size), "{text}");
    }

    #[test]
    fn texts_and_sizes() {
        check("0", "0", 1);
        check("-0.0", "0", 1);
        check("1", "1", 2);
        check("1e3", "1000", 2);
        check("123.4", "123.4", 4);
        check("12.30", "12.3", 3);
        check("-5", "-5", 3);
        check("0.001", "0.001", 2);
    }

    #[test]
    fn limits() {
        let storable = |text: &str| Decimal::parse(text).expect("a number").storable().map(|_| ());
        assert_eq!(storable("9.9999999999999999999999999999999999999E+125"), Ok(()));
        assert_eq!(storable("1E+126"), Err(Error::Overflow));
        assert_eq!(storable("1E-130"), Ok(()));
        assert_eq!(storable("1E-131"), Err(Error::Underflow));
        assert_eq!(storable("123456789012345678901234567890123456789"), Err(Error::Digits));
    }
}
