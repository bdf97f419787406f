package dev.patchbay.dashboard;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the calls of each client, by the name that the client sends. Clients choose their names,
 * so the number of names is limited; the rest is counted together.
 */
final class ClientCallCounts {
    static final int NAMES_MAX = 50;
    static final int NAME_CHARS_MAX = 64;
    static final String OTHER = "other";
    static final String UNNAMED = "unnamed";

    private final ConcurrentMap<String, LongAdder> calls = new ConcurrentHashMap<>();

    void count(String client) {
        LongAdder known = calls.get(client);
        (known == null ? newCounter(client) : known).increment();
    }

    private LongAdder newCounter(String client) {
        String name = client.isEmpty() ? UNNAMED : client;
        boolean fits = name.length() <= NAME_CHARS_MAX && calls.size() < NAMES_MAX;
        return calls.computeIfAbsent(
                fits || calls.containsKey(name) ? name : OTHER, _ -> new LongAdder());
    }

    Map<String, Long> calls() {
        var counted = new TreeMap<String, Long>();
        calls.forEach((name, count) -> counted.put(name, count.sum()));
        return counted;
    }
}
