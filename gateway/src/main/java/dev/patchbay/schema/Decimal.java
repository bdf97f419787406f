package dev.patchbay.schema;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;

/**
 * An exact JSON number: a sign, digits and a power of ten. It is never expanded, so {@code
 * 1e999999999} costs no more than {@code 1}.
 */
final class Decimal implements Comparable<Decimal> {
    /** Larger exponents are treated as this one. */
    private static final long EXPONENT_MAX = 100_000_000_000_000_000L;

    private static final int EXPONENT_DIGITS_MAX = 17;
    private static final int INTEGER_DIGITS_MAX = 1_000;

    private final int sign;

    /** Without leading and trailing zeros; empty for zero. */
    private final String digits;

    /** The power of ten by which the digits are multiplied. */
    private final long exponent;

    private Decimal(int sign, String digits, long exponent) {
        this.sign = sign;
        this.digits = digits;
        this.exponent = exponent;
    }

    /** Parses a JSON number. */
    static Decimal of(String text) {
        boolean negative = text.charAt(0) == '-';
        int end = Math.max(text.indexOf('e'), text.indexOf('E'));
        long exponent = 0;
        if (end < 0) {
            end = text.length();
        } else {
            exponent = exponent(text, end + 1);
        }
        String digits = text.substring(negative ? 1 : 0, end);
        int point = digits.indexOf('.');
        if (point >= 0) {
            exponent -= digits.length() - point - 1;
            digits = digits.substring(0, point) + digits.substring(point + 1);
        }
        return normalized(negative ? -1 : 1, digits, exponent);
    }

    private static long exponent(String text, int from) {
        boolean negative = text.charAt(from) == '-';
        int at = negative || text.charAt(from) == '+' ? from + 1 : from;
        while (at < text.length() - 1 && text.charAt(at) == '0') {
            at++;
        }
        long size =
                text.length() - at > EXPONENT_DIGITS_MAX
                        ? EXPONENT_MAX
                        : Long.parseLong(text, at, text.length(), 10);
        return negative ? -size : size;
    }

    private static Decimal normalized(int sign, String digits, long exponent) {
        int from = 0;
        int to = digits.length();
        while (from < to && digits.charAt(from) == '0') {
            from++;
        }
        while (to > from && digits.charAt(to - 1) == '0') {
            to--;
        }
        if (from == to) {
            return new Decimal(0, "", 0);
        }
        return new Decimal(sign, digits.substring(from, to), exponent + digits.length() - to);
    }

    boolean isInteger() {
        return exponent >= 0;
    }

    int sign() {
        return sign;
    }

    /** A non-negative integer as a long; the largest long if it is larger. */
    long toSaturatedLong() {
        if (digits.length() + exponent > 18) {
            return Long.MAX_VALUE;
        }
        return sign == 0 ? 0 : Long.parseLong(digits + "0".repeat((int) exponent));
    }

    /** The number of digits. */
    int digits() {
        return digits.length();
    }

    /** Whether this is an integer multiple of the divisor, which is not zero. */
    boolean isMultipleOf(Decimal divisor) {
        if (sign == 0) {
            return true;
        }
        long shift = exponent - divisor.exponent;
        var dividend = new BigInteger(digits);
        var modulus = new BigInteger(divisor.digits);
        if (shift >= 0) {
            BigInteger power = BigInteger.TEN.modPow(BigInteger.valueOf(shift), modulus);
            return dividend.multiply(power).mod(modulus).signum() == 0;
        }
        // The divisor has more zeros than the dividend has digits.
        if (-shift > digits.length()) {
            return false;
        }
        return dividend.mod(modulus.multiply(BigInteger.TEN.pow((int) -shift))).signum() == 0;
    }

    @Override
    public int compareTo(Decimal other) {
        if (sign != other.sign) {
            return Integer.compare(sign, other.sign);
        }
        int magnitude =
                Long.compare(exponent + digits.length(), other.exponent + other.digits.length());
        return sign * (magnitude != 0 ? magnitude : digits.compareTo(other.digits));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Decimal decimal && compareTo(decimal) == 0;
    }

    @Override
    public int hashCode() {
        return digits.hashCode() * 31 + Long.hashCode(exponent) + sign;
    }

    /** A canonical spelling: equal numbers have equal texts. */
    @Override
    public String toString() {
        if (sign == 0) {
            return "0";
        }
        var text = new StringBuilder(sign < 0 ? "-" : "").append(digits);
        if (exponent >= 0 && digits.length() + exponent <= INTEGER_DIGITS_MAX) {
            return text.repeat("0", (int) exponent).toString();
        }
        return text.append('e').append(exponent).toString();
    }
}
