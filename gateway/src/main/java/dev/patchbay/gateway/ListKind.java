package dev.patchbay.gateway;

import java.util.Arrays;
import java.util.Optional;

/** One of the lists that a server may have: its capability, its method and its member. */
enum ListKind {
    TOOLS("tools", "tools/list", "tools"),
    PROMPTS("prompts", "prompts/list", "prompts"),
    RESOURCES("resources", "resources/list", "resources"),
    TEMPLATES("resources", "resources/templates/list", "resourceTemplates");

    private final String capability;
    private final String method;
    private final String member;

    ListKind(String capability, String method, String member) {
        this.capability = capability;
        this.method = method;
        this.member = member;
    }

    static Optional<ListKind> of(String method) {
        return Arrays.stream(values()).filter(kind -> kind.method.equals(method)).findFirst();
    }

    String capability() {
        return capability;
    }

    String method() {
        return method;
    }

    /** The member of a result that holds the entries. */
    String member() {
        return member;
    }
}
