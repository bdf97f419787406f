package dev.patchbay.http.server;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Decides which connection makes room for another one.
 *
 * <ul>
 *   <li>Connections without a token never displace connections with one, and one address holds at
 *       most half of all places without a token.
 *   <li>A principal leaves an eighth of the places to others. When all places are taken, the
 *       principal with the most connections loses one.
 * </ul>
 */
final class ConnectionAdmission {
    /** One connection of a client. */
    interface Place {
        /** The principal that authenticated last; null if there was no request with a token yet. */
        @Nullable String principal();

        String remoteAddress();

        long createdMillis();

        /** Whether a request is in progress. */
        boolean isBusy();

        long idleMillis();
    }

    /** What becomes of a new connection. */
    sealed interface Decision<P extends Place> {
        /** There is room. */
        record Admit<P extends Place>() implements Decision<P> {}

        /** Another connection must be closed for it. */
        record Evict<P extends Place>(P victim) implements Decision<P> {}

        /** There is no room. */
        record Refuse<P extends Place>() implements Decision<P> {}
    }

    private final int placesMax;

    ConnectionAdmission(int placesMax) {
        this.placesMax = placesMax;
    }

    /** Decides about a new connection from an address. */
    <P extends Place> Decision<P> admit(Collection<P> places, String address) {
        if (places.size() < placesMax / 2) {
            return new Decision.Admit<>();
        }
        long sameAddress =
                unauthenticated(places).filter(p -> p.remoteAddress().equals(address)).count();
        if (sameAddress >= Math.max(1, placesMax / 2)) {
            return evict(oldest(unauthenticated(places), p -> p.remoteAddress().equals(address)));
        }
        if (places.size() < placesMax) {
            return new Decision.Admit<>();
        }
        return evict(victim(places));
    }

    /**
     * Decides about the first request of a principal on a connection, which is not among its
     * connections yet.
     */
    <P extends Place> Decision<P> admitPrincipal(Collection<P> places, String principal) {
        int shareMax = placesMax - placesMax / 8;
        if (places.size() < shareMax) {
            return new Decision.Admit<>();
        }
        long own = places.stream().filter(p -> principal.equals(p.principal())).count();
        if (own < shareMax) {
            return new Decision.Admit<>();
        }
        return evict(longestIdle(places, p -> principal.equals(p.principal())));
    }

    private static <P extends Place> Optional<P> victim(Collection<P> places) {
        String busiest = mostFrequent(unauthenticated(places), Place::remoteAddress);
        if (busiest != null) {
            return oldest(unauthenticated(places), p -> p.remoteAddress().equals(busiest));
        }
        Optional<P> idle = longestIdle(places, _ -> true);
        if (idle.isPresent()) {
            return idle;
        }
        String largest = mostFrequent(places.stream(), p -> String.valueOf(p.principal()));
        return oldest(places.stream(), p -> String.valueOf(p.principal()).equals(largest));
    }

    private static <P extends Place> Stream<P> unauthenticated(Collection<P> places) {
        return places.stream().filter(place -> place.principal() == null);
    }

    private static <P extends Place> Optional<P> oldest(Stream<P> places, Predicate<P> among) {
        return places.filter(among).min(Comparator.comparingLong(Place::createdMillis));
    }

    private static <P extends Place> Optional<P> longestIdle(
            Collection<P> places, Predicate<P> among) {
        return places.stream()
                .filter(among.and(place -> !place.isBusy()))
                .max(Comparator.comparingLong(Place::idleMillis));
    }

    private static <P extends Place> @Nullable String mostFrequent(
            Stream<P> places, Function<P, String> key) {
        Map<String, Integer> counts = new HashMap<>();
        places.forEach(place -> counts.merge(key.apply(place), 1, Integer::sum));
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    private static <P extends Place> Decision<P> evict(Optional<P> victim) {
        return victim.<Decision<P>>map(Decision.Evict::new).orElseGet(Decision.Refuse::new);
    }
}
