package dev.patchbay.schema.regex;

import dev.patchbay.text.DisplayText;

import java.util.Arrays;

/**
 * A regular expression of JSON Schema: ECMA-262 in Unicode mode, matched anywhere in a text. All
 * alternatives are followed at the same time, so a text of n characters costs at most n times the
 * size of the expression, without backtracking. Therefore back references are not supported.
 */
public final class Regex {
    private static final int DISPLAYED_CHARS_MAX = 100;
    private static final int SIZE_PER_STEP = 8;

    private final String source;
    private final RegexProgram program;

    private Regex(String source, RegexProgram program) {
        this.source = source;
        this.program = program;
    }

    /** Parses an expression; throws if it is invalid or too large. */
    public static Regex of(String source, int instructionsMax) {
        RegexNode node = new RegexParser(source).parse();
        return new Regex(source, RegexProgram.of(node, false, instructionsMax));
    }

    public int size() {
        return program.size();
    }

    public boolean isFoundIn(String text, StepBudget budget) {
        return new MatchRun(program, text, budget).matches(0, program.isAnchored());
    }

    /** One match of a text. */
    private static final class MatchRun {
        private final RegexProgram program;
        private final String text;
        private final StepBudget budget;

        /** The instructions that wait for a character, before and after it. */
        private int[] current;

        private int currentLength;
        private int[] next;
        private int nextLength;

        /** For each instruction, the last round in which it was reached. */
        private final int[] rounds;

        private int round;
        private int[] stack = new int[8];

        MatchRun(RegexProgram program, String text, StepBudget budget) {
            budget.spend(1 + program.size() / SIZE_PER_STEP);
            this.program = program;
            this.text = text;
            this.budget = budget;
            current = new int[program.size()];
            next = new int[program.size()];
            rounds = new int[program.size()];
        }

        /** Whether the expression matches at a position, or at a later one unless it is fixed. */
        boolean matches(int from, boolean fixed) {
            int at = from;
            round = 1;
            while (true) {
                if ((at == from || !fixed) && follow(0, at)) {
                    return true;
                }
                int[] swapped = current;
                current = next;
                currentLength = nextLength;
                next = swapped;
                nextLength = 0;
                boolean ended = program.isBackward() ? at == 0 : at == text.length();
                if (ended || (fixed && currentLength == 0)) {
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
            budget.spend(1 + currentLength);
            for (int i = 0; i < currentLength; i++) {
                int instruction = current[i];
                if (program.set(instruction).contains(c) && follow(instruction + 1, behind)) {
                    return true;
                }
            }
            return false;
        }

        /** Follows all instructions that consume no character; returns whether one is a match. */
        private boolean follow(int start, int at) {
            int open = 0;
            stack[open++] = start;
            while (open > 0) {
                int instruction = stack[--open];
                if (rounds[instruction] == round) {
                    continue;
                }
                rounds[instruction] = round;
                budget.spend(1);
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
            if (open == stack.length) {
                stack = Arrays.copyOf(stack, open * 2);
            }
            stack[open] = instruction;
            return open + 1;
        }

        private boolean holds(int instruction, int at) {
            return switch (program.operation(instruction)) {
                case RegexProgram.TEXT_START -> at == 0;
                case RegexProgram.TEXT_END -> at == text.length();
                case RegexProgram.WORD_BOUNDARY -> isWordBoundary(at);
                case RegexProgram.NOT_WORD_BOUNDARY -> !isWordBoundary(at);
                default -> {
                    RegexProgram around = program.lookaround(instruction);
                    boolean found = new MatchRun(around, text, budget).matches(at, true);
                    yield found == (program.operation(instruction) == RegexProgram.LOOKAROUND);
                }
            };
        }

        private boolean isWordBoundary(int at) {
            boolean before = at > 0 && CharacterSet.isWord(text.charAt(at - 1));
            boolean behind = at < text.length() && CharacterSet.isWord(text.charAt(at));
            return before != behind;
        }
    }

    @Override
    public String toString() {
        return DisplayText.truncate(source, DISPLAYED_CHARS_MAX);
    }
}
