//! Numbers as DynamoDB keeps them: decimal, up to 38 significant digits, magnitudes from 1E-130 to 9.9…E+125.
//!
//! A [`Number`] *is* its stored form: an exponent byte followed by base-100 digits, laid out so that comparing
//! the bytes compares the numbers. Keys, sets, filters and sizes all use these bytes directly; DynamoDB's own
//! accounting shows that it uses the same form, since the billed size of a number is exactly its length here.
//! Text is parsed once on the way in and printed once on the way out.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The most significant digits a number may have.
pub const SIGNIFICANT_DIGITS_MAX: usize = 38;
/// The largest exponent in scientific notation (`d.ddd × 10^e`).
pub const EXPONENT_MAX: i32 = 125;
/// The smallest exponent in scientific notation.
pub const EXPONENT_MIN: i32 = -130;
/// One exponent byte and twenty base-100 digits: 38 digits may straddle 20 pairs.
const BYTES_MAX: usize = 21;
/// Ends the digits of a negative number, so that a shorter one sorts after a longer one with the same start.
const NEGATIVE_END: u8 = 102;
const ZERO: u8 = 0x80;

/// An exact decimal number in its ordered binary form.
#[derive(Clone, Copy)]
pub struct Number {
    len: u8,
    bytes: [u8; BYTES_MAX],
}

/// Why a text is not a number that DynamoDB can store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The text is not a decimal number.
    #[error("The parameter cannot be converted to a numeric value{}", if .0.is_empty() { String::new() } else { format!(": {}", .0) })]
    NotNumeric(String),
    /// More than 38 significant digits.
    #[error("Attempting to store more than 38 significant digits in a Number")]
    TooManyDigits,
    /// Beyond 9.9…E+125.
    #[error("Number overflow. Attempting to store a number with magnitude larger than supported range")]
    Overflow,
    /// Closer to zero than 1E-130.
    #[error("Number underflow. Attempting to store a number with magnitude smaller than supported range")]
    Underflow,
}

/// Sign, decimal digits without leading or trailing zeros, and the exponent of the first digit.
struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i32,
}

impl Number {
    /// Zero.
    #[must_use]
    pub fn zero() -> Self {
        Self::from_slice(&[ZERO])
    }

