package dev.patchbay.testkit;

import java.io.IOException;

/**
 * A real MCP server on stdio that does what its script says, faults included. It needs the JDK
 * only: {@code java -cp testkit.jar dev.patchbay.testkit.ScriptedServer --key value …}. Tests build
 * the command with {@link ServerScript} and read what happened with {@link ServerRecording}.
 *
 * <p>A key without a value is true. {@code --script FILE} names a JSON object with the same keys.
 *
 * <p><b>Traces.</b> {@code --name TEXT} name in serverInfo (scripted). {@code --counter FILE} gets
 * a line {@code start PID NANOS} per start and {@code grandchild PID NANOS} per grandchild. {@code
 * --traffic FILE} gets every line received and sent, as {@code NANOS PID in|out LINE}. {@code
 * --mark-calls} puts the id of its call into the {@code _meta} of every question and log message,
 * as {@link ScriptedHttpServer} needs it.
 *
 * <p><b>Greeting.</b> {@code --era legacy|modern|dual} (legacy). {@code --versions A,B} the legacy
 * versions it knows; another is answered with the last of them. {@code --strict} refuses requests
 * before notifications/initialized with -32600. {@code --capabilities JSON} replaces the object
 * made from the lists. {@code --instructions TEXT}.
 *
 * <p><b>Faults of a method.</b> {@code --at METHOD[:PAGE]=ACTION,…} where the action is {@code
 * hang}, {@code error:CODE}, {@code delay:MS}, {@code crash:EXITCODE} or {@code eof} (closes its
 * stdout). So {@code --at server/discover=crash:1} exits on the probe, {@code server/discover=hang}
 * is silent on it, {@code initialize=delay:500} connects slowly, {@code tools/list:2=hang} hangs at
 * the second page, {@code resources/list=error:-32601} has no resources.
 *
 * <p><b>Starting.</b> {@code --fail-starts N} exits at once for the first N lines of the counter
 * file, with {@code --exit-code C} (1). {@code --exit C} exits at once, always. {@code --stderr
 * TEXT} says this first. {@code --start-delay MS} before anything is read. {@code --die-after MS}
 * exits after the handshake.
 *
 * <p><b>Lists.</b> {@code --tools NAME[=BEHAVIOUR[:KEY=VALUE]…],…} (echo,add): the name is the
 * behaviour unless one is given, and the values stand in for arguments a call lacks, as in {@code
 * nap=slow:ms=200}. {@code --tool-count N} adds tool1 … toolN. {@code --tools-file FILE} a JSON
 * array of definitions, sent as they are and read anew for each list; a member {@code x-behaviour}
 * is taken out and says what the tool does. {@code --watch MS} looks at that file and announces its
 * changes. {@code --resources}, {@code --templates}, {@code --prompts}: a number or URIs and names;
 * without them the capability is absent and the methods are -32601. {@code --page-size N}. {@code
 * --cursor normal|same|new|grow|empty|null|number}: the same cursor for ever, a new one for ever,
 * new tools for ever, the empty string for page two, null at the end, a number. {@code --ttl MS}
 * (0) and {@code --scope public|private} of modern lists and reads.
 *
 * <p><b>Noise.</b> {@code --before KIND} before the first message, {@code --among KIND} before
 * each: banner, jsonlog, garbage, bom, badutf8, utf16, nul, blank. {@code --line-end crlf}. {@code
 * --flood BYTES} of garbage after the handshake. {@code --stderr-flood BYTES}. {@code --storm
 * N:SECONDS} list_changed N times per second.
 *
 * <p><b>Process.</b> {@code --ignore-term}, {@code --ignore-eof} (lives on when stdin ends), {@code
 * --deaf} (reads nothing after the handshake), {@code --grandchild plain|pipes|session} (ignores
 * TERM; holds our stdout; in a session of its own), {@code --life-seconds N} (900) ends it whatever
 * happens.
 *
 * <p><b>Behaviours of tools</b>, with arguments and their defaults. <i>Right ones:</i> echo (text
 * and structuredContent are the arguments as spelled), add {a, b}, counter, slow {ms 1000} (gives
 * up when cancelled), late {ms 1000} (answers even then), defiant (answers when cancelled), hang,
 * cancelAware, fail {message} (isError with partial content, structuredContent, _meta), rpcError
 * {code -32000, message, data}, reply {result} (that result as spelled), big {bytes}, deep {depth
 * 100000}, tokens {n}, progress {n 3, ms 0, token, after 0}, log {n 1, text, level info}, env
 * (environment, argv, cwd, descriptors), changed {kind tools, n 1}, updated {uri, anyway: to a
 * session that did not subscribe}, task {how done|wait|ask|fail|error, optional} (in the form of
 * the era; with optional also without), finishTask {task}, notice {method, params} (that
 * notification). <i>Asking back:</i> sample, sampleTools, elicit, elicitUrl {id e1}, roots,
 * pingBack, unknownBack {asRequest: a request even in the modern era, rounds 1: how often it asks
 * there}; the call is answered with what the client said. <i>Wrong on the wire:</i> twice, wrongId,
 * stringId, floatId, nullId, noId, both, neither, nullResult, arrayResult, noContent, emptyError,
 * nullError, badError, bigCode, noVersion, duplicateKeys, batch, endless {bytes} (no line feed),
 * drip {ms 1000} (per byte), partial, rawLine {line, with $ID}, and each kind of noise by its name
 * {n 1}. <i>Of the process:</i> crash {exit 1, ms 0}, kill9, signal {name}, partialThenExit, deafen
 * (it reads no more), closeStdin, closeStdout, stderrFlood {bytes, line true}, grandchild {kind}.
 */
public final class ScriptedServer {
    private ScriptedServer() {}

    public static void main(String[] args) throws IOException {
        ScriptedServerOptions options;
        try {
            options = ScriptedServerOptions.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println("scripted server: " + e.getMessage());
            ProcessFaults.exit(2);
            return;
        }
        int starts = ServerRecordingWriter.countStart(options);
        var wire = new ScriptedStdio(options, ServerRecordingWriter.open(options));
        var core = new ScriptedServerContext(options, wire);
        var faults = new ProcessFaults(core);
        faults.onStart();
        if (options.has("fail-starts") && starts <= options.number("fail-starts", 0)) {
            ProcessFaults.exit(options.number("exit-code", 1));
        }
        ScriptedStdio.sleep(options.number("start-delay", 0));
        wire.readLines(new ScriptedDispatcher(core, faults)::accept);
        if (wire.hasStoppedReading() || options.isSet("ignore-eof")) {
            ScriptedStdio.sleep(Integer.MAX_VALUE);
        }
        ProcessFaults.exit(0);
    }
}
