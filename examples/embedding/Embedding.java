import dev.patchbay.embedding.EmbeddedGateway;
import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Tool;
import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewayListener;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.gateway.Invocation;
import dev.patchbay.gateway.InvocationResult;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ToolFilter;
import dev.patchbay.server.ServerFailure;

import java.util.List;
import java.util.Map;

/** A gateway inside a program: the words of its command line start the server that it uses. */
public final class Embedding {
    private static final ServerId REPL = new ServerId("repl");

    public static void main(String[] words) throws InterruptedException {
        List<String> args = List.of(words).subList(1, words.length);
        var transport = new Transport.Stdio(words[0], args, Map.of(), null);
        var spec = new ServerSpec(REPL, transport, Options.DEFAULTS);
        try (var embedded = EmbeddedGateway.open(GatewaySettings.DEFAULTS)) {
            Gateway gateway = embedded.gateway();
            gateway.addListener(new Printer());
            gateway.register(spec);
            for (var row : gateway.discover(DiscoveryRequest.ALL).serverResults()) {
                System.out.println("discovered " + row.serverId() + ": " + row.status().text());
            }
            System.out.println("evaluate is " + meaning(gateway, "evaluate"));
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

    private static String meaning(Gateway gateway, String name) {
        return switch (gateway.lookup(name)) {
            case Lookup.Found<Tool>(Tool tool) -> tool.name().text();
            case Lookup.Ambiguous<Tool>(List<FullName> candidates) -> "one of " + candidates;
            case Lookup.Filtered<Tool>(FullName hidden) -> hidden + ", which is filtered";
            case Lookup.Absent<Tool> _ -> "nothing";
        };
    }

    private static void print(InvocationResult result) {
        switch (result.reply()) {
            case Reply.Answered(ServerId _, Json answer) -> System.out.println(answer);
            case Reply.Refused(ServerId _, RpcError error) -> System.out.println(error.message());
            case Reply.Failed(ServerId _, Trouble trouble) -> System.out.println(trouble.message());
            case Reply.Unfit unfit -> System.out.println("not sent: " + unfit.message());
            case Reply.Unresolved unknown -> System.out.println("not sent: " + unknown.message());
        }
    }

    /** Told of every change of a state, on the thread that brings it about. */
    private static final class Printer implements GatewayListener {
        @Override
        public void stateChanged(ServerId server, ServerState before, ServerState after) {
            String change = before.status().text() + " to " + after.status().text();
            System.out.println(server + ": " + change);
        }
    }
}
