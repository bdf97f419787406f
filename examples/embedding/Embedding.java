import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Tool;
import dev.patchbay.embedding.EmbeddedGateway;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewayListener;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.gateway.Invocation;
import dev.patchbay.gateway.InvocationResult;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ToolFilter;

import java.util.List;
import java.util.Map;

/** A gateway inside a program. The arguments are the command that starts its server. */
public final class Embedding {
    private static final ServerId REPL = new ServerId("repl");

    public static void main(String[] command) throws InterruptedException {
        List<String> args = List.of(command).subList(1, command.length);
        var transport = new Transport.Stdio(command[0], args, Map.of(), null);
        var spec = new ServerSpec(REPL, transport, Options.DEFAULTS);
        try (var embedded = EmbeddedGateway.open(GatewaySettings.DEFAULTS)) {
            Gateway gateway = embedded.gateway();
            gateway.addListener(new StatePrinter());
            gateway.register(spec);
            for (var row : gateway.discover(DiscoveryRequest.ALL).serverResults()) {
                System.out.println("discovered " + row.serverId() + ": " + row.status().text());
            }
            System.out.println("evaluate is " + describe(gateway.lookup("evaluate")));
            print(gateway.invoke(Invocation.of("repl.evaluate", Json.of("{\"code\":\"6 * 7\"}"))));
            print(gateway.invoke(Invocation.of("repl.evaluate", Json.EMPTY_OBJECT)));

            gateway.update(spec.withTools(ToolFilter.including("evaluate")));
            gateway.tools().forEach(it -> System.out.println("offers " + it.tool().name()));
            gateway.disable(REPL);
            for (var server : gateway.servers()) {
                System.out.println(server.spec().id() + " is " + server.state().status().text());
            }
            gateway.enable(REPL);
            System.out.println("unregistered: " + gateway.unregister(REPL));
        }
    }

    private static String describe(LookupResult<Tool> result) {
        return switch (result) {
            case LookupResult.Found<Tool>(Tool tool) -> tool.name().text();
            case LookupResult.Ambiguous<Tool>(List<FullName> names) -> "one of " + names;
            case LookupResult.Filtered<Tool>(FullName name) -> name + ", which is filtered";
            case LookupResult.NotFound<Tool> _ -> "not found";
        };
    }

    private static void print(InvocationResult result) {
        switch (result.callResult()) {
            case CallResult.Answered(ServerId _, Json answer) -> System.out.println(answer);
            case CallResult.ServerError(ServerId _, RpcError e) -> System.out.println(e.message());
            case CallResult.Failed(ServerId _, ServerFailure f) -> System.out.println(f.message());
            case CallResult.InvalidArguments e -> System.out.println("not sent: " + e.message());
            case CallResult.Rejected e -> System.out.println("not sent: " + e.message());
        }
    }

    /** Prints every change of state, on the thread that causes it. */
    private static final class StatePrinter implements GatewayListener {
        @Override
        public void stateChanged(ServerId server, ServerState before, ServerState after) {
            String change = before.status().text() + " to " + after.status().text();
            System.out.println(server + ": " + change);
        }
    }
}
