package dev.patchbay.repl;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The sessions of a service by name, each with a JVM of its own: {@code main}, those that were
 * started, and one for each client that asks for {@code client}. Any thread may use it.
 */
final class SessionRegistry implements AutoCloseable {
    static final String MAIN = "main";
    static final String CLIENT = "client";
    static final int NAME_CHARS_MAX = 64;
    static final int NAMED_MAX = 8;
    static final int CLIENTS_MAX = 16;
    private static final Pattern NAME = Pattern.compile("[\\w.-]{1," + NAME_CHARS_MAX + "}");

    /**
     * A session with its tools.
     *
     * @param client the client whose own it is; null for a session of all clients
     */
    record NamedSession(
            String name,
            @Nullable Object client,
            ReplSession session,
            Map<String, ReplTool> tools) {}

    /** Makes the tools of a session. */
    interface ToolFactory {
        Map<String, ReplTool> tools(ReplSession session, String name);
    }

    private final Supplier<ReplSession> sessionFactory;
    private final ToolFactory toolFactory;
    private final Map<String, NamedSession> named = new LinkedHashMap<>();

    /** The one that was used last is the last. */
    private final Map<Object, NamedSession> ofClients = new LinkedHashMap<>(16, 0.75f, true);

    private boolean closed;

    SessionRegistry(ReplSession main, Supplier<ReplSession> sessions, ToolFactory tools) {
        this.sessionFactory = sessions;
        this.toolFactory = tools;
        named.put(MAIN, new NamedSession(MAIN, null, main, tools.tools(main, MAIN)));
    }

    NamedSession main() {
        return Objects.requireNonNull(named.get(MAIN));
    }

    /** The session that a client means; without a name the main one. */
    NamedSession find(String name, Object client) throws ReplException {
        if (name.equals(CLIENT)) {
            return ofClient(client);
        }
        synchronized (this) {
            NamedSession found = named.get(name.isEmpty() ? MAIN : name);
            if (found == null) {
                throw new ReplException(
                        "There is no session %s, only %s. The tool sessions starts one."
                                .formatted(name, String.join(", ", named.keySet())));
            }
            return found;
        }
    }

    private NamedSession ofClient(Object client) throws ReplException {
        NamedSession oldest = null;
        NamedSession found;
        synchronized (this) {
            found = ofClients.get(client);
            if (found == null) {
                found = create(CLIENT, client);
                ofClients.put(client, found);
                if (ofClients.size() > CLIENTS_MAX) {
                    Object first = ofClients.keySet().iterator().next();
                    oldest = ofClients.remove(first);
                }
            }
        }
        if (oldest != null) {
            oldest.session().close();
        }
        return found;
    }

    /** Starts a session under a new name. */
    synchronized NamedSession start(String name) throws ReplException {
        if (!NAME.matcher(name).matches() || name.equals(CLIENT)) {
            throw new ReplException(
                    "A session's name has letters, digits, dots, dashes and underscores, at most "
                            + NAME_CHARS_MAX
                            + ", and is not client");
        }
        if (named.containsKey(name)) {
            throw new ReplException("There is a session " + name + " already");
        }
        if (named.size() >= NAMED_MAX) {
            throw new ReplException(
                    "There are %d sessions already: end one first".formatted(NAMED_MAX));
        }
        NamedSession started = create(name, null);
        named.put(name, started);
        return started;
    }

    private NamedSession create(String name, @Nullable Object client) throws ReplException {
        if (closed) {
            throw new ReplException("The server is closing");
        }
        ReplSession session = sessionFactory.get();
        return new NamedSession(name, client, session, toolFactory.tools(session, name));
    }

    /** Ends a session with its JVM. */
    void end(String name, Object client) throws ReplException {
        NamedSession ended;
        if (name.equals(MAIN)) {
            throw new ReplException("The session main stays. The tool reset starts it anew.");
        }
        synchronized (this) {
            ended = name.equals(CLIENT) ? ofClients.remove(client) : named.remove(name);
        }
        if (ended == null) {
            throw new ReplException("There is no session " + name);
        }
        ended.session().close();
    }

    /** The sessions that a client can use. */
    synchronized List<NamedSession> list(Object client) {
        var all = new ArrayList<>(named.values());
        NamedSession own = ofClients.get(client);
        if (own != null) {
            all.add(own);
        }
        return all;
    }

    /** Ends the session of a client that has gone, if it has one. */
    void endClient(Object client) {
        NamedSession ended;
        synchronized (this) {
            ended = ofClients.remove(client);
        }
        if (ended != null) {
            ended.session().close();
        }
    }

    @Override
    public void close() {
        List<NamedSession> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(named.values());
            all.addAll(ofClients.values());
        }
        all.forEach(one -> one.session().close());
    }
}
