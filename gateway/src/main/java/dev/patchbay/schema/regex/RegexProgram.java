package dev.patchbay.schema.regex;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A compiled regular expression: a list of instructions. */
final class RegexProgram {
    static final int SET = 0;
    static final int SPLIT = 1;
    static final int JUMP = 2;
    static final int TEXT_START = 3;
    static final int TEXT_END = 4;
    static final int WORD_BOUNDARY = 5;
    static final int NOT_WORD_BOUNDARY = 6;
    static final int LOOKAROUND = 7;
    static final int NEGATIVE_LOOKAROUND = 8;
    static final int MATCH = 9;

    private final boolean backward;
    private final int sizeMax;
    private int[] operations = new int[16];

    /** The target of a split or a jump, or the index of a set or a subprogram. */
    private int[] arguments = new int[16];

    private int size;
    private int lookaroundsSize;
    private final List<CharacterSet> sets = new ArrayList<>();
    private final List<RegexProgram> lookarounds = new ArrayList<>();

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

    /** The number of instructions, including subprograms. */
    int size() {
        return size + lookaroundsSize;
    }

    boolean isBackward() {
        return backward;
    }

    /** Whether it can only match at the start of a text. */
    boolean isAnchored() {
        return operations[0] == TEXT_START;
    }

    int operation(int instruction) {
        return operations[instruction];
    }

    int argument(int instruction) {
        return arguments[instruction];
    }

    CharacterSet set(int instruction) {
        return sets.get(arguments[instruction]);
    }

    RegexProgram lookaround(int instruction) {
        return lookarounds.get(arguments[instruction]);
    }

    private void add(RegexNode node) {
        switch (node) {
            case RegexNode.Assertion place -> add(place.operation(), 0);
            case RegexNode.OneCharacter one -> {
                add(SET, sets.size());
                sets.add(one.set());
            }
            case RegexNode.Sequence sequence -> {
                List<RegexNode> parts = sequence.parts();
                for (RegexNode part : backward ? parts.reversed() : parts) {
                    add(part);
                }
            }
            case RegexNode.Alternation choice -> addAlternation(choice.parts());
            case RegexNode.Repeat repeat -> addRepeat(repeat);
            case RegexNode.Lookaround around -> {
                add(around.isPositive() ? LOOKAROUND : NEGATIVE_LOOKAROUND, lookarounds.size());
                RegexProgram part = of(around.part(), around.isLookbehind(), sizeMax - size());
                lookarounds.add(part);
                lookaroundsSize += part.size();
            }
        }
    }

    private void addAlternation(List<RegexNode> parts) {
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

    private void addRepeat(RegexNode.Repeat repeat) {
        for (int i = 0; i < repeat.min(); i++) {
            int before = size;
            add(repeat.part());
            if (size == before) {
                return;
            }
        }
        if (repeat.max() == RegexNode.UNBOUNDED) {
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
            throw new RegexSyntaxException("is too large a pattern");
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
