package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ClientTokenStore;
import dev.patchbay.app.wiring.ClientTokenStore.StoredToken;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.app.wiring.ViewLookup;
import dev.patchbay.http.server.AccessScope;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code patchbay token}: tokens for clients of {@code patchbay serve}. */
@Command(
        name = "token",
        description =
                "Manage tokens for clients of serve: add NAME, list, revoke NAME. The value of a"
                        + " token is printed once, when it is added.",
        mixinStandardHelpOptions = true)
final class TokenCommand implements Callable<Integer> {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern DURATION = Pattern.compile("([1-9][0-9]{0,4})([mhdw])");
    private static final Set<String> RESERVED_NAMES = Set.of("owner", "anyone");

    private final AppContext context;

    @Parameters(
            index = "0",
            paramLabel = "ACTION",
            description = "What to do: add, list or revoke.")
    private String action;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description =
                    "The name of the token. Calls made with it appear under this name in the call"
                            + " log.")
    private @Nullable String name;

    @Option(
            names = "--scope",
            split = ",",
            paramLabel = "SCOPE",
            description =
                    "What the token gives access to: mcp, dashboard, metrics, admin. Default:"
                            + " mcp. admin shows the calls of all tokens.")
    private @Nullable List<String> scopes;

    @Option(
            names = "--view",
            paramLabel = "NAME",
            description =
                    "The only view of the configuration that the token gives access to, also at"
                            + " /mcp. Such a token has the scope mcp only.")
    private @Nullable String view;

    @Mixin private ConfigOption config = new ConfigOption();

    @Option(
            names = "--expires",
            paramLabel = "DURATION",
            description = "How long the token is valid, such as 12h, 30d or 8w. Default: no limit.")
    private @Nullable String expires;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    TokenCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        var store = ClientTokenStore.of(context);
        return switch (action) {
            case "add" -> add(store);
            case "list" -> list(store);
            case "revoke" -> revoke(store);
            default ->
                    throw wrongUsage("Unknown action \"" + action + "\"; use add, list or revoke.");
        };
    }

    private int add(ClientTokenStore store) throws IOException {
        String token = requireName();
        if (RESERVED_NAMES.contains(token)) {
            throw wrongUsage("The name " + token + " is reserved; choose another one.");
        }
        Instant now = Instant.now();
        Set<AccessScope> granted = parseScopes();
        Instant expiresAt = expires == null ? null : now.plus(parseDuration(expires));
        if (view != null) {
            requireUsableView(view, granted);
        }
        var grant = new ClientTokenStore.Grant(granted, view, expiresAt);
        String value = store.add(token, grant, now);
        if (value == null) {
            throw new CommandFailedException(
                    ExitCode.FAILED,
                    "There is a token named %s already. Revoke it first: patchbay token revoke %s"
                            .formatted(token, token));
        }
        Terminal terminal = context.terminal();
        if (json) {
            var added = new StoredToken(token, "", grant, now);
            var writer = new JsonWriter().beginObject();
            write(writer, added, now);
            terminal.print(writer.member("token", value).endObject().toJson().toString());
        } else {
            terminal.print(value);
            terminal.printMessage("This value is not shown again. Clients send it as:");
            terminal.printMessage("Authorization: Bearer <token>");
        }
        return ExitCode.OK;
    }

    private void requireUsableView(String name, Set<AccessScope> granted) {
        if (!granted.equals(Set.of(AccessScope.MCP))) {
            throw wrongUsage(
                    "A token with a view has the scope mcp only; the other scopes show what is"
                            + " outside the view.");
        }
        ViewLookup.require(context, config.file, name);
    }

    private int list(ClientTokenStore store) throws IOException {
        Instant now = Instant.now();
        Terminal terminal = context.terminal();
        List<StoredToken> tokens = store.read();
        if (json) {
            var writer = new JsonWriter().beginObject().name("tokens").beginArray();
            for (StoredToken token : tokens) {
                write(writer.beginObject(), token, now);
                writer.endObject();
            }
            terminal.print(writer.endArray().endObject().toJson().toString());
            return ExitCode.OK;
        }
        if (tokens.isEmpty()) {
            terminal.printMessage("No tokens. Add one with: patchbay token add NAME");
        }
        for (StoredToken token : tokens) {
            String end =
                    token.expiresAt() == null ? "does not expire" : "until " + token.expiresAt();
            terminal.print(
                    "%s  %s%s  %s"
                            .formatted(
                                    token.name(),
                                    String.join(",", token.scopeNames()),
                                    token.view() == null ? "" : "  view " + token.view(),
                                    token.isExpired(now) ? "expired" : end));
        }
        return ExitCode.OK;
    }

    private int revoke(ClientTokenStore store) throws IOException {
        String token = requireName();
        boolean changed = store.revoke(token);
        if (json) {
            var writer = new JsonWriter().beginObject().member("name", token);
            context.terminal()
                    .print(writer.member("changed", changed).endObject().toJson().toString());
        } else {
            context.terminal()
                    .print(changed ? "Revoked " + token : "There is no token named " + token);
        }
        return changed ? ExitCode.OK : ExitCode.FAILED;
    }

    private static void write(JsonWriter writer, StoredToken token, Instant now) {
        writer.member("name", token.name()).name("scopes").beginArray();
        token.scopeNames().forEach(writer::string);
        writer.endArray();
        if (token.view() != null) {
            writer.member("view", token.view());
        }
        writer.member("createdAt", token.createdAt().toString());
        if (token.expiresAt() != null) {
            writer.member("expiresAt", token.expiresAt().toString());
        }
        writer.member("expired", token.isExpired(now));
    }

    private String requireName() {
        if (name == null || !NAME.matcher(name).matches()) {
            throw wrongUsage(
                    "NAME is missing or not valid: use letters, digits, dots, hyphens and"
                            + " underscores, 64 at most.");
        }
        return name;
    }

    private Set<AccessScope> parseScopes() {
        if (scopes == null) {
            return Set.of(AccessScope.MCP);
        }
        Set<AccessScope> parsed = EnumSet.noneOf(AccessScope.class);
        for (String scope : scopes) {
            parsed.add(
                    AccessScope.of(scope.strip())
                            .orElseThrow(
                                    () ->
                                            wrongUsage(
                                                    "Unknown scope \""
                                                            + scope
                                                            + "\"; use mcp, dashboard, metrics"
                                                            + " or admin.")));
        }
        return parsed;
    }

    private static Duration parseDuration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw wrongUsage("--expires must be a number and a unit, such as 12h, 30d or 8w.");
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            case "d" -> Duration.ofDays(count);
            default -> Duration.ofDays(7 * count);
        };
    }

    private static CommandFailedException wrongUsage(String message) {
        return new CommandFailedException(ExitCode.WRONG_USAGE, message);
    }
}
