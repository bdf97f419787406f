package dev.patchbay.doctor;

import static dev.patchbay.doctor.DiagnosisSeverity.ERROR;
import static dev.patchbay.doctor.DiagnosisSeverity.NOTE;
import static dev.patchbay.doctor.DiagnosisSeverity.WARNING;

/** The kinds of trouble that the doctor tells apart. The names are stable: scripts use them. */
public enum Cause {
    /** The configuration file has an error, so that nothing of it is used. */
    CONFIG_FAULT(ERROR),
    /** The configuration needs a variable that is not set. */
    VARIABLE_MISSING(ERROR),
    /** Something in the configuration is probably not what was meant. */
    CONFIG_DOUBTFUL(WARNING),
    /** A project's file configures this server, and the user has not approved it. */
    NOT_TRUSTED(ERROR),
    /** A secret that the configuration of this server refers to is not there. */
    SECRET_MISSING(ERROR),
    /** No server is configured. */
    NO_SERVERS(NOTE),
    /** A host that has Patchbay in its list hides tools whose names have dots. */
    HOST_REJECTS_NAMES(ERROR),

    /** The program is not there. */
    COMMAND_MISSING(ERROR),
    /** The program is there, but it may not be run. */
    COMMAND_NOT_EXECUTABLE(ERROR),
    /** The folder to run in is not there. */
    FOLDER_MISSING(ERROR),
    /** The program is run by something that is not there or cannot understand it. */
    WRONG_INTERPRETER(ERROR),
    /** The file that the interpreter is given is not there. */
    SCRIPT_MISSING(ERROR),
    /** It ends before it has answered. */
    EXITS_AT_ONCE(ERROR),
    /** The server connected and then exited. */
    ENDS_AFTER_START(ERROR),
    /** The server runs but does not answer the handshake. */
    HANGS_AT_CONNECT(ERROR),
    /** It is connected, but does not answer when asked for its lists. */
    HANGS_AT_LIST(ERROR),
    /** The server writes text to standard output, which is reserved for messages. */
    BANNER_ON_STDOUT(WARNING),

    /** The name in the URL has no address. */
    HOST_UNKNOWN(ERROR),
    /** Nothing listens on the port. */
    PORT_CLOSED(ERROR),
    /** The machine behind the URL does not answer. */
    HOST_SILENT(ERROR),
    /** No safe connection can be made. */
    TLS_FAILED(ERROR),
    /** It wants somebody to sign in. */
    SIGN_IN_NEEDED(ERROR),
    /** It wants to be shown a credential, or another one. */
    UNAUTHORIZED(ERROR),
    /** It knows us and does not let us in. */
    FORBIDDEN(ERROR),
    /** There is something at the address, but not at this path. */
    WRONG_PATH(ERROR),
    /** It sends us to another URL. */
    REDIRECTED(ERROR),
    /** The response is not MCP. */
    NOT_MCP(ERROR),
    /** The server reports that it is unavailable. */
    SERVER_FAULT(ERROR),

    /** It speaks no version of the protocol that may be spoken with it. */
    WRONG_ERA(ERROR),
    /** The server answered the handshake with an error. */
    REFUSES_HANDSHAKE(ERROR),
    /** It could not be asked for its lists. */
    LIST_FAILED(ERROR),
    /** It could not be connected, for another reason than these. */
    NOT_CONNECTED(ERROR),

    /** Its list of tools has no end; only the beginning is used. */
    PAGE_LIMIT(WARNING),
    /** A tool's input schema cannot be used. */
    INVALID_SCHEMA(ERROR),
    /** Something has a name that clients cannot take. */
    ILLEGAL_NAME(ERROR),
    /** A server offers the same name twice. */
    DUPLICATE_NAME(ERROR),
    /** There is too much of it: too many, or too long. */
    OVER_LIMIT(ERROR),
    /** Something a server offers is not what the protocol says. */
    MALFORMED_ENTRY(ERROR),
    /** Connected, but the server offers no tools. */
    NO_TOOLS(NOTE),
    /** Two servers have a tool of the same name, so that the bare name means neither. */
    NAME_CLASH(NOTE),
    /** The configuration keeps tools of it from clients. */
    FILTERED(NOTE),
    /** The server is disabled in the configuration. */
    DISABLED(NOTE),

    /** No server has a tool of this name. */
    TOOL_NOT_FOUND(ERROR);

    private final DiagnosisSeverity severity;

    Cause(DiagnosisSeverity severity) {
        this.severity = severity;
    }

    /** How bad it is in itself. */
    public DiagnosisSeverity severity() {
        return severity;
    }
}
