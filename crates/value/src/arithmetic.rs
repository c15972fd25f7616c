//! Integers: 64 bits as long as they suffice, any size beyond.

use crate::failure::Reason;
use crate::value::Value;
use dashu_int::IBig;
use dashu_int::ops::BitTest;
use std::str::FromStr;

/// The longest integer, in bits: enough for every constant, little enough that squaring in a loop ends.
pub const MAX_INT_BITS: usize = 1 << 20;

/// An integer as a big one.
pub(crate) fn to_big(value: &Value) -> Option<IBig> {
    match value {
        Value::Int(integer) => Some(IBig::from(*integer)),
        Value::Big(integer) => Some((**integer).clone()),
        _ => None,
    }
}

fn checked(integer: IBig) -> Result<Value, Reason> {
    if integer.bit_len() > MAX_INT_BITS { Err(Reason::IntSize) } else { Ok(Value::big(integer)) }
}

fn both(a: &Value, b: &Value) -> Result<(IBig, IBig), Reason> {
    to_big(a).zip(to_big(b)).ok_or_else(|| Reason::Argument("expected two integers".to_owned()))
}

pub(crate) fn add(a: &Value, b: &Value) -> Result<Value, Reason> {
    let (a, b) = both(a, b)?;
    checked(a + b)
}

pub(crate) fn sub(a: &Value, b: &Value) -> Result<Value, Reason> {
    let (a, b) = both(a, b)?;
    checked(a - b)
}

pub(crate) fn mul(a: &Value, b: &Value) -> Result<Value, Reason> {
    let (a, b) = both(a, b)?;
    if a.bit_len() + b.bit_len() > MAX_INT_BITS + 1 {
        return Err(Reason::IntSize);
    }
    checked(a * b)
}

/// Towards zero, as LALA's host has it.
pub(crate) fn div(a: &Value, b: &Value) -> Result<Value, Reason> {
    let (a, b) = both(a, b)?;
    if b == IBig::ZERO { Err(Reason::DivisionByZero) } else { checked(a / b) }
}

/// With the sign of the dividend.
pub(crate) fn rem(a: &Value, b: &Value) -> Result<Value, Reason> {
    let (a, b) = both(a, b)?;
    if b == IBig::ZERO { Err(Reason::DivisionByZero) } else { checked(a % b) }
}

pub(crate) fn power(base: &Value, exponent: u32) -> Result<Value, Reason> {
    let base = to_big(base).ok_or_else(|| Reason::Argument("expected an integer".to_owned()))?;
    if base.bit_len().saturating_mul(exponent as usize) > MAX_INT_BITS {
        return Err(Reason::IntSize);
    }
    checked(base.pow(exponent as usize))
}

/// The integer of decimal digits with a sign or without.
pub(crate) fn parse(text: &str) -> Option<Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    // As many bits as the longest integer has; a decimal digit is more than three.
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || digits.len() > MAX_INT_BITS / 4 {
        return None;
    }
    text.parse::<i64>().map(Value::Int).ok().or_else(|| IBig::from_str(text).ok().map(Value::big))
}