    /// The ordered binary form.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Takes back a stored form; `None` if the bytes cannot be one.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        (1..=BYTES_MAX).contains(&bytes.len()).then(|| Self::from_slice(bytes))
    }

    /// The size DynamoDB bills for this number.
    #[must_use]
    pub fn size(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether the number is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.bytes[0] < ZERO
    }

    /// The number as a 64-bit integer, when it is one.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        let decimal = self.decimal();
        let is_whole = decimal.digits.is_empty() || decimal.exponent + 1 >= decimal.digits.len() as i32;
        if is_whole { self.whole_part() } else { None }
    }

    /// The number without its fraction as a 64-bit integer, when it fits.
    #[must_use]
    pub fn whole_part(&self) -> Option<i64> {
        let decimal = self.decimal();
        if decimal.digits.is_empty() || decimal.exponent < 0 {
            return Some(0);
        }
        if decimal.exponent > 18 {
            return None;
        }
        let mut value: i128 = 0;
        for position in 0..=decimal.exponent as usize {
            value = value * 10 + i128::from(decimal.digits.get(position).copied().unwrap_or(0));
        }
        i64::try_from(if decimal.negative { -value } else { value }).ok()
    }

    /// The nearest 64-bit float: for statistics and display, never for comparing.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// Exact sum.
    pub fn add(&self, other: &Self) -> Result<Self, Error> {
        let (a, b) = (self.decimal(), other.decimal());
        if a.digits.is_empty() {
            return Ok(*other);
        }
        if b.digits.is_empty() {
            return Ok(*self);
        }
        // The exact result spans from the higher first digit to the lower last digit. If the two numbers do
        // not even meet within 38 digits plus a carry, no rounding is allowed to hide it.
        let top = a.exponent.max(b.exponent) + 1;
        let bottom = (a.exponent - a.digits.len() as i32).min(b.exponent - b.digits.len() as i32) + 1;
        let width = (top - bottom + 1) as usize;
        if width > 3 * SIGNIFICANT_DIGITS_MAX {
            return Err(Error::TooManyDigits);
        }
        let place = |decimal: &Decimal| {
            let mut cells = vec![0i16; width];
            let start = (top - decimal.exponent) as usize;
            for (offset, digit) in decimal.digits.iter().enumerate() {
                cells[start + offset] = i16::from(*digit) * if decimal.negative { -1 } else { 1 };
            }
            cells
        };
        let mut cells: Vec<i16> = place(&a).iter().zip(place(&b)).map(|(x, y)| x + y).collect();
        let negative = cells.iter().find(|cell| **cell != 0).is_some_and(|cell| *cell < 0);
        if negative {
            cells.iter_mut().for_each(|cell| *cell = -*cell);
        }
        for position in (1..width).rev() {
            let carry = cells[position].div_euclid(10);
            cells[position] -= carry * 10;
            cells[position - 1] += carry;
        }
        let digits: Vec<u8> = cells.iter().map(|cell| *cell as u8).collect();
        Self::from_digits(negative, &digits, i64::from(top))
    }

    /// Exact difference.
    pub fn subtract(&self, other: &Self) -> Result<Self, Error> {
        self.add(&other.negate())
    }

    /// The same magnitude with the other sign.
    #[must_use]
    pub fn negate(&self) -> Self {
        let decimal = self.decimal();
        Self::encode(!decimal.negative, &decimal.digits, decimal.exponent)
    }

    /// Appends the number in plain decimal notation, as DynamoDB answers: never an exponent, no leading or
    /// trailing zeros.
    pub fn write_text(&self, text: &mut Vec<u8>) {
        let (negative, digits, exponent) = self.digits();
        if digits.is_empty() {
            return text.push(b'0');
        }
        if negative {
            text.push(b'-');
        }
        let integer_digits = exponent + 1;
        if integer_digits <= 0 {
            text.extend_from_slice(b"0.");
            text.resize(text.len() + integer_digits.unsigned_abs() as usize, b'0');
            text.extend(digits.iter().map(|digit| digit + b'0'));
            return;
        }
        let integer_digits = integer_digits as usize;
        for position in 0..digits.len().max(integer_digits) {
            if position == integer_digits {
                text.push(b'.');
            }
            text.push(digits.get(position).copied().unwrap_or(0) + b'0');
        }
    }

    fn from_slice(slice: &[u8]) -> Self {
        let mut bytes = [0; BYTES_MAX];
        bytes[..slice.len()].copy_from_slice(slice);
        Self { len: slice.len() as u8, bytes }
    }

    /// Builds a number from digits that may carry zeros at both ends; `exponent` is that of the first digit.
    fn from_digits(negative: bool, digits: &[u8], exponent: i64) -> Result<Self, Error> {
        let Some(first) = digits.iter().position(|digit| *digit != 0) else {
            return Ok(Self::zero());
        };
        let last = digits.iter().rposition(|digit| *digit != 0).unwrap_or(first);
        let exponent = exponent - first as i64;
        if last - first + 1 > SIGNIFICANT_DIGITS_MAX {
            return Err(Error::TooManyDigits);
        }
        if exponent > i64::from(EXPONENT_MAX) {
            return Err(Error::Overflow);
        }
        if exponent < i64::from(EXPONENT_MIN) {
            return Err(Error::Underflow);
        }
        Ok(Self::encode(negative, &digits[first..=last], exponent as i32))
    }

    fn encode(negative: bool, digits: &[u8], exponent: i32) -> Self {
        if digits.is_empty() {
            return Self::zero();
        }
        // Digits are paired around the decimal point, so an odd count of integer digits starts with half a pair.
        let lead = usize::from((exponent + 1).rem_euclid(2) == 1);
        let pairs = (digits.len() + lead).div_ceil(2);
        let mut number = Self { len: 0, bytes: [0; BYTES_MAX] };
        let exponent_byte = ((exponent + 1 + lead as i32) / 2 - 64) as i8 as u8;
        number.push(if negative { !exponent_byte } else { exponent_byte });
        let digit = |position: usize| {
            position.checked_sub(lead).and_then(|position| digits.get(position)).copied().unwrap_or(0)
        };
        for pair in 0..pairs {
            let value = digit(2 * pair) * 10 + digit(2 * pair + 1);
            number.push(if negative { 101 - value } else { value + 1 });
        }
        if negative && pairs < 20 {
            number.push(NEGATIVE_END);
        }
        number
    }

    fn push(&mut self, byte: u8) {
        self.bytes[usize::from(self.len)] = byte;
        self.len += 1;
    }

    fn decimal(&self) -> Decimal {
        let (negative, digits, exponent) = self.digits();
        Decimal { negative, digits: digits.to_vec(), exponent }
    }

    /// Sign, digits without zeros at either end, and the exponent of the first one.
    fn digits(&self) -> (bool, Digits, i32) {
        let bytes = self.as_bytes();
        let mut digits = Digits { cells: [0; DIGITS_ROOM], from: 0, to: 0 };
        if bytes.len() == 1 {
            return (false, digits, 0);
        }
        let negative = self.is_negative();
        let exponent_byte = if negative { !bytes[0] } else { bytes[0] };
        let mut exponent = (i32::from(exponent_byte as i8) + 64) * 2 - 1;
        for byte in &bytes[1..] {
            if negative && *byte == NEGATIVE_END {
                break;
            }
            let value = if negative { 101u8.wrapping_sub(*byte) } else { byte.wrapping_sub(1) } % 100;
            digits.cells[digits.to] = value / 10;
            digits.cells[digits.to + 1] = value % 10;
            digits.to += 2;
        }
        if digits.first() == Some(&0) {
            digits.from = 1;
            exponent -= 1;
        }
        if digits.last() == Some(&0) {
            digits.to -= 1;
        }
        (negative, digits, exponent)
    }
}

