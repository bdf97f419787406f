package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The share of each server in the bytes of all lists. */
class ListingBudgetTest {
    private final ListingBudget budget = new ListingBudget(100, 60);

    /** Lists of a size that changes when they are limited. */
    private static final class FakeLists implements ListingBudget.Holder {
        private long bytes;

        @Override
        public void limit(long bytesMax) {
            bytes = Math.min(bytes, bytesMax);
        }
    }

    private FakeLists claim(long bytes) {
        var lists = new FakeLists();
        lists.bytes = bytes;
        lists.limit(budget.claim(lists, bytes));
        return lists;
    }

    @Test
    void oneServerNeverGetsMoreThanItsShare() {
        assertThat(claim(1_000).bytes).isEqualTo(60);
    }

    @Test
    void onlyTheLargestListsAreLimited() {
        FakeLists small = claim(5);
        FakeLists first = claim(60);
        FakeLists second = claim(60);
        FakeLists late = claim(15);
        assertThat(small.bytes).isEqualTo(5);
        assertThat(late.bytes).isEqualTo(15);
        assertThat(first.bytes).isEqualTo(40);
        assertThat(second.bytes).isEqualTo(40);
    }

    @Test
    void releasedBytesAreAvailableAgain() {
        FakeLists first = claim(60);
        FakeLists second = claim(60);
        assertThat(second.bytes).isEqualTo(50);
        budget.release(first);
        assertThat(budget.limit()).isEqualTo(60);
    }

    @Test
    void theTotalIsNeverExceededAndSmallListsAreNeverLimited() {
        long seed = 20_261_118;
        var random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            var rounds = new ListingBudget(1_000, 500);
            List<FakeLists> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                var lists = new FakeLists();
                long wanted = random.nextInt(4) == 0 ? random.nextInt(5_000) : random.nextInt(20);
                lists.bytes = wanted;
                lists.limit(rounds.claim(lists, wanted));
                all.add(lists);
                assertThat(lists.bytes)
                        .as("seed %d", seed)
                        .isGreaterThanOrEqualTo(
                                Math.min(wanted, Math.min(500, 1_000 / all.size())));
                assertThat(all.stream().mapToLong(it -> it.bytes).sum())
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo(1_000);
            }
        }
    }
}
