package dev.patchbay.catalog;

import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Finds the URI templates of different servers that may stand for the same URI. Two templates
 * overlap if the fixed text at the start of one begins with that of the other; an empty start
 * overlaps every template. One pass over the sorted starts, so the cost is that of sorting.
 */
final class TemplateOverlap {

    /** The servers of some templates: none, one, or several. */
    private record Servers(@Nullable ServerId only, boolean several) {
        static final Servers NONE = new Servers(null, false);

        Servers and(Servers other) {
            if (several || other.several) {
                return new Servers(null, true);
            }
            if (only == null || other.only == null) {
                return only == null ? other : this;
            }
            return only.equals(other.only) ? this : new Servers(null, true);
        }

        boolean hasOtherThan(ServerId server) {
            return several || (only != null && !only.equals(server));
        }
    }

    /** A template whose start begins all starts that follow it on the stack. */
    private static final class Node {
        private final ResourceTemplate template;
        private final Servers before;
        private Servers after = Servers.NONE;

        Node(ResourceTemplate template, Servers before) {
            this.template = template;
            this.before = before;
        }

        Servers own() {
            return new Servers(template.server(), false);
        }
    }

    private final Set<ResourceTemplate> overlapping =
            Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Node> open = new ArrayDeque<>();

    private TemplateOverlap() {}

    /** The templates that overlap one of another server. */
    static Set<ResourceTemplate> find(List<ResourceTemplate> templates) {
        if (templates.size() < 2) {
            return Set.of(); // also because a comparator takes milliseconds at the start
        }
        var sorted = new ArrayList<>(templates);
        sorted.sort(Comparator.comparing(it -> it.template().start()));
        var search = new TemplateOverlap();
        sorted.forEach(search::visit);
        while (!search.open.isEmpty()) {
            search.close();
        }
        return search.overlapping;
    }

    private void visit(ResourceTemplate template) {
        String start = template.template().start();
        while (!open.isEmpty() && !start.startsWith(open.peek().template.template().start())) {
            close();
        }
        Node parent = open.peek();
        Servers before = parent == null ? Servers.NONE : parent.before.and(parent.own());
        open.push(new Node(template, before));
    }

    private void close() {
        Node node = open.pop();
        ServerId server = node.template.server();
        if (node.before.hasOtherThan(server) || node.after.hasOtherThan(server)) {
            overlapping.add(node.template);
        }
        Node parent = open.peek();
        if (parent != null) {
            parent.after = parent.after.and(node.after).and(node.own());
        }
    }
}