/// Room for the digits of twenty pairs.
const DIGITS_ROOM: usize = 2 * (BYTES_MAX - 1);

/// Decimal digits on the stack: numbers are printed for every item that is read.
struct Digits {
    cells: [u8; DIGITS_ROOM],
    from: usize,
    to: usize,
}

impl std::ops::Deref for Digits {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.cells[self.from..self.to]
    }
}

impl FromStr for Number {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let not_numeric = || Error::NotNumeric(text.to_owned());
        let bytes = text.as_bytes();
        let (negative, rest) = match bytes.first() {
            Some(b'-') => (true, &bytes[1..]),
            Some(b'+') => (false, &bytes[1..]),
            _ => (false, bytes),
        };
        let (mantissa, exponent_text) = match rest.iter().position(|byte| matches!(byte, b'e' | b'E')) {
            Some(at) => (&rest[..at], Some(&rest[at + 1..])),
            None => (rest, None),
        };
        let mut digits = Vec::with_capacity(mantissa.len().min(64));
        let mut integer_digits: Option<i64> = None;
        let mut any = false;
        let mut leading_zeros: i64 = 0;
        for byte in mantissa {
            match byte {
                b'0'..=b'9' => {
                    any = true;
                    if digits.is_empty() && *byte == b'0' {
                        leading_zeros += 1;
                    } else {
                        digits.push(byte - b'0');
                    }
                }
                b'.' if integer_digits.is_none() => integer_digits = Some(leading_zeros + digits.len() as i64),
                _ => return Err(not_numeric()),
            }
        }
        if !any {
            return Err(not_numeric());
        }
        let shift = match exponent_text {
            None => 0,
            Some(text) => parse_exponent(text).ok_or_else(not_numeric)?,
        };
        let integer_digits = integer_digits.unwrap_or(leading_zeros + digits.len() as i64);
        Self::from_digits(negative, &digits, integer_digits - 1 - leading_zeros + shift)
    }
}

