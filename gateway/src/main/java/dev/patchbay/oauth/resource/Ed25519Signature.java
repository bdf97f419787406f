package dev.patchbay.oauth.resource;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;

/** Verifies Ed25519 signatures (RFC 8032) with the JDK. */
final class Ed25519Signature {
    private static final int KEY_BYTES = 32;

    private Ed25519Signature() {}

    /** Whether a signature is valid under a public key in its usual encoding. */
    static boolean isValid(byte[] publicKey, byte[] signed, byte[] signature)
            throws GeneralSecurityException {
        if (publicKey.length != KEY_BYTES) {
            return false;
        }
        // The encoding is little-endian; its last bit is the sign of x.
        byte[] y = new byte[KEY_BYTES];
        for (int i = 0; i < KEY_BYTES; i++) {
            y[i] = publicKey[KEY_BYTES - 1 - i];
        }
        boolean isXOdd = (y[0] & 0x80) != 0;
        y[0] &= 0x7f;
        var point = new EdECPoint(isXOdd, new BigInteger(1, y));
        var key =
                KeyFactory.getInstance("Ed25519")
                        .generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point));
        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(key);
        verifier.update(signed);
        return verifier.verify(signature);
    }
}
