package dev.patchbay.schema.regex;

import dev.patchbay.text.DisplayText;

import java.util.Map;

/** The Unicode properties that {@code \p} supports: categories, scripts and a few others. */
final class UnicodeProperties {
    private static final Map<String, String> CATEGORIES =
            Map.ofEntries(
                    Map.entry("Letter", "L"),
                    Map.entry("Cased_Letter", "LC"),
                    Map.entry("Uppercase_Letter", "Lu"),
                    Map.entry("Lowercase_Letter", "Ll"),
                    Map.entry("Titlecase_Letter", "Lt"),
                    Map.entry("Modifier_Letter", "Lm"),
                    Map.entry("Other_Letter", "Lo"),
                    Map.entry("Mark", "M"),
                    Map.entry("Combining_Mark", "M"),
                    Map.entry("Nonspacing_Mark", "Mn"),
                    Map.entry("Spacing_Mark", "Mc"),
                    Map.entry("Enclosing_Mark", "Me"),
                    Map.entry("Number", "N"),
                    Map.entry("Decimal_Number", "Nd"),
                    Map.entry("digit", "Nd"),
                    Map.entry("Letter_Number", "Nl"),
                    Map.entry("Other_Number", "No"),
                    Map.entry("Punctuation", "P"),
                    Map.entry("punct", "P"),
                    Map.entry("Connector_Punctuation", "Pc"),
                    Map.entry("Dash_Punctuation", "Pd"),
                    Map.entry("Open_Punctuation", "Ps"),
                    Map.entry("Close_Punctuation", "Pe"),
                    Map.entry("Initial_Punctuation", "Pi"),
                    Map.entry("Final_Punctuation", "Pf"),
                    Map.entry("Other_Punctuation", "Po"),
                    Map.entry("Symbol", "S"),
                    Map.entry("Math_Symbol", "Sm"),
                    Map.entry("Currency_Symbol", "Sc"),
                    Map.entry("Modifier_Symbol", "Sk"),
                    Map.entry("Other_Symbol", "So"),
                    Map.entry("Separator", "Z"),
                    Map.entry("Space_Separator", "Zs"),
                    Map.entry("Line_Separator", "Zl"),
                    Map.entry("Paragraph_Separator", "Zp"),
                    Map.entry("Other", "C"),
                    Map.entry("Control", "Cc"),
                    Map.entry("cntrl", "Cc"),
                    Map.entry("Format", "Cf"),
                    Map.entry("Surrogate", "Cs"),
                    Map.entry("Private_Use", "Co"),
                    Map.entry("Unassigned", "Cn"));

    /** The short names in the order of {@link Character#getType(int)}. */
    private static final String CATEGORY_NAMES =
            "Cn Lu Ll Lt Lm Lo Mn Me Mc Nd Nl No -- Zs Zl Zp Cc Cf -- Co Cs Pd Ps Pe Pc Po Sm Sc Sk"
                    + " So Pi Pf";

    private UnicodeProperties() {}

    static CharacterSet of(String name) {
        int equals = name.indexOf('=');
        if (equals >= 0) {
            String value = name.substring(equals + 1);
            return switch (name.substring(0, equals)) {
                case "General_Category", "gc" -> category(value);
                case "Script", "sc", "Script_Extensions", "scx" -> script(value);
                default -> throw unknown(name);
            };
        }
        return switch (name) {
            case "Any" -> CharacterSet.of(c -> true);
            case "ASCII" -> CharacterSet.range(0, 127);
            case "Assigned" -> category("Cn").complement();
            case "Alphabetic", "Alpha" -> CharacterSet.of(Character::isAlphabetic);
            case "Lowercase", "Lower" -> CharacterSet.of(Character::isLowerCase);
            case "Uppercase", "Upper" -> CharacterSet.of(Character::isUpperCase);
            case "White_Space", "space" -> whiteSpace();
            case "Ideographic", "Ideo" -> CharacterSet.of(Character::isIdeographic);
            case "ID_Start", "IDS" -> CharacterSet.of(Character::isUnicodeIdentifierStart);
            case "Emoji" -> CharacterSet.of(Character::isEmoji);
            case "Emoji_Presentation", "EPres" -> CharacterSet.of(Character::isEmojiPresentation);
            case "Extended_Pictographic", "ExtPict" ->
                    CharacterSet.of(Character::isExtendedPictographic);
            default -> category(name);
        };
    }

    private static CharacterSet category(String name) {
        String wanted = CATEGORIES.getOrDefault(name, name);
        int mask = 0;
        for (int type = 0; type * 3 < CATEGORY_NAMES.length(); type++) {
            String category = CATEGORY_NAMES.substring(type * 3, type * 3 + 2);
            boolean cased = wanted.equals("LC") && "Lu Ll Lt".contains(category);
            boolean whole = wanted.length() == 1 && category.startsWith(wanted);
            if (cased || whole || category.equals(wanted)) {
                mask |= 1 << type;
            }
        }
        if (mask == 0 || wanted.startsWith("-")) {
            throw unknown(name);
        }
        int types = mask;
        return CharacterSet.of(c -> (types >>> Character.getType(c) & 1) != 0);
    }

    private static CharacterSet script(String name) {
        try {
            Character.UnicodeScript script = Character.UnicodeScript.forName(name);
            return CharacterSet.of(c -> Character.UnicodeScript.of(c) == script);
        } catch (IllegalArgumentException e) {
            throw unknown(name);
        }
    }

    private static CharacterSet whiteSpace() {
        CharacterSet separators = category("Z");
        return CharacterSet.of(
                c -> (c >= '\t' && c <= '\r') || c == 0x85 || separators.contains(c));
    }

    private static RegexSyntaxException unknown(String name) {
        return new RegexSyntaxException("names the unknown property " + DisplayText.quote(name));
    }
}
