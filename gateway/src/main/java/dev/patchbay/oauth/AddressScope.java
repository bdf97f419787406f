package dev.patchbay.oauth;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** The reach of an address, from this machine to everywhere. */
enum AddressScope {
    /**
     * Addresses that must not be contacted: link-local (cloud metadata), multicast, unspecified.
     */
    FORBIDDEN,
    /** This machine. */
    LOOPBACK,
    /** A private network. */
    PRIVATE,
    PUBLIC;

    /** The scope of an address; an address with an embedded address has that address's scope. */
    static AddressScope of(InetAddress address) {
        if (address.isAnyLocalAddress()
                || address.isLinkLocalAddress()
                || address.isMulticastAddress()) {
            return FORBIDDEN;
        }
        if (address.isLoopbackAddress()) {
            return LOOPBACK;
        }
        byte[] bytes = address.getAddress();
        return address instanceof Inet6Address ? ofIpv6(bytes) : ofIpv4(bytes);
    }

    private static AddressScope ofIpv4(byte[] bytes) {
        int first = bytes[0] & 0xff;
        int second = bytes[1] & 0xff;
        boolean own =
                first == 10
                        || (first == 172 && second >= 16 && second < 32)
                        || (first == 192 && second == 168)
                        || (first == 100 && second >= 64 && second < 128)
                        || (first == 198 && (second == 18 || second == 19))
                        || (first == 192 && second == 0 && bytes[2] == 0);
        if (first == 0 || first >= 240) {
            return FORBIDDEN;
        }
        return own ? PRIVATE : PUBLIC;
    }

    private static AddressScope ofIpv6(byte[] bytes) {
        if ((bytes[0] & 0xfe) == 0xfc || ((bytes[0] & 0xff) == 0xfe && (bytes[1] & 0xc0) == 0xc0)) {
            return PRIVATE;
        }
        if (bytes[0] == 0x20 && bytes[1] == 0x02) { // 6to4
            return ofEmbeddedIpv4(bytes, 2);
        }
        if (bytes[0] == 0 && bytes[1] == 0x64 && (bytes[2] & 0xff) == 0xff) { // NAT64
            return ofEmbeddedIpv4(bytes, 12);
        }
        boolean compatible = true;
        for (int i = 0; i < 12; i++) {
            compatible &= bytes[i] == 0;
        }
        return compatible ? ofEmbeddedIpv4(bytes, 12) : PUBLIC;
    }

    private static AddressScope ofEmbeddedIpv4(byte[] bytes, int at) {
        try {
            return of(InetAddress.getByAddress(Arrays.copyOfRange(bytes, at, at + 4)));
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // four bytes are the embedded address
        }
    }
}
