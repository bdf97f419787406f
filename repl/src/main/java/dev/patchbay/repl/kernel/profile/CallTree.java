package dev.patchbay.repl.kernel.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Weighted stacks, joined where they begin alike, and the sums for each method. */
public final class CallTree {
    private static final int NODES_MAX = 200_000;

    /** One node, in an order in which the callees of a node follow it. */
    public record Row(int depth, String method, long self, long total) {}

    /** A method with what it took itself, and with all that it called. */
    public record MethodTotal(String method, long self, long total) {}

    private static final class Node {
        private final Map<String, Node> callees = new LinkedHashMap<>();
        private long self;
        private long total;
    }

    private final Node root = new Node();
    private final Map<String, long[]> methods = new HashMap<>();
    private int nodes;

    /** Adds a stack, the outermost call first. */
    void add(List<String> stack, long weight) {
        root.total += weight;
        Node node = root;
        var seen = new HashSet<String>();
        for (String method : stack) {
            Node next = node.callees.get(method);
            if (next == null && nodes < NODES_MAX) {
                next = new Node();
                nodes++;
                node.callees.put(method, next);
            }
            if (next == null) {
                break;
            }
            node = next;
            node.total += weight;
            if (seen.add(method)) {
                sums(method)[1] += weight;
            }
        }
        node.self += weight;
        if (!stack.isEmpty()) {
            sums(stack.getLast())[0] += weight;
        }
    }

    private long[] sums(String method) {
        return methods.computeIfAbsent(method, _ -> new long[2]);
    }

    long total() {
        return root.total;
    }

    /** The methods by what they took themselves, the most first. */
    List<MethodTotal> flat(int countMax) {
        return methods.entrySet().stream()
                .map(it -> new MethodTotal(it.getKey(), it.getValue()[0], it.getValue()[1]))
                .sorted(
                        Comparator.comparingLong(MethodTotal::self)
                                .thenComparingLong(MethodTotal::total)
                                .reversed()
                                .thenComparing(MethodTotal::method))
                .limit(countMax)
                .toList();
    }

    /** The tree without the nodes below a share of the whole, the greatest callees first. */
    List<Row> rows(double shareMin, int countMax) {
        var rows = new ArrayList<Row>();
        long least = Math.max(1, (long) (root.total * shareMin));
        addRows(root, 0, least, countMax, rows);
        return rows;
    }

    private static void addRows(Node node, int depth, long least, int countMax, List<Row> target) {
        node.callees.entrySet().stream()
                .filter(it -> it.getValue().total >= least)
                .sorted(Comparator.comparingLong(it -> -it.getValue().total))
                .forEach(
                        it -> {
                            if (target.size() < countMax) {
                                Node callee = it.getValue();
                                target.add(new Row(depth, it.getKey(), callee.self, callee.total));
                                addRows(callee, depth + 1, least, countMax, target);
                            }
                        });
    }
}
