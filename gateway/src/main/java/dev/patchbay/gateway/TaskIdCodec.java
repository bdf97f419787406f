package dev.patchbay.gateway;

import dev.patchbay.json.JsonWriter;
import dev.patchbay.mcp.Era;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encodes the task ids of clients: the server, the server's own id, and a signature that depends on
 * the principal. An id needs no stored state, survives a restart, and cannot be forged or used by
 * another principal.
 */
final class TaskIdCodec {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int SIGNATURE_BYTES = 16;
    static final int ID_CHARS_MAX = 4_096;

    private final @Nullable Path stateDir;

    /** The key; null until the first task, because a normal start needs none. */
    private volatile @Nullable SecretKeySpec key;

    TaskIdCodec(@Nullable Path stateDir) {
        this.stateDir = stateDir;
    }

    /** The client's id for a task. */
    String encode(ServerTask task, String principal) {
        var text = Base64.getUrlEncoder().withoutPadding();
        return task.server()
                + "."
                + text.encodeToString(task.id().getBytes(StandardCharsets.UTF_8))
                + "."
                + text.encodeToString(sign(task, principal));
    }

    /** Decodes an id; null if it is not a task of this principal. */
    @Nullable ServerTask decode(String name, Era form, String principal) {
        String[] parts = name.length() > ID_CHARS_MAX ? new String[0] : name.split("\\.", -1);
        if (parts.length != 3 || !ServerId.isValid(parts[0])) {
            return null;
        }
        byte[] id;
        byte[] seal;
        try {
            id = Base64.getUrlDecoder().decode(parts[1]);
            seal = Base64.getUrlDecoder().decode(parts[2]);
        } catch (IllegalArgumentException _) {
            return null;
        }
        var task =
                new ServerTask(
                        new ServerId(parts[0]), form, new String(id, StandardCharsets.UTF_8));
        // Base64 has several spellings of the same bytes; only the canonical one is valid.
        return MessageDigest.isEqual(seal, sign(task, principal))
                        && encode(task, principal).equals(name)
                ? task
                : null;
    }

    private byte[] sign(ServerTask task, String principal) {
        byte[] text =
                new JsonWriter()
                        .beginArray()
                        .string(principal)
                        .string(task.era().name())
                        .string(task.server().value())
                        .string(task.id())
                        .endArray()
                        .toJson()
                        .toBytes();
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key());
            return Arrays.copyOf(mac.doFinal(text), SIGNATURE_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every platform has " + ALGORITHM, e);
        }
    }

    private SecretKeySpec key() {
        SecretKeySpec known = key;
        if (known == null) {
            synchronized (this) {
                known = key;
                if (known == null) {
                    known = new SecretKeySpec(TaskIdKey.load(stateDir), ALGORITHM);
                    key = known;
                }
            }
        }
        return known;
    }
}
