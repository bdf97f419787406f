package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.http.server.ConnectionAdmission.Decision;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class ConnectionAdmissionTest {
    private static final int PLACES_MAX = 8;

    private final ConnectionAdmission admission = new ConnectionAdmission(PLACES_MAX);
    private final List<TestPlace> places = new ArrayList<>();

    private record TestPlace(
            @Nullable String principal,
            String remoteAddress,
            long createdMillis,
            boolean isBusy,
            long idleMillis)
            implements ConnectionAdmission.Place {}

    private TestPlace add(@Nullable String principal, String address, boolean busy) {
        var place = new TestPlace(principal, address, places.size(), busy, 100 - places.size());
        places.add(place);
        return place;
    }

    @Test
    void admitsWhileThereIsRoom() {
        for (int i = 0; i < PLACES_MAX - 1; i++) {
            add(i < 3 ? null : "alice", "a", true);
        }
        assertThat(admission.admit(places, "a")).isEqualTo(new Decision.Admit<>());
    }

    @Test
    void oneAddressHoldsAtMostHalfOfThePlacesWithoutToken() {
        TestPlace oldest = add(null, "a", true);
        add(null, "a", false);
        add(null, "a", true);
        add(null, "a", false);
        assertThat(admission.admit(places, "a")).isEqualTo(new Decision.Evict<>(oldest));
        assertThat(admission.admit(places, "b")).isEqualTo(new Decision.Admit<>());
    }

    @Test
    void connectionsWithoutTokenAreEvictedFirst() {
        for (int i = 0; i < 5; i++) {
            add("alice", "a", false);
        }
        add(null, "b", true);
        TestPlace oldestOfMost = add(null, "c", true);
        add(null, "c", true);
        assertThat(admission.admit(places, "d")).isEqualTo(new Decision.Evict<>(oldestOfMost));
    }

    @Test
    void principalWithMostConnectionsLosesOneWhenAllAreBusy() {
        add("bob", "b", true);
        TestPlace oldest = add("alice", "a", true);
        for (int i = 0; i < 6; i++) {
            add("alice", "a", true);
        }
        assertThat(admission.admit(places, "b")).isEqualTo(new Decision.Evict<>(oldest));
    }

    @Test
    void principalLeavesAnEighthOfThePlaces() {
        for (int i = 0; i < 7; i++) {
            add("alice", "a", true);
        }
        assertThat(admission.admitPrincipal(places, "alice")).isEqualTo(new Decision.Refuse<>());
        assertThat(admission.admitPrincipal(places, "bob")).isEqualTo(new Decision.Admit<>());
        TestPlace idle = add("alice", "a", false);
        assertThat(admission.admitPrincipal(places, "alice")).isEqualTo(new Decision.Evict<>(idle));
    }
}
