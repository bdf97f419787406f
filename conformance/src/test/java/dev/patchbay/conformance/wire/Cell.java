package dev.patchbay.conformance.wire;

import dev.patchbay.testkit.LineOracle;
import dev.patchbay.testkit.Messages;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One cell of the matrix: the protocol version a client speaks, where the program runs, and which
 * of its servers it is.
 */
public record Cell(String version, Surroundings surroundings, Endpoint endpoint) {
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
    public enum Surroundings {
        POSIX("C", ""),
        UTF_8("C.UTF-8", ""),
        // Where this locale is not installed the options still make the JVM speak Turkish.
        TURKISH("tr_TR.UTF-8", "-Duser.language=tr -Duser.country=TR"),
        LATIN_1("C", "-Dfile.encoding=ISO-8859-1 -Dsun.jnu.encoding=ISO-8859-1");

        private final String locale;
        private final String options;

        Surroundings(String locale, String options) {
            this.locale = locale;
            this.options = options;
        }

        public Map<String, String> environment() {
            return Map.of("LC_ALL", locale, "LANG", locale, "PATCHBAY_JAVA_OPTS", options);
        }
    }

    static final String NEWEST_LEGACY = "2025-11-25";
    static final Cell PLAIN = new Cell(NEWEST_LEGACY, Surroundings.UTF_8);
    static final Cell MODERN = new Cell(Messages.MODERN, Surroundings.UTF_8);

    Cell(String version, Surroundings surroundings) {
        this(version, surroundings, Endpoint.GATEWAY);
    }

    /**
     * Every version in every locale, once an encoding that nobody should have, and the REPL in both
     * eras.
     */
    static List<Cell> all() {
        List<Cell> cells = gateways();
        cells.add(new Cell(NEWEST_LEGACY, Surroundings.UTF_8, Endpoint.REPL));
        cells.add(new Cell(Messages.MODERN, Surroundings.UTF_8, Endpoint.REPL));
        return cells;
    }

    /** Those of the gateway. */
    public static List<Cell> gateways() {
        var cells = new ArrayList<Cell>();
        for (Surroundings where :
                List.of(Surroundings.POSIX, Surroundings.UTF_8, Surroundings.TURKISH)) {
            for (String version : Messages.LEGACY) {
                cells.add(new Cell(version, where));
            }
            cells.add(new Cell(Messages.MODERN, where));
        }
        cells.add(new Cell(NEWEST_LEGACY, Surroundings.LATIN_1));
        return cells;
    }

    /** A few that have little in common, for what takes long. */
    static List<Cell> corners() {
        return List.of(
                new Cell(Messages.LEGACY.getFirst(), Surroundings.TURKISH),
                new Cell(Messages.MODERN, Surroundings.POSIX),
                new Cell(NEWEST_LEGACY, Surroundings.LATIN_1));
    }

    public boolean modern() {
        return version.equals(Messages.MODERN);
    }

    boolean batches() {
        return version.equals("2025-03-26");
    }

    /** What must come back in a conversation of this version in which these tools exist. */
    LineOracle oracle(String... tools) {
        return modern() ? LineOracle.modern(tools) : LineOracle.legacy(version, tools);
    }

    /** A request as a client of this version writes it. */
    public String request(String rawId, String method, String params) {
        return Messages.request(rawId, method, modern() ? Messages.modernParams(params) : params);
    }

    @Override
    public String toString() {
        return version + " in " + surroundings + " to the " + endpoint;
    }
}
