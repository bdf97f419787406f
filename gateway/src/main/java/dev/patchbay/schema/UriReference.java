package dev.patchbay.schema;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A URI reference, resolved as in RFC 3986. It accepts any text: an invalid URI resolves to
 * nothing, and the reference is reported.
 */
record UriReference(
        @Nullable String scheme,
        @Nullable String authority,
        String path,
        @Nullable String query,
        @Nullable String fragment) {
    static final UriReference EMPTY = new UriReference(null, null, "", null, null);

    static UriReference of(String text) {
        String rest = text;
        String fragment = null;
        int hash = rest.indexOf('#');
        if (hash >= 0) {
            fragment = rest.substring(hash + 1);
            rest = rest.substring(0, hash);
        }
        String query = null;
        int question = rest.indexOf('?');
        if (question >= 0) {
            query = rest.substring(question + 1);
            rest = rest.substring(0, question);
        }
        String scheme = null;
        int colon = rest.indexOf(':');
        if (colon > 0 && rest.lastIndexOf('/', colon) < 0) {
            scheme = rest.substring(0, colon);
            rest = rest.substring(colon + 1);
        }
        String authority = null;
        if (rest.startsWith("//")) {
            int slash = rest.indexOf('/', 2);
            int end = slash < 0 ? rest.length() : slash;
            authority = rest.substring(2, end);
            rest = rest.substring(end);
        }
        return new UriReference(scheme, authority, rest, query, fragment);
    }

    /** Resolves a reference against this base URI. */
    UriReference resolve(UriReference other) {
        if (other.scheme != null) {
            return other;
        }
        if (other.authority != null) {
            return new UriReference(
                    scheme, other.authority, other.path, other.query, other.fragment);
        }
        if (other.path.isEmpty()) {
            String kept = other.query == null ? query : other.query;
            return new UriReference(scheme, authority, path, kept, other.fragment);
        }
        return new UriReference(
                scheme,
                authority,
                withoutDotSegments(mergedPath(other.path)),
                other.query,
                other.fragment);
    }

    private String mergedPath(String other) {
        if (other.startsWith("/")) {
            return other;
        }
        if (authority != null && path.isEmpty()) {
            return "/" + other;
        }
        return path.substring(0, path.lastIndexOf('/') + 1) + other;
    }

    private static String withoutDotSegments(String path) {
        var kept = new StringBuilder();
        int at = 0;
        while (at < path.length()) {
            int slash = path.indexOf('/', at);
            int end = slash < 0 ? path.length() : slash + 1;
            String segment = path.substring(at, slash < 0 ? end : slash);
            if (segment.equals("..")) {
                int parent = kept.lastIndexOf("/", kept.length() - 2);
                kept.setLength(Math.max(parent + 1, path.startsWith("/") ? 1 : 0));
            } else if (!segment.equals(".")) {
                kept.append(path, at, end);
            }
            at = end;
        }
        return kept.toString();
    }

    UriReference withoutFragment() {
        return new UriReference(scheme, authority, path, query, null);
    }

    /** The percent-decoded fragment; empty if there is none. */
    String decodedFragment() {
        if (fragment == null || fragment.indexOf('%') < 0) {
            return fragment == null ? "" : fragment;
        }
        byte[] encoded = fragment.getBytes(StandardCharsets.UTF_8);
        var decoded = new ByteArrayOutputStream(encoded.length);
        for (int i = 0; i < encoded.length; i++) {
            int high = i + 2 < encoded.length ? Character.digit(encoded[i + 1], 16) : -1;
            int low = i + 2 < encoded.length ? Character.digit(encoded[i + 2], 16) : -1;
            if (encoded[i] == '%' && high >= 0 && low >= 0) {
                decoded.write(high << 4 | low);
                i += 2;
            } else {
                decoded.write(encoded[i]);
            }
        }
        return decoded.toString(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        if (scheme != null) {
            text.append(scheme).append(':');
        }
        if (authority != null) {
            text.append("//").append(authority);
        }
        text.append(path);
        if (query != null) {
            text.append('?').append(query);
        }
        if (fragment != null) {
            text.append('#').append(fragment);
        }
        return text.toString();
    }
}
