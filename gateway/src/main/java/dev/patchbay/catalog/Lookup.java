package dev.patchbay.catalog;

import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What a name that a client gave stands for. */
public sealed interface Lookup<T extends Named> {
    /** Just this one. */
    record Found<T extends Named>(T entry) implements Lookup<T> {}

    /** A bare name that several servers have. */
    record Ambiguous<T extends Named>(List<FullName> candidates) implements Lookup<T> {
        public Ambiguous {
            candidates = List.copyOf(candidates);
        }
    }

    /** One that its server offers, and that the configuration keeps from clients. */
    record Filtered<T extends Named>(FullName name) implements Lookup<T> {}

    /**
     * Nothing that is listed.
     *
     * @param owner the registered server whose name it would be, if it has one; that server may be
     *     disabled, or its list unknown or old
     */
    record Absent<T extends Named>(@Nullable ServerId owner) implements Lookup<T> {}
}
