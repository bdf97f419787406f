package dev.patchbay.http.server;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The legacy sessions that are open, bounded in number and in time. A session that was opened and
 * never used is ended first, and a principal with many sessions makes room for one with fewer.
 */
final class LegacyHttpSessionRegistry {
    private static final int ID_BYTES = 24;
    private static final long UNUSED_NANOS_MAX = Duration.ofSeconds(30).toNanos();
    private static final long EVICTABLE_IDLE_NANOS_MIN = Duration.ofMinutes(5).toNanos();

    private final int sessionsMax;
    private final long idleNanosMax;
    private final LegacySessionStore store;
    private final SecureRandom random = new SecureRandom();
    private final ConcurrentMap<String, LegacyHttpSession> openSessions = new ConcurrentHashMap<>();

    /** The ids of sessions that have ended and whose files are not deleted yet. */
    private final Set<String> endedIds = new HashSet<>();

    LegacyHttpSessionRegistry(int sessionsMax, Duration idleMax, LegacySessionStore store) {
        this.sessionsMax = sessionsMax;
        this.store = store;
        this.idleNanosMax = idleMax.toNanos();
    }

    /** An id that cannot be guessed. */
    String newId() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Adds a session; false if there are too many that are in use. */
    boolean add(LegacyHttpSession session) {
        LegacyHttpSession victim = null;
        synchronized (this) {
            if (openSessions.size() >= sessionsMax) {
                victim = victimFor(session);
                if (victim == null) {
                    return false;
                }
                openSessions.remove(victim.id(), victim);
            }
            openSessions.put(session.id(), session);
        }
        if (victim != null) {
            victim.end(); // not under the lock: it stops requests and notifies
        }
        return true;
    }

    /** The session of that id, for its owner only. */
    @Nullable LegacyHttpSession find(String id, EndpointClient client) {
        LegacyHttpSession session = openSessions.get(id);
        return session != null && session.belongsTo(client) ? session : null;
    }

    /** What is stored of a session that another process has opened, for its owner only. */
    @Nullable StoredSession findStored(String id, EndpointClient client) {
        boolean mayBeStored = id.length() == 2 * ID_BYTES && !hasEnded(id);
        StoredSession stored = mayBeStored ? store.find(id) : null;
        return stored != null && stored.belongsTo(client) ? stored : null;
    }

    /** Adds a session that was restored; null if there are too many that are in use. */
    synchronized @Nullable LegacyHttpSession addRestored(LegacyHttpSession session) {
        LegacyHttpSession other = openSessions.get(session.id());
        return other != null ? other : add(session) ? session : null;
    }

    /** Stores a session for the next process, in the background. */
    void saveInBackground(LegacyHttpSession session) {
        Thread.ofVirtual().start(() -> session.save(store));
    }

    void end(LegacyHttpSession session) {
        synchronized (endedIds) {
            if (!openSessions.remove(session.id(), session)) {
                return;
            }
            endedIds.add(session.id());
        }
        session.end();
        Thread.ofVirtual().start(() -> delete(session));
    }

    private void delete(LegacyHttpSession session) {
        session.delete(store);
        synchronized (endedIds) {
            endedIds.remove(session.id());
        }
    }

    private boolean hasEnded(String id) {
        synchronized (endedIds) {
            return endedIds.contains(id);
        }
    }

    /** Ends all sessions here. Their clients can continue them with the next process. */
    void close() {
        for (LegacyHttpSession session : all()) {
            if (openSessions.remove(session.id(), session)) {
                if (session.isUsed()) {
                    session.save(store);
                }
                session.end();
            }
        }
    }

    /** Ends unused sessions. */
    void expire() {
        for (LegacyHttpSession session : openSessions.values()) {
            long idle = session.idleNanos();
            if (idle > idleNanosMax || (!session.isUsed() && idle > UNUSED_NANOS_MAX)) {
                end(session);
            } else {
                session.pruneStreams();
                session.expireQuestions(System.nanoTime());
            }
        }
    }

    int count() {
        return openSessions.size();
    }

    List<LegacyHttpSession> all() {
        return List.copyOf(openSessions.values());
    }

    /** The session that makes room for a new one; null if none does. */
    private @Nullable LegacyHttpSession victimFor(LegacyHttpSession newcomer) {
        return longestIdle(session -> !session.isUsed() && session.idleNanos() > 0)
                .or(() -> longestIdle(it -> it.idleNanos() > EVICTABLE_IDLE_NANOS_MIN))
                .or(() -> victimOfLargest(newcomer))
                .orElse(null);
    }

    /** A session of the principal that has the most, for one that has fewer. */
    private Optional<LegacyHttpSession> victimOfLargest(LegacyHttpSession newcomer) {
        Map<String, Long> counts =
                openSessions.values().stream()
                        .collect(
                                Collectors.groupingBy(
                                        LegacyHttpSession::principal, Collectors.counting()));
        var largest = counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElse(null);
        long own = counts.getOrDefault(newcomer.principal(), 0L);
        return largest == null || own + 1 >= largest.getValue()
                ? Optional.empty()
                : longestIdle(session -> session.principal().equals(largest.getKey()));
    }

    private Optional<LegacyHttpSession> longestIdle(Predicate<LegacyHttpSession> among) {
        return openSessions.values().stream()
                .filter(among)
                .max(Comparator.comparingLong(LegacyHttpSession::idleNanos));
    }
}
