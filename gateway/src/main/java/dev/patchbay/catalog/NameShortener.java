package dev.patchbay.catalog;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Makes a server's own name fit a style, looking at that name alone. A name of letters, digits,
 * underscores and hyphens that fits stays as it is. Any other is cut and cleaned, and ends in an
 * underscore and ten hexadecimal digits of its hash. A name that ends like that by itself gets a
 * hash too, so that no name can pass for the shortened form of another.
 */
final class NameShortener {
    private static final int HASH_BYTES = 5;
    private static final int SUFFIX_CHARS = 1 + 2 * HASH_BYTES;
    private static final Pattern NOT_DOTTED = Pattern.compile("[^A-Za-z0-9_.-]");
    private static final Pattern NOT_SAFE = Pattern.compile("[^A-Za-z0-9_-]");

    private NameShortener() {}

    static String shortenDotted(int room, String name) {
        return fits(room, name) ? name : shorten(room, name, NOT_DOTTED);
    }

    static String shortenSafe(int room, String name) {
        return fits(room, name) ? name : shorten(room, name, NOT_SAFE);
    }

    private static boolean fits(int room, String name) {
        return !name.isEmpty() && name.length() <= room && isPlain(name) && !endsInHash(name);
    }

    private static boolean isPlain(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '-') {
                return false;
            }
        }
        return true;
    }

    private static boolean endsInHash(String name) {
        int at = name.length() - SUFFIX_CHARS;
        if (at < 0 || name.charAt(at) != '_') {
            return false;
        }
        for (int i = at + 1; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    private static String shorten(int room, String name, Pattern replaced) {
        String head = name.substring(0, Math.min(name.length(), room - SUFFIX_CHARS));
        return replaced.matcher(head).replaceAll("_") + "_" + hash(name);
    }

    /** Over the characters rather than their UTF-8, which is the same for all lone surrogates. */
    private static String hash(String name) {
        ByteBuffer chars = ByteBuffer.allocate(2 * name.length());
        chars.asCharBuffer().put(name);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(chars.array());
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