/// An exponent of any length; absurd ones saturate, and are then refused as overflow or underflow.
fn parse_exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text.first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0i64, |value, digit| (value * 10 + i64::from(digit - b'0')).min(1_000_000_000_000));
    Some(if negative { -value } else { value })
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        let mut digits = [0u8; 20];
        let mut rest = value.unsigned_abs();
        let mut start = digits.len();
        while rest > 0 {
            start -= 1;
            digits[start] = (rest % 10) as u8;
            rest /= 10;
        }
        let digits = &digits[start..];
        let last = digits.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
        Self::encode(value < 0, &digits[..last], digits.len() as i32 - 1)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::with_capacity(48);
        self.write_text(&mut text);
        out.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Number {}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::hash::Hash for Number {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(text: &str) -> Number {
        text.parse().unwrap()
    }

    #[test]
    fn prints_the_canonical_form() {
        for (given, printed) in [
            ("0", "0"),
            ("-0.000", "0"),
            ("1", "1"),
            ("+12", "12"),
            ("-12", "-12"),
            ("0012.3400", "12.34"),
            ("1e3", "1000"),
            ("1E-3", "0.001"),
            (".5", "0.5"),
            ("5.", "5"),
            ("100", "100"),
            ("-0.0102", "-0.0102"),
            ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
            ("1.2345678901234567890123456789012345678", "1.2345678901234567890123456789012345678"),
        ] {
            assert_eq!(number(given).to_string(), printed, "{given}");
        }
        assert_eq!(number("1E125").to_string().len(), 126);
        assert_eq!(number("1E-130").to_string().len(), 132);
    }

    #[test]
    fn refuses_what_dynamodb_refuses() {
        for text in [
            "", "abc", "NaN", "Infinity", " 1", "1 ", "1_0", "0x1", "\u{ff11}", "1e", "e5", ".", "1.2.3", "--1",
            "1e1.5",
        ] {
            assert_eq!(text.parse::<Number>(), Err(Error::NotNumeric(text.to_owned())), "{text}");
        }
        assert_eq!("123456789012345678901234567890123456789".parse::<Number>(), Err(Error::TooManyDigits));
        assert_eq!("1e126".parse::<Number>(), Err(Error::Overflow));
        assert_eq!("1e999999999999999999999".parse::<Number>(), Err(Error::Overflow));
        assert_eq!("1e-131".parse::<Number>(), Err(Error::Underflow));
    }

    #[test]
    fn bytes_are_the_billed_size() {
        for (text, size) in [("0", 1), ("1", 2), ("12", 2), ("123", 3), ("1.2", 3), ("-1", 3), ("100", 2), ("1000", 2)]
        {
            assert_eq!(number(text).size(), size, "{text}");
        }
    }

    #[test]
    fn adds_exactly_or_not_at_all() {
        assert_eq!(number("0.1").add(&number("0.2")), Ok(number("0.3")));
        assert_eq!(number("5").subtract(&number("5")), Ok(number("0")));
        assert_eq!(number("1").subtract(&number("1000")), Ok(number("-999")));
        assert_eq!(number("1e37").add(&number("1")), Ok(number("10000000000000000000000000000000000001")));
        assert_eq!(number("1e38").add(&number("1")), Err(Error::TooManyDigits));
        assert_eq!(number("1e125").add(&number("1e-130")), Err(Error::TooManyDigits));
        assert_eq!(number("9e125").add(&number("9e125")), Err(Error::Overflow));
    }

    proptest! {
        #[test]
        fn text_survives(mantissa in any::<i64>(), exponent in -100i32..100) {
            let value = number(&format!("{mantissa}e{exponent}"));
            prop_assert_eq!(number(&value.to_string()), value);
            prop_assert_eq!(value.negate().negate(), value);
            prop_assert_eq!(Number::from_bytes(value.as_bytes()), Some(value));
        }

        #[test]
        fn bytes_sort_as_numbers(a in any::<i32>(), b in any::<i32>(), shift in 0u32..20) {
            let (x, y) = (number(&format!("{a}e-{shift}")), number(&format!("{b}e-{shift}")));
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        }

        #[test]
        fn different_scales_sort(a in 1u32.., b in 1u32.., i in -120i32..115, j in -120i32..115) {
            let digits = |value: u32| value.to_string().len() as i32;
            prop_assume!(i + digits(a) != j + digits(b));
            let expected = (i + digits(a)).cmp(&(j + digits(b)));
            prop_assert_eq!(number(&format!("{a}e{i}")).cmp(&number(&format!("{b}e{j}"))), expected);
            prop_assert_eq!(number(&format!("-{a}e{i}")).cmp(&number(&format!("-{b}e{j}"))), expected.reverse());
        }

        #[test]
        fn sums_match_integers(a in any::<i64>(), b in any::<i64>()) {
            let sum = Number::from(a).add(&Number::from(b)).unwrap();
            prop_assert_eq!(sum.to_string(), (i128::from(a) + i128::from(b)).to_string());
            prop_assert_eq!(Number::from(a).to_i64(), Some(a));
        }
    }
}
