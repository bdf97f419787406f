package dev.patchbay.mcp;

/** The stable reason codes of errors that the gateway reports. */
public enum ErrorReason {
    TOOL_NOT_FOUND,
    AMBIGUOUS_TOOL,
    PROMPT_NOT_FOUND,
    AMBIGUOUS_PROMPT,
    RESOURCE_NOT_FOUND,
    INVALID_ARGUMENTS,
    SERVER_NOT_FOUND,
    SERVER_DISABLED,
    SERVER_EXISTS,
    CONNECTION_FAILED,
    CONNECTION_TIMEOUT,
    SIGN_IN_NEEDED,
    NOT_TRUSTED,
    INVOCATION_FAILED,
    DISCOVERY_FAILED,
    INVALID_CONFIG,
    OVERLOADED
}
