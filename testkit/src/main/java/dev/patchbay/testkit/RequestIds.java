package dev.patchbay.testkit;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Which JSON values may be the id of a request. */
final class RequestIds {
    /** Beyond this power of ten no double is finite. */
    private static final int EXPONENT_MAX = 400;

    private RequestIds() {}

    /** A string, or a number whose value is an integer that survives as it is written. */
    static boolean isLegal(JsonTree id) {
        return id instanceof JsonTree.Str
                || (id instanceof JsonTree.Num number && isIntegral(number.lexeme()));
    }

    /** Plain integers of any length; with fraction or exponent only what a double holds exactly. */
    static boolean isIntegral(String lexeme) {
        if (lexeme.matches("-?[0-9]+")) {
            return true;
        }
        int e = Math.max(lexeme.indexOf('e'), lexeme.indexOf('E'));
        String mantissa = e < 0 ? lexeme : lexeme.substring(0, e);
        int point = mantissa.indexOf('.');
        String digits = mantissa.replace(".", "").replace("-", "");
        String significant = digits.replaceFirst("0+$", "");
        if (significant.chars().allMatch(c -> c == '0')) {
            return true;
        }
        BigInteger exponent = e < 0 ? BigInteger.ZERO : new BigInteger(withoutPlus(lexeme, e + 1));
        long decimals = point < 0 ? 0 : mantissa.length() - point - 1;
        BigInteger power =
                exponent.subtract(BigInteger.valueOf(decimals))
                        .add(BigInteger.valueOf(digits.length() - significant.length()));
        if (power.signum() < 0 || power.compareTo(BigInteger.valueOf(EXPONENT_MAX)) > 0) {
            return false;
        }
        var value = new BigDecimal(new BigInteger(significant), -power.intValue());
        double nearest = value.doubleValue();
        return Double.isFinite(nearest) && new BigDecimal(nearest).compareTo(value) == 0;
    }

    /**
     * Whether a reader may refuse this id though it is legal: its exponent is out of all bounds.
     */
    static boolean mayBeRejected(JsonTree id) {
        return id instanceof JsonTree.Num number
                && number.lexeme().matches(".*[eE][+-]?[0-9]{10,}");
    }

    private static String withoutPlus(String lexeme, int from) {
        return lexeme.charAt(from) == '+' ? lexeme.substring(from + 1) : lexeme.substring(from);
    }
}
