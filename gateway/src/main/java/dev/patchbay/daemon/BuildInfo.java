package dev.patchbay.daemon;

/**
 * Which program a process runs.
 *
 * @param version the version of the program
 * @param id differs between two builds of a version
 * @param launcher the script that starts the program; empty if there is none
 */
public record BuildInfo(String version, String id, String launcher) {
    /**
     * Whether a process of this build takes the place of a daemon of another one: after an upgrade
     * of the same installation, or when the version is higher.
     */
    boolean replaces(BuildInfo daemon) {
        int order = compareVersions(version, daemon.version);
        return order > 0
                || (order == 0 && launcher.equals(daemon.launcher) && !id.equals(daemon.id));
    }

    /** Compares the numbers of two versions, such as 1.10.0 and 1.9.2. */
    static int compareVersions(String one, String other) {
        int i = 0;
        int k = 0;
        while (i < one.length() || k < other.length()) {
            int endOfOne = numberEnd(one, i);
            int endOfOther = numberEnd(other, k);
            int order = Long.compare(number(one, i, endOfOne), number(other, k, endOfOther));
            if (order != 0) {
                return order;
            }
            i = endOfOne + 1;
            k = endOfOther + 1;
        }
        return 0;
    }

    private static int numberEnd(String text, int from) {
        int at = Math.min(from, text.length());
        while (at < text.length() && text.charAt(at) != '.') {
            at++;
        }
        return at;
    }

    /** The number in a range of a text; 0 if there is none. */
    private static long number(String text, int from, int to) {
        long value = 0;
        for (int at = from; at < to && at - from < 9; at++) {
            int digit = Character.digit(text.charAt(at), 10);
            if (digit < 0) {
                break;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
