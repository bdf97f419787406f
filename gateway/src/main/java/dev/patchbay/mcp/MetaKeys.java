package dev.patchbay.mcp;

/** The members of {@code _meta} that the gateway uses. */
public final class MetaKeys {
    public static final String META = "_meta";
    public static final String PROGRESS_TOKEN = "progressToken";
    public static final String PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
    public static final String CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
    public static final String CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
    public static final String LOG_LEVEL = "io.modelcontextprotocol/logLevel";
    public static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";
    public static final String SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

    /** The details that the gateway adds to a failed call. */
    public static final String ERROR = "dev.patchbay/error";

    private MetaKeys() {}
}
