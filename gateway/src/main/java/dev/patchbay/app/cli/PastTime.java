package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times of the option {@code --since}. */
final class PastTime {
    private static final Pattern AGO = Pattern.compile("([0-9]{1,6})([smhdw])");

    private PastTime() {}

    /** The time that is meant: so long ago, the begin of a day here, or a time with its offset. */
    static Instant parse(String text, Instant now) {
        Matcher ago = AGO.matcher(text);
        if (ago.matches()) {
            return now.minus(duration(Long.parseLong(ago.group(1)), ago.group(2)));
        }
        try {
            return text.contains("T")
                    ? OffsetDateTime.parse(text).toInstant()
                    : LocalDate.parse(text).atStartOfDay(ZoneId.systemDefault()).toInstant();
        } catch (DateTimeException _) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE,
                    "--since must be a number and a unit, such as 30m, 12h or 7d, a date such as"
                            + " 2026-11-18, or a time such as 2026-11-18T09:00:00Z.");
        }
    }

    private static Duration duration(long count, String unit) {
        return switch (unit) {
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            case "d" -> Duration.ofDays(count);
            default -> Duration.ofDays(7 * count);
        };
    }
}
