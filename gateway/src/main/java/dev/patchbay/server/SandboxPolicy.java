package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** How far the process of a server is confined. */
public sealed interface SandboxPolicy {
    /** The process may do everything that the user may do. */
    record None() implements SandboxPolicy {}

    /**
     * Credentials and other processes are hidden; the rest is readable, the working directory and
     * caches are writable, the network is open.
     *
     * @param read paths that stay readable although they are usually hidden
     * @param write more paths that are writable
     */
    record Standard(List<String> read, List<String> write) implements SandboxPolicy {
        public Standard {
            read = List.copyOf(read);
            write = List.copyOf(write);
        }
    }

    /**
     * Only system libraries, the program itself and the listed paths and hosts can be reached.
     *
     * @param read paths that are readable
     * @param write paths that are readable and writable
     * @param network what can be connected to, through a proxy; empty for no network
     */
    record Strict(List<String> read, List<String> write, List<Endpoint> network)
            implements SandboxPolicy {
        public Strict {
            read = List.copyOf(read);
            write = List.copyOf(write);
            network = List.copyOf(network);
        }
    }

    /** As standard; what the process uses is recorded as a profile for strict. */
    record Learn() implements SandboxPolicy {}

    /**
     * A host and a port.
     *
     * @param host a name, an address, or {@code *.} and a domain for all names below it
     */
    record Endpoint(String host, int port) {
        private static final int PORT_MAX = 65_535;
        private static final int HOST_CHARS_MAX = 253;
        private static final int PORT_CHARS_MAX = 5;

        public Endpoint {
            if (!isHost(host) || port < 1 || port > PORT_MAX) {
                throw new IllegalArgumentException("Not a host and a port");
            }
        }

        /** Reads {@code host:port}; null if it is none. */
        public static @Nullable Endpoint parse(String text) {
            int colon = text.lastIndexOf(':');
            String digits = text.substring(colon + 1);
            String host = colon < 0 ? "" : unbracketed(text.substring(0, colon));
            if (digits.isEmpty()
                    || digits.length() > PORT_CHARS_MAX
                    || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return null;
            }
            int port = Integer.parseInt(digits);
            return isHost(host) && port >= 1 && port <= PORT_MAX ? new Endpoint(host, port) : null;
        }

        /** Whether this entry allows a connection to a host and a port. */
        public boolean matches(String otherHost, int otherPort) {
            if (port != otherPort) {
                return false;
            }
            return host.startsWith("*.")
                    ? otherHost.length() >= host.length()
                            && otherHost.regionMatches(
                                    true,
                                    otherHost.length() - host.length() + 1,
                                    host,
                                    1,
                                    host.length() - 1)
                    : host.equalsIgnoreCase(otherHost);
        }

        private static String unbracketed(String host) {
            return host.startsWith("[") && host.endsWith("]")
                    ? host.substring(1, host.length() - 1)
                    : host;
        }

        private static boolean isHost(String host) {
            return !host.isEmpty()
                    && host.length() <= HOST_CHARS_MAX
                    && host.lastIndexOf('*') <= (host.startsWith("*.") ? 0 : -1)
                    && host.chars()
                            .allMatch(
                                    c ->
                                            Character.isLetterOrDigit(c)
                                                    || c == '.'
                                                    || c == '-'
                                                    || c == '_'
                                                    || c == ':'
                                                    || c == '*');
        }

        @Override
        public String toString() {
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /** No confinement. */
    static SandboxPolicy none() {
        return new None();
    }

    /** The word for it in configuration and output. */
    default String levelName() {
        return switch (this) {
            case None _ -> "none";
            case Standard _ -> "standard";
            case Strict _ -> "strict";
            case Learn _ -> "learn";
        };
    }
}
