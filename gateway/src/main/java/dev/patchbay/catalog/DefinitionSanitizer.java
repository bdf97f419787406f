package dev.patchbay.catalog;

import dev.patchbay.json.Json;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.mcp.TaskSupport;

import java.util.Map;
import java.util.Map.Entry;
import java.util.function.Predicate;

/**
 * The optional members of a definition and what each must be. One that is not (often it is null)
 * makes official clients refuse the whole list of all servers, and no client could have used it, so
 * it is left out.
 */
final class DefinitionSanitizer {
    static final DefinitionSanitizer TOOL =
            new DefinitionSanitizer(
                    Map.of(
                            "title", Json::isString,
                            "description", Json::isString,
                            "icons", DefinitionSanitizer::areIcons,
                            "annotations", DefinitionSanitizer::areToolAnnotations,
                            "outputSchema", Json::isObject,
                            "execution", TaskSupport::isValid,
                            "_meta", Json::isObject));
    static final DefinitionSanitizer PROMPT =
            new DefinitionSanitizer(
                    Map.of(
                            "title", Json::isString,
                            "description", Json::isString,
                            "icons", DefinitionSanitizer::areIcons,
                            "arguments", DefinitionSanitizer::areArguments,
                            "_meta", Json::isObject));
    static final DefinitionSanitizer RESOURCE =
            new DefinitionSanitizer(
                    Map.of(
                            "title", Json::isString,
                            "description", Json::isString,
                            "mimeType", Json::isString,
                            "size", Json::isNumber,
                            "icons", DefinitionSanitizer::areIcons,
                            "annotations", DefinitionSanitizer::areAnnotations,
                            "_meta", Json::isObject));

    private final Map<String, Predicate<Json>> optionalMembers;

    private DefinitionSanitizer(Map<String, Predicate<Json>> optional) {
        this.optionalMembers = optional;
    }

    /** The definition without the members that are not what they must be. */
    Json sanitize(Json definition) {
        Json mended = definition;
        for (Entry<String, Predicate<Json>> member : optionalMembers.entrySet()) {
            Json value = definition.member(member.getKey());
            if (value != null && !member.getValue().test(value)) {
                mended = MemberPatch.without(mended, member.getKey());
            }
        }
        return mended;
    }

    private static boolean areIcons(Json icons) {
        return icons.isArray()
                && icons.elements().stream().allMatch(icon -> icon.memberText("src") != null);
    }

    private static boolean areToolAnnotations(Json annotations) {
        return annotations.isObject()
                && allMembersMatch(annotations, "title", Json::isString)
                && allMembersMatch(annotations, "Hint", value -> value.kind() == Json.Kind.BOOLEAN);
    }

    private static boolean areAnnotations(Json annotations) {
        return annotations.isObject()
                && allMembersMatch(annotations, "audience", Json::isArray)
                && allMembersMatch(annotations, "priority", Json::isNumber)
                && allMembersMatch(annotations, "lastModified", Json::isString);
    }

    private static boolean areArguments(Json arguments) {
        return arguments.isArray()
                && arguments.elements().stream()
                        .allMatch(
                                argument ->
                                        argument.memberText("name") != null
                                                && allMembersMatch(
                                                        argument, "description", Json::isString)
                                                && allMembersMatch(
                                                        argument,
                                                        "required",
                                                        it -> it.kind() == Json.Kind.BOOLEAN));
    }

    /** Whether all members whose names end so are what they must be. */
    private static boolean allMembersMatch(Json object, String nameEnd, Predicate<Json> wanted) {
        MemberCursor members = object.memberCursor();
        while (members.next()) {
            if (members.name().endsWith(nameEnd) && !wanted.test(members.value())) {
                return false;
            }
        }
        return true;
    }
}
