package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

/**
 * The legacy sessions that are open, bounded in number and in time. A session that was opened and
 * never used goes first: whoever opens sessions by the thousand only drives out his own.
 */
final class Sessions {
    private static final int ID_BYTES = 24;
    private static final long UNUSED_NANOS_MAX = Duration.ofSeconds(30).toNanos();
    private static final long QUIET_NANOS_MIN = Duration.ofMinutes(5).toNanos();

    private final int sessionsMax;
    private final long idleNanosMax;
    private final SecureRandom random = new SecureRandom();
    private final ConcurrentMap<String, Session> open = new ConcurrentHashMap<>();

    Sessions(int sessionsMax, Duration idleMax) {
        this.sessionsMax = sessionsMax;
        this.idleNanosMax = idleMax.toNanos();
    }

    /** An id that nobody can guess. */
    String newId() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Adds a session; false if there are too many that are in use. */
    synchronized boolean add(Session session) {
        if (open.size() >= sessionsMax && !makeRoom()) {
            return false;
        }
        open.put(session.id(), session);
        return true;
    }

    /** The session of that id, for its owner only. */
    @Nullable Session find(String id, String principal) {
        Session session = open.get(id);
        return session != null && session.belongsTo(principal) ? session : null;
    }

    void end(Session session) {
        if (open.remove(session.id(), session)) {
            session.end();
        }
    }

    /** Ends the sessions that nobody uses. */
    void expire() {
        for (Session session : open.values()) {
            long idle = session.idleNanos();
            if (idle > idleNanosMax || (!session.isUsed() && idle > UNUSED_NANOS_MAX)) {
                end(session);
            } else {
                session.prune();
            }
        }
    }

    int count() {
        return open.size();
    }

    List<Session> all() {
        return List.copyOf(open.values());
    }

    private boolean makeRoom() {
        Optional<Session> victim =
                longestIdle(session -> !session.isUsed() && session.idleNanos() > 0)
                        .or(() -> longestIdle(session -> session.idleNanos() > QUIET_NANOS_MIN));
        victim.ifPresent(this::end);
        return victim.isPresent();
    }

    private Optional<Session> longestIdle(Predicate<Session> among) {
        return open.values().stream()
                .filter(among)
                .max(Comparator.comparingLong(Session::idleNanos));
    }
}
