package dev.patchbay.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A regular expression as a list of instructions. */
final class RegexProgram {
    static final int SET = 0;
    static final int SPLIT = 1;
    static final int JUMP = 2;
    static final int BEGIN = 3;
    static final int END = 4;
    static final int EDGE = 5;
    static final int NO_EDGE = 6;
    static final int AROUND = 7;
    static final int NOT_AROUND = 8;
    static final int MATCH = 9;

    private final boolean backward;
    private final int sizeMax;
    private int[] operations = new int[16];

    /** Where a split or a jump goes to, or the position of the set or the program it needs. */
    private int[] arguments = new int[16];

    private int size;
    private int aroundsSize;
    private final List<CharSet> sets = new ArrayList<>();
    private final List<RegexProgram> arounds = new ArrayList<>();

    private RegexProgram(boolean backward, int sizeMax) {
        this.backward = backward;
        this.sizeMax = sizeMax;
    }

    static RegexProgram of(RegexNode node, boolean backward, int sizeMax) {
        var program = new RegexProgram(backward, sizeMax);
        program.add(node);
        program.add(MATCH, 0);
        return program;
    }

    /** How many instructions there are, with those of the programs within. */
    int size() {
        return size + aroundsSize;
    }

    boolean isBackward() {
        return backward;
    }

    /** Whether it can match at the begin of a text only. */
    boolean isAnchored() {
        return operations[0] == BEGIN;
    }

    int operation(int instruction) {
        return operations[instruction];
    }

    int argument(int instruction) {
        return arguments[instruction];
    }

    CharSet set(int instruction) {
        return sets.get(arguments[instruction]);
    }

    RegexProgram around(int instruction) {
        return arounds.get(arguments[instruction]);
    }

    private void add(RegexNode node) {
        switch (node) {
            case RegexNode.Place place -> add(place.operation(), 0);
            case RegexNode.One one -> {
                add(SET, sets.size());
                sets.add(one.set());
            }
            case RegexNode.Sequence sequence -> {
                List<RegexNode> parts = sequence.parts();
                for (RegexNode part : backward ? parts.reversed() : parts) {
                    add(part);
                }
            }
            case RegexNode.Choice choice -> choice(choice.parts());
            case RegexNode.Repeat repeat -> repeat(repeat);
            case RegexNode.Around around -> {
                add(around.wanted() ? AROUND : NOT_AROUND, arounds.size());
                RegexProgram part = of(around.part(), around.backward(), sizeMax - size());
                arounds.add(part);
                aroundsSize += part.size();
            }
        }
    }

    private void choice(List<RegexNode> parts) {
        var jumps = new ArrayList<Integer>();
        for (int i = 0; i < parts.size() - 1; i++) {
            int split = add(SPLIT, 0);
            add(parts.get(i));
            jumps.add(add(JUMP, 0));
            arguments[split] = size;
        }
        add(parts.getLast());
        for (int jump : jumps) {
            arguments[jump] = size;
        }
    }

    private void repeat(RegexNode.Repeat repeat) {
        for (int i = 0; i < repeat.min(); i++) {
            int before = size;
            add(repeat.part());
            if (size == before) {
                return;
            }
        }
        if (repeat.max() == RegexNode.NO_END) {
            int split = add(SPLIT, 0);
            add(repeat.part());
            add(JUMP, split);
            arguments[split] = size;
            return;
        }
        var splits = new ArrayList<Integer>();
        for (int i = repeat.min(); i < repeat.max(); i++) {
            splits.add(add(SPLIT, 0));
            add(repeat.part());
        }
        for (int split : splits) {
            arguments[split] = size;
        }
    }

    private int add(int operation, int argument) {
        if (size() >= sizeMax) {
            throw new UnusableException("is too large a pattern");
        }
        if (size == operations.length) {
            operations = Arrays.copyOf(operations, size * 2);
            arguments = Arrays.copyOf(arguments, size * 2);
        }
        operations[size] = operation;
        arguments[size] = argument;
        return size++;
    }
}
