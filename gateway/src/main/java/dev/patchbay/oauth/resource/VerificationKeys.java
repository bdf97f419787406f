package dev.patchbay.oauth.resource;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;

/** The public keys of an issuer (JWKS) that can verify access tokens. */
final class VerificationKeys {
    private static final int KEYS_MAX = 100;
    private static final int RSA_BITS_MIN = 2_048;

    /** How many keys are tried for a token that names none. */
    private static final int UNNAMED_TRIES_MAX = 8;

    /** The outcome of a verification. */
    enum Outcome {
        VALID,
        WRONG_SIGNATURE,
        UNKNOWN_KEY
    }

    private final List<JWK> keys;

    private VerificationKeys(List<JWK> keys) {
        this.keys = List.copyOf(keys);
    }

    /** The usable keys of a key set. Keys of an unknown or unsafe kind are left out. */
    static VerificationKeys parse(Json keySet) {
        var keys = new ArrayList<JWK>();
        Json array = keySet.member("keys");
        if (array != null && array.isArray()) {
            for (Json entry : array.elements()) {
                JWK key = parseKey(entry);
                if (key != null && keys.size() < KEYS_MAX) {
                    keys.add(key);
                }
            }
        }
        return new VerificationKeys(keys);
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    /** Verifies the signature of a token, whose algorithm was checked. */
    Outcome verify(SignedJwt token, SignatureAlgorithm algorithm) {
        String keyId = token.header().memberText("kid");
        int tries = 0;
        for (JWK key : keys) {
            boolean isNamed = keyId == null || keyId.equals(key.getKeyID());
            if (isNamed && fits(key, algorithm) && tries < UNNAMED_TRIES_MAX) {
                tries++;
                if (isSignedBy(key, token, algorithm)) {
                    return Outcome.VALID;
                }
            }
        }
        return tries == 0 ? Outcome.UNKNOWN_KEY : Outcome.WRONG_SIGNATURE;
    }

    private static @Nullable JWK parseKey(Json entry) {
        try {
            JWK key = JWK.parse(entry.toString());
            boolean isForSignatures =
                    key.getKeyUse() == null || KeyUse.SIGNATURE.equals(key.getKeyUse());
            return isForSignatures && !key.isPrivate() && isSupported(key) ? key : null;
        } catch (ParseException | IllegalArgumentException _) {
            return null;
        }
    }

    private static boolean isSupported(JWK key) {
        // No type switch: the build rewrites those, and does not know the library's classes.
        if (key instanceof RSAKey) {
            return key.size() >= RSA_BITS_MIN;
        }
        if (key instanceof ECKey curve) {
            return Curve.P_256.equals(curve.getCurve());
        }
        return key instanceof OctetKeyPair pair && Curve.Ed25519.equals(pair.getCurve());
    }

    private static boolean fits(JWK key, SignatureAlgorithm algorithm) {
        boolean isDeclared =
                key.getAlgorithm() == null
                        || algorithm == SignatureAlgorithm.of(key.getAlgorithm().getName());
        return isDeclared
                && switch (algorithm) {
                    case RS256 -> key instanceof RSAKey;
                    case ES256 -> key instanceof ECKey;
                    case EDDSA -> key instanceof OctetKeyPair;
                };
    }

    private static boolean isSignedBy(JWK key, SignedJwt token, SignatureAlgorithm algorithm) {
        byte[] signed = token.signedText().getBytes(StandardCharsets.US_ASCII);
        var signature = new Base64URL(token.signature());
        try {
            if (key instanceof OctetKeyPair pair) {
                return Ed25519Signature.isValid(pair.getDecodedX(), signed, signature.decode());
            }
            var header = new JWSHeader(JWSAlgorithm.parse(algorithm.name()));
            return verifier(key).verify(header, signed, signature);
        } catch (JOSEException | GeneralSecurityException | IllegalArgumentException _) {
            return false;
        }
    }

    private static JWSVerifier verifier(JWK key) throws JOSEException {
        return key instanceof ECKey ec ? new ECDSAVerifier(ec) : new RSASSAVerifier(key.toRSAKey());
    }
}
