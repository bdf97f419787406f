package dev.patchbay.mcp;

/** The error codes that MCP adds to those of JSON-RPC. */
public final class McpErrorCodes {
    public static final int HEADER_MISMATCH = -32020;
    public static final int MISSING_CLIENT_CAPABILITY = -32021;
    public static final int UNSUPPORTED_PROTOCOL_VERSION = -32022;

    /** A resource was not found; legacy era only. */
    public static final int RESOURCE_NOT_FOUND = -32002;

    /** The user must visit URLs first; 2025-11-25 only. */
    public static final int URL_ELICITATION_REQUIRED = -32042;

    /** Whether only the modern era has the code. */
    public static boolean isModernOnly(int code) {
        return code == HEADER_MISMATCH
                || code == MISSING_CLIENT_CAPABILITY
                || code == UNSUPPORTED_PROTOCOL_VERSION;
    }

    private McpErrorCodes() {}
}
