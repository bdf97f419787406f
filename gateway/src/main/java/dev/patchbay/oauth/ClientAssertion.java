package dev.patchbay.oauth;

import dev.patchbay.json.JsonWriter;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;

/** A JWT with which a client proves who it is ({@code private_key_jwt}, RFC 7523). */
final class ClientAssertion {
    static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

    private static final int FILE_BYTES_MAX = 64 * 1024;
    private static final int LIFETIME_SECONDS = 60;
    private static final int RANDOM_BYTES = 16;
    private static final int CURVE_BITS = 256;

    /** How keys of one kind sign. */
    private enum Kind {
        RSA("RS256", "SHA256withRSA"),
        EC("ES256", "SHA256withECDSAinP1363Format"),
        ED25519("EdDSA", "Ed25519");

        private final String name;
        private final String signature;

        Kind(String name, String signature) {
            this.name = name;
            this.signature = signature;
        }
    }

    private ClientAssertion() {}

    /**
     * Signs an assertion that is valid for a minute.
     *
     * @param keyFile a private key in PEM (PKCS #8): RSA, P-256 or Ed25519
     * @param issuer the authorization server that it is for
     */
    static String sign(String keyFile, String clientId, String issuer, Instant now)
            throws SignInFailed {
        byte[] key = decodePem(readFile(keyFile), keyFile);
        for (Kind kind : Kind.values()) {
            try {
                PrivateKey parsed =
                        KeyFactory.getInstance(kind.name())
                                .generatePrivate(new PKCS8EncodedKeySpec(key));
                return sign(parsed, kind, claims(clientId, issuer, now));
            } catch (GeneralSecurityException _) {
                // It is a key of another kind.
            }
        }
        throw new SignInFailed(keyFile + " is not a private key of RSA, P-256 or Ed25519", true);
    }

    /** The text of a file with a key or a token. */
    static String readFile(String file) throws SignInFailed {
        try (var in = Files.newInputStream(Path.of(file))) {
            byte[] bytes = in.readNBytes(FILE_BYTES_MAX);
            return new String(bytes, StandardCharsets.UTF_8).strip();
        } catch (IOException _) {
            throw new SignInFailed(file + " cannot be read");
        }
    }

    private static byte[] decodePem(String text, String file) throws SignInFailed {
        String begin = "-----BEGIN PRIVATE KEY-----";
        int from = text.indexOf(begin);
        int to = text.indexOf("-----END PRIVATE KEY-----");
        if (from < 0 || to < from) {
            throw new SignInFailed(
                    file + " has no PRIVATE KEY in PEM; convert the key with openssl pkcs8", true);
        }
        try {
            return Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to));
        } catch (IllegalArgumentException _) {
            throw new SignInFailed(file + " is not valid PEM", true);
        }
    }

    private static String claims(String clientId, String issuer, Instant now) {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        return new JsonWriter()
                .beginObject()
                .member("iss", clientId)
                .member("sub", clientId)
                .member("aud", issuer)
                .member("jti", base64(random))
                .member("iat", now.getEpochSecond())
                .member("exp", now.getEpochSecond() + LIFETIME_SECONDS)
                .endObject()
                .toJson()
                .toString();
    }

    private static String sign(PrivateKey key, Kind kind, String claims)
            throws GeneralSecurityException, SignInFailed {
        if (key instanceof ECPrivateKey curve
                && curve.getParams().getOrder().bitLength() != CURVE_BITS) {
            throw new SignInFailed("The private key is on another curve than P-256", true);
        }
        var writer = new JsonWriter().beginObject().member("alg", kind.name);
        String header = writer.member("typ", "JWT").endObject().toJson().toString();
        String signed = base64(header) + "." + base64(claims);
        Signature signer = Signature.getInstance(kind.signature);
        signer.initSign(key);
        signer.update(signed.getBytes(StandardCharsets.US_ASCII));
        return signed + "." + base64(signer.sign());
    }

    private static String base64(String text) {
        return base64(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
