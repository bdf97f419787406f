package dev.patchbay.doctor;

import static dev.patchbay.doctor.DiagnosisSeverity.ERROR;
import static dev.patchbay.doctor.DiagnosisSeverity.NOTE;
import static dev.patchbay.doctor.DiagnosisSeverity.WARNING;

/** The causes that the doctor distinguishes. The names are stable, because scripts use them. */
public enum Cause {
    /** The configuration file has an error and is not used. */
    CONFIG_FAULT(ERROR),
    /** The configuration needs a variable that is not set. */
    VARIABLE_MISSING(ERROR),
    /** Something in the configuration is probably a mistake. */
    CONFIG_DOUBTFUL(WARNING),
    /** A project's file configures this server, and the user has not approved it. */
    NOT_TRUSTED(ERROR),
    /** A secret that the configuration of this server refers to is not there. */
    SECRET_MISSING(ERROR),
    /** This machine cannot confine the server as its configuration demands. */
    SANDBOX_UNAVAILABLE(ERROR),
    /** No server is configured. */
    NO_SERVERS(NOTE),
    /** A host with Patchbay installed hides tools whose names contain dots. */
    HOST_REJECTS_NAMES(ERROR),
    /** A host has Patchbay and its own copies of servers, so that their tools appear twice. */
    HOST_HAS_COPIES(WARNING),

    /** The program does not exist. */
    COMMAND_MISSING(ERROR),
    /** The program exists but is not executable. */
    COMMAND_NOT_EXECUTABLE(ERROR),
    /** The working directory does not exist. */
    FOLDER_MISSING(ERROR),
    /** The interpreter of the program does not exist or does not match the script. */
    WRONG_INTERPRETER(ERROR),
    /** The script for the interpreter does not exist. */
    SCRIPT_MISSING(ERROR),
    /** The program exits before it answers. */
    EXITS_AT_ONCE(ERROR),
    /** The server connected and then exited. */
    ENDS_AFTER_START(ERROR),
    /** The server runs but does not answer the handshake. */
    HANGS_AT_CONNECT(ERROR),
    /** Connected, but the server does not answer list requests. */
    HANGS_AT_LIST(ERROR),
    /** The server writes text to standard output, which is reserved for messages. */
    BANNER_ON_STDOUT(WARNING),

    /** The host name in the URL cannot be resolved. */
    HOST_UNKNOWN(ERROR),
    /** Nothing listens at the URL. */
    PORT_CLOSED(ERROR),
    /** The host in the URL does not answer. */
    HOST_SILENT(ERROR),
    /** No secure connection is possible. */
    TLS_FAILED(ERROR),
    /** The server requires sign-in. */
    SIGN_IN_NEEDED(ERROR),
    /** The server requires a credential, or rejects the configured one. */
    UNAUTHORIZED(ERROR),
    /** The server refuses access. */
    FORBIDDEN(ERROR),
    /** There is a web server, but no MCP endpoint at this path. */
    WRONG_PATH(ERROR),
    /** The server redirects to another URL. */
    REDIRECTED(ERROR),
    /** The response is not MCP. */
    NOT_MCP(ERROR),
    /** The server reports that it is unavailable. */
    SERVER_FAULT(ERROR),

    /** The server supports no MCP version that is allowed for it. */
    WRONG_ERA(ERROR),
    /** The server answered the handshake with an error. */
    REFUSES_HANDSHAKE(ERROR),
    /** Connected, but listing failed. */
    LIST_FAILED(ERROR),
    /** The connection failed for another reason. */
    NOT_CONNECTED(ERROR),

    /** The list of tools has too many pages; only the first pages are used. */
    PAGE_LIMIT(WARNING),
    /** A tool's input schema is not usable. */
    INVALID_SCHEMA(ERROR),
    /** An entry has a name that is not valid for clients. */
    ILLEGAL_NAME(ERROR),
    /** A server uses the same name twice. */
    DUPLICATE_NAME(ERROR),
    /** Too many entries, or an entry that is too large. */
    OVER_LIMIT(ERROR),
    /** An entry of a server is not valid MCP. */
    MALFORMED_ENTRY(ERROR),
    /** Connected, but the server offers no tools. */
    NO_TOOLS(NOTE),
    /** Several servers have a tool with the same name, so the bare name is ambiguous. */
    NAME_CLASH(NOTE),
    /** The configuration hides tools of the server from clients. */
    FILTERED(NOTE),
    /** The server is disabled in the configuration. */
    DISABLED(NOTE),

    /** No server has a tool of this name. */
    TOOL_NOT_FOUND(ERROR);

    private final DiagnosisSeverity severity;

    Cause(DiagnosisSeverity severity) {
        this.severity = severity;
    }

    /** The default severity. */
    public DiagnosisSeverity severity() {
        return severity;
    }
}
