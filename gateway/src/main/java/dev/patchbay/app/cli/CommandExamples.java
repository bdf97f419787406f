package dev.patchbay.app.cli;

import picocli.CommandLine.Help;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.IHelpFactory;
import picocli.CommandLine.Model.CommandSpec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The examples in the help of each command. They are loaded when help is shown. */
final class CommandExamples implements IHelpFactory {
    private static final String TABLE =
            """
            stdio        stdio
            stdio        stdio --view work
            serve        serve
            serve        serve --listen 127.0.0.1:9000
            repl         repl
            daemon       daemon status
            daemon       daemon restart   # after a change of its environment
            status       status
            status       status --json
            servers      servers
            servers      servers --json
            tools        tools
            tools        tools 'github.*'
            tools        tools --find 'read file'
            describe     describe files.read_file
            discover     discover --server github --force-refresh
            call         call files.read_file path=notes.txt
            call         call java.evaluate code='1 + 1'
            call         call github.search --args '{"query": "mcp"}' --json
            resources    resources --server docs
            read         read file:///srv/data/notes.txt
            read         read image://logo --output logo.png
            prompts      prompts
            prompt       prompt docs.summarize topic=mcp
            complete     complete docs.summarize topic=m
            check        check
            check        check path/to/patchbay.json
            trust        trust   # shows what the file of this project would run, and asks
            trust        trust --list
            secret       secret set GITHUB_TOKEN   # asks for the value
            secret       secret list
            doctor       doctor
            doctor       doctor github
            history      history --failed --since 2h
            history      history --server github
            logs         logs github
            logs         logs --follow
            search       search weather
            add          add files -- npx -y @modelcontextprotocol/server-filesystem ~/data
            add          add search --url https://search.example.com/mcp
            add          add io.github.owner/name API_KEY=secret
            add          add ./weather.mcpb
            remove       remove files
            enable       enable files
            disable      disable files
            login        login search
            logout       logout search
            token        token add laptop --scope mcp --expires 30d
            token        token revoke laptop
            adopt        adopt --dry-run   # shows what would change
            adopt        adopt cursor
            adopt        adopt --undo
            import       import claude-desktop --dry-run
            import       import path/to/mcp.json
            install      install claude-code
            install      install cursor --view work
            uninstall    uninstall claude-code
            completion   completion > ~/.local/share/bash-completion/completions/patchbay
            candidates   candidates logs git
            """;

    /** The examples of a command: whole command lines, with a comment where it helps. */
    static List<String> of(String command) {
        return all().getOrDefault(command, List.of());
    }

    private static Map<String, List<String>> all() {
        var examples = new LinkedHashMap<String, List<String>>();
        for (String line : TABLE.lines().toList()) {
            int space = line.indexOf(' ');
            examples.computeIfAbsent(line.substring(0, space), _ -> new ArrayList<>())
                    .add("patchbay " + line.substring(space).strip());
        }
        return examples;
    }

    /** Puts the examples of a command at the end of its help. */
    static void addTo(CommandSpec spec) {
        List<String> examples = of(spec.name());
        if (!examples.isEmpty()) {
            var footer = new ArrayList<>(List.of("", "Examples:"));
            examples.forEach(it -> footer.add("  " + it));
            spec.usageMessage().footer(footer.toArray(String[]::new));
        }
    }

    @Override
    public Help create(CommandSpec spec, ColorScheme scheme) {
        addTo(spec);
        return new Help(spec, scheme);
    }
}
