package dev.patchbay.http.client;

import dev.patchbay.http.client.wire.HttpSender;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Parses the delay that a server requests, within a limit. */
final class RetryAfter {
    static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private static final int DIGITS_MAX = 9;

    private RetryAfter() {}

    /** The requested delay; zero if there is none or it is invalid. */
    static Duration parse(HttpSender.Response answer) {
        String header = answer.header("Retry-After");
        if (header == null) {
            return Duration.ZERO;
        }
        Duration asked =
                isNumber(header) ? seconds(header) : untilDate(header, answer.header("Date"));
        return asked.isNegative() ? Duration.ZERO : min(asked, WAIT_MAX);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static Duration seconds(String digits) {
        return digits.length() > DIGITS_MAX ? WAIT_MAX : Duration.ofSeconds(Long.parseLong(digits));
    }

    /** A date is compared with the server's own clock, because clocks differ. */
    private static Duration untilDate(String moment, @Nullable String now) {
        if (now == null) {
            return Duration.ZERO;
        }
        try {
            return Duration.between(parseDate(now), parseDate(moment));
        } catch (DateTimeException | ArithmeticException _) {
            return Duration.ZERO;
        }
    }

    private static ZonedDateTime parseDate(String moment) {
        return ZonedDateTime.parse(moment, DateTimeFormatter.RFC_1123_DATE_TIME);
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
