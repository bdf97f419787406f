package dev.patchbay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.gateway.CallObserver;
import dev.patchbay.history.OutcomeLabel;
import dev.patchbay.http.server.AccessScope;
import dev.patchbay.http.server.Principal;
import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;

import java.util.Set;

/** Finding 12: the call log shows a principal its own calls, unless it has the scope admin. */
class CallVisibilityTest {
    private static CallLog.Entry callBy(String principal) {
        var log = new CallLog();
        log.add(
                new CallObserver.EndedCall(
                        null,
                        "tools/call",
                        "t",
                        "client",
                        principal,
                        Json.EMPTY_OBJECT,
                        null,
                        0,
                        1,
                        null),
                OutcomeLabel.of(null),
                false);
        return log.since(0).getFirst();
    }

    @Test
    void principalSeesItsOwnCalls() {
        var visibility = CallVisibility.of(new Principal("alice", Set.of(AccessScope.DASHBOARD)));
        assertThat(visibility.shows(callBy("alice"))).isTrue();
        assertThat(visibility.shows(callBy("bob"))).isFalse();
        assertThat(visibility.shows(callBy("owner"))).isFalse();
    }

    @Test
    void adminAndOwnerSeeAllCalls() {
        var admin = new Principal("a", Set.of(AccessScope.DASHBOARD, AccessScope.ADMIN));
        assertThat(CallVisibility.of(admin).shows(callBy("bob"))).isTrue();
        assertThat(CallVisibility.of(Principal.withAllScopes("owner")).shows(callBy("bob")))
                .isTrue();
        assertThat(CallVisibility.of(null).shows(callBy("bob"))).isFalse();
    }
}
