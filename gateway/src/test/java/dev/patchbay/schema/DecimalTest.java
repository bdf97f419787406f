package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.Random;

class DecimalTest {
    private static final long SEED = 20_261_115;

    @Test
    void agreesWithBigDecimalForSmallExponents() {
        var random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            String one = number(random);
            String other = number(random);
            var left = new BigDecimal(one);
            var right = new BigDecimal(other);
            String message = one + " and " + other + ", seed " + SEED + ", case " + i;
            assertThat(Integer.signum(Decimal.of(one).compareTo(Decimal.of(other))))
                    .as(message)
                    .isEqualTo(left.compareTo(right));
            assertThat(Decimal.of(one).isInteger())
                    .as(message)
                    .isEqualTo(left.signum() == 0 || left.stripTrailingZeros().scale() <= 0);
            if (right.signum() != 0) {
                assertThat(Decimal.of(one).isMultipleOf(Decimal.of(other)))
                        .as(message)
                        .isEqualTo(left.remainder(right).signum() == 0);
            }
            assertThat(Decimal.of(one).toString().equals(Decimal.of(other).toString()))
                    .as(message)
                    .isEqualTo(left.compareTo(right) == 0);
        }
    }

    private static String number(Random random) {
        var text = new StringBuilder(random.nextBoolean() ? "-" : "");
        text.append(random.nextInt(4) == 0 ? 0 : random.nextInt(1_000));
        if (random.nextBoolean()) {
            text.append('.').append(random.nextInt(3) == 0 ? "0" : random.nextInt(100)).append("0");
        }
        if (random.nextBoolean()) {
            text.append(random.nextBoolean() ? 'e' : 'E');
            text.append(random.nextBoolean() ? "+" : "-").append(random.nextInt(5));
        }
        return text.toString();
    }

    @Test
    void supportsHugeExponents() {
        Decimal huge = Decimal.of("1e999999999999");
        assertThat(huge).isGreaterThan(Decimal.of("9e99999999"));
        assertThat(huge.isInteger()).isTrue();
        assertThat(huge.isMultipleOf(Decimal.of("7"))).isFalse();
        assertThat(huge.isMultipleOf(Decimal.of("1e-999999999999"))).isTrue();
        assertThat(Decimal.of("1e-999999999999")).isGreaterThan(Decimal.of("0"));
        assertThat(Decimal.of("-1e" + "9".repeat(900))).isLessThan(Decimal.of("-1"));
        assertThat(Decimal.of("0e" + "9".repeat(900))).isEqualTo(Decimal.of("-0"));
    }

    @Test
    void saturatesAtLongMaxValue() {
        assertThat(Decimal.of("120e1").toSaturatedLong()).isEqualTo(1_200);
        assertThat(Decimal.of("0").toSaturatedLong()).isZero();
        assertThat(Decimal.of("1e999999999").toSaturatedLong()).isEqualTo(Long.MAX_VALUE);
    }
}
