package dev.patchbay.catalog;

import dev.patchbay.catalog.WithheldEntry.Fault;
import dev.patchbay.json.Json;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Takes entries of several lists as long as they have at most so many bytes together. */
final class SizeLimit {
    private final long bytesMax;
    private final List<WithheldEntry> withheld = new ArrayList<>();
    private long left;

    SizeLimit(long bytesMax) {
        this.bytesMax = bytesMax;
        this.left = bytesMax;
    }

    /** The first entries of a list that fit; after one that does not, none is taken. */
    <T> List<T> first(String kind, List<T> entries, Function<T, Json> definition) {
        int count = 0;
        while (count < entries.size() && definition.apply(entries.get(count)).length() <= left) {
            left -= definition.apply(entries.get(count)).length();
            count++;
        }
        if (count == entries.size()) {
            return entries;
        }
        left = 0;
        int surplus = entries.size() - count;
        withheld.add(
                new WithheldEntry(
                        "list",
                        "",
                        "%d %s are withheld: the lists of this server are limited to %d bytes"
                                .formatted(surplus, kind, bytesMax),
                        Fault.SIZE));
        return List.copyOf(entries.subList(0, count));
    }

    List<WithheldEntry> withheld() {
        return List.copyOf(withheld);
    }
}
