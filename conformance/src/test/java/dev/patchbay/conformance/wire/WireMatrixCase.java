package dev.patchbay.conformance.wire;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.LineOracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One cell of the matrix: the protocol version a client speaks, where the program runs, and which
 * of its servers it is.
 */
public record WireMatrixCase(String version, LocaleSetting localeSetting, Endpoint endpoint) {
    /** What of the program is talked to. */
    public enum Endpoint {
        GATEWAY("patchbay"),
        REPL("patchbay-java");

        private final String serverName;

        Endpoint(String serverName) {
            this.serverName = serverName;
        }

        /** What it calls itself. */
        String serverName() {
            return serverName;
        }
    }

    /** What the environment says of language and encoding, and the options that go with it. */
    public enum LocaleSetting {
        POSIX("C", ""),
        UTF_8("C.UTF-8", ""),
        // Where this locale is not installed the options still make the JVM speak Turkish.
        TURKISH("tr_TR.UTF-8", "-Duser.language=tr -Duser.country=TR"),
        LATIN_1("C", "-Dfile.encoding=ISO-8859-1 -Dsun.jnu.encoding=ISO-8859-1");

        private final String locale;
        private final String options;

        LocaleSetting(String locale, String options) {
            this.locale = locale;
            this.options = options;
        }

        public Map<String, String> environment() {
            return Map.of("LC_ALL", locale, "LANG", locale, "PATCHBAY_JAVA_OPTS", options);
        }
    }

    static final String NEWEST_LEGACY = "2025-11-25";
    static final WireMatrixCase NEWEST_LEGACY_CASE =
            new WireMatrixCase(NEWEST_LEGACY, LocaleSetting.UTF_8);
    static final WireMatrixCase MODERN_CASE =
            new WireMatrixCase(ClientMessages.MODERN, LocaleSetting.UTF_8);

    WireMatrixCase(String version, LocaleSetting surroundings) {
        this(version, surroundings, Endpoint.GATEWAY);
    }

    /**
     * Every version in every locale, once an encoding that nobody should have, and the REPL in both
     * eras.
     */
    static List<WireMatrixCase> all() {
        List<WireMatrixCase> cells = gateways();
        cells.add(new WireMatrixCase(NEWEST_LEGACY, LocaleSetting.UTF_8, Endpoint.REPL));
        cells.add(new WireMatrixCase(ClientMessages.MODERN, LocaleSetting.UTF_8, Endpoint.REPL));
        return cells;
    }

    /** Those of the gateway. */
    public static List<WireMatrixCase> gateways() {
        var cells = new ArrayList<WireMatrixCase>();
        for (LocaleSetting where :
                List.of(LocaleSetting.POSIX, LocaleSetting.UTF_8, LocaleSetting.TURKISH)) {
            for (String version : ClientMessages.LEGACY) {
                cells.add(new WireMatrixCase(version, where));
            }
            cells.add(new WireMatrixCase(ClientMessages.MODERN, where));
        }
        cells.add(new WireMatrixCase(NEWEST_LEGACY, LocaleSetting.LATIN_1));
        return cells;
    }

    /**
     * Each version and each locale at least once; with the profile {@code long}, every combination.
     */
    public static List<WireMatrixCase> gatewaysInBrief() {
        if (Boolean.getBoolean("patchbay.long")) {
            return gateways();
        }
        var cells = new ArrayList<WireMatrixCase>();
        for (String version : ClientMessages.LEGACY) {
            cells.add(new WireMatrixCase(version, LocaleSetting.UTF_8));
        }
        cells.add(new WireMatrixCase(ClientMessages.MODERN, LocaleSetting.POSIX));
        cells.add(new WireMatrixCase(ClientMessages.MODERN, LocaleSetting.TURKISH));
        cells.add(new WireMatrixCase(NEWEST_LEGACY, LocaleSetting.LATIN_1));
        return cells;
    }

    /** A few that have little in common, for what takes long. */
    static List<WireMatrixCase> corners() {
        return List.of(
                new WireMatrixCase(ClientMessages.LEGACY.getFirst(), LocaleSetting.TURKISH),
                new WireMatrixCase(ClientMessages.MODERN, LocaleSetting.POSIX),
                new WireMatrixCase(NEWEST_LEGACY, LocaleSetting.LATIN_1));
    }

    public boolean isModern() {
        return version.equals(ClientMessages.MODERN);
    }

    boolean allowsBatches() {
        return version.equals("2025-03-26");
    }

    /** What must come back in a conversation of this version in which these tools exist. */
    LineOracle oracle(String... tools) {
        return isModern() ? LineOracle.modern(tools) : LineOracle.legacy(version, tools);
    }

    /** A request as a client of this version writes it. */
    public String request(String rawId, String method, String params) {
        return ClientMessages.request(
                rawId, method, isModern() ? ClientMessages.modernParams(params) : params);
    }

    @Override
    public String toString() {
        return version + " in " + localeSetting + " to the " + endpoint;
    }
}
