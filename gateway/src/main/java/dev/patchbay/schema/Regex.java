package dev.patchbay.schema;

import java.util.Arrays;

/**
 * A regular expression as JSON Schema means it: ECMA-262 in Unicode mode, found anywhere in a text.
 * It is matched by following all ways at once, so a text of n characters costs at most n times the
 * size of the expression: there is nothing to go back to. That is why it has no back references.
 */
final class Regex {
    private static final int SHOWN_CHARS_MAX = 100;
    private static final int SIZE_PER_STEP = 8;

    private final String source;
    private final RegexProgram program;

    private Regex(String source, RegexProgram program) {
        this.source = source;
        this.program = program;
    }

    /** The expression that a text says; refused if it says none, or one that is too large. */
    static Regex of(String source, int instructionsMax) {
        RegexNode node = new RegexParser(source).parse();
        return new Regex(source, RegexProgram.of(node, false, instructionsMax));
    }

    int size() {
        return program.size();
    }

    boolean isFoundIn(String text, Evaluation evaluation) {
        return new Run(program, text, evaluation).matches(0, program.isAnchored());
    }

    /** One walk over one text. */
    private static final class Run {
        private final RegexProgram program;
        private final String text;
        private final Evaluation evaluation;

        /** The instructions that wait for a character, before and behind it. */
        private int[] waiting;

        private int waitingLength;
        private int[] next;
        private int nextLength;

        /** For each instruction the last round in which it was reached. */
        private final int[] rounds;

        private int round;
        private int[] branches = new int[8];

        Run(RegexProgram program, String text, Evaluation evaluation) {
            evaluation.spend(1 + program.size() / SIZE_PER_STEP);
            this.program = program;
            this.text = text;
            this.evaluation = evaluation;
            waiting = new int[program.size()];
            next = new int[program.size()];
            rounds = new int[program.size()];
        }

        /** Whether it matches from a place on; from any later place too, unless it is fixed. */
        boolean matches(int from, boolean fixed) {
            int at = from;
            round = 1;
            while (true) {
                if ((at == from || !fixed) && reach(0, at)) {
                    return true;
                }
                int[] swapped = waiting;
                waiting = next;
                waitingLength = nextLength;
                next = swapped;
                nextLength = 0;
                boolean ended = program.isBackward() ? at == 0 : at == text.length();
                if (ended || (fixed && waitingLength == 0)) {
                    return false;
                }
                int c = program.isBackward() ? text.codePointBefore(at) : text.codePointAt(at);
                int size = Character.charCount(c);
                at += program.isBackward() ? -size : size;
                round++;
                if (step(c, at)) {
                    return true;
                }
            }
        }

        private boolean step(int c, int behind) {
            evaluation.spend(1 + waitingLength);
            for (int i = 0; i < waitingLength; i++) {
                int instruction = waiting[i];
                if (program.set(instruction).has(c) && reach(instruction + 1, behind)) {
                    return true;
                }
            }
            return false;
        }

        /** Follows all ways that need no character; true if one ends in a match. */
        private boolean reach(int start, int at) {
            int open = 0;
            branches[open++] = start;
            while (open > 0) {
                int instruction = branches[--open];
                if (rounds[instruction] == round) {
                    continue;
                }
                rounds[instruction] = round;
                evaluation.spend(1);
                switch (program.operation(instruction)) {
                    case RegexProgram.MATCH -> {
                        return true;
                    }
                    case RegexProgram.SET -> next[nextLength++] = instruction;
                    case RegexProgram.SPLIT -> {
                        open = push(open, program.argument(instruction));
                        open = push(open, instruction + 1);
                    }
                    case RegexProgram.JUMP -> open = push(open, program.argument(instruction));
                    default -> {
                        if (holds(instruction, at)) {
                            open = push(open, instruction + 1);
                        }
                    }
                }
            }
            return false;
        }

        private int push(int open, int instruction) {
            if (open == branches.length) {
                branches = Arrays.copyOf(branches, open * 2);
            }
            branches[open] = instruction;
            return open + 1;
        }

        private boolean holds(int instruction, int at) {
            return switch (program.operation(instruction)) {
                case RegexProgram.BEGIN -> at == 0;
                case RegexProgram.END -> at == text.length();
                case RegexProgram.EDGE -> isEdge(at);
                case RegexProgram.NO_EDGE -> !isEdge(at);
                default -> {
                    RegexProgram around = program.around(instruction);
                    boolean found = new Run(around, text, evaluation).matches(at, true);
                    yield found == (program.operation(instruction) == RegexProgram.AROUND);
                }
            };
        }

        private boolean isEdge(int at) {
            boolean before = at > 0 && CharSet.isWord(text.charAt(at - 1));
            boolean behind = at < text.length() && CharSet.isWord(text.charAt(at));
            return before != behind;
        }
    }

    @Override
    public String toString() {
        return Text.cut(source, SHOWN_CHARS_MAX);
    }
}
