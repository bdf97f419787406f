package dev.patchbay.config.hosts;

import java.util.LinkedHashMap;
import java.util.Map;

/** The same file as people and programs write it. */
final class HostFileVariants {
    private HostFileVariants() {}

    /** Texts by what is special about them. */
    static Map<String, String> of(String sample, HostFile file) {
        var texts = new LinkedHashMap<String, String>();
        texts.put("as written", sample);
        texts.put("CRLF", sample.replace("\n", "\r\n"));
        texts.put("no line end at the end", sample.stripTrailing());
        texts.put("empty lines at the end", sample + "\n\n");
        texts.put("empty", "");
        texts.put("one empty line", "\n");
        String key = file.serversKey();
        switch (file.format().syntax()) {
            case JSON -> {
                texts.put("BOM", "\uFEFF" + sample);
                texts.put("tabs", sample.replace("  ", "\t"));
                texts.put("comment at the end", sample + "// done\n");
                texts.put("no servers yet", "{\n  \"other\": [1, 2,], // mine\n}\n");
                texts.put("one line", "{\"a\": 1, \"%s\": {}}".formatted(key));
                texts.put(
                        "trailing commas",
                        "{\n  \"%s\": {\n    \"x\": {\"command\": \"x\",},\n  },\n}"
                                .formatted(key));
            }
            case TOML -> {
                texts.put("no servers yet", "model = \"x\" # mine\n");
                texts.put("tabs", "[%s.x]\n\tcommand = \"x\"\n\t# mine\n".formatted(key));
                texts.put("inline table", "[%s]\nx = { command = \"x\" }\n".formatted(key));
            }
            case YAML -> addYaml(texts, sample, key);
        }
        return texts;
    }

    private static void addYaml(Map<String, String> texts, String sample, String key) {
        texts.put("BOM", "\uFEFF" + sample);
        texts.put("document start", "---\n" + sample);
        texts.put("no servers yet", "a: 1 # mine\nb:\n  - c\n");
        String none = key.equals("mcpServers") ? "[]" : "{}";
        texts.put("empty collection", "a: 1\n%s: %s # none\nb: 2\n".formatted(key, none));
        texts.put("no value", "%s:\n# a comment\nb: 2".formatted(key));
        texts.put("explicit null", "%s: ~\n".formatted(key));
        texts.put("only comments", "# nothing here\n");
        texts.put("key at the end", sample.replace("prompts: []\n", ""));
        texts.put("literal at the end", sample + "text: |\n  a: 1\n  # no comment\n");
    }
}
