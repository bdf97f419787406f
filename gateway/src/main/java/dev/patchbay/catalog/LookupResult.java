package dev.patchbay.catalog;

import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What a name that a client gave stands for. */
public sealed interface LookupResult<T extends NamedEntry> {
    /** Just this one. */
    record Found<T extends NamedEntry>(T entry) implements LookupResult<T> {}

    /** A bare name that several servers have. */
    record Ambiguous<T extends NamedEntry>(List<FullName> candidates) implements LookupResult<T> {
        public Ambiguous {
            candidates = List.copyOf(candidates);
        }
    }

    /** One that its server offers, and that the configuration keeps from clients. */
    record Filtered<T extends NamedEntry>(FullName name) implements LookupResult<T> {}

    /**
     * Nothing that is listed.
     *
     * @param owner the registered server whose name it would be, if it has one; that server may be
     *     disabled, or its list unknown or old
     */
    record NotFound<T extends NamedEntry>(@Nullable ServerId owner) implements LookupResult<T> {}
}
