package dev.patchbay.catalog;

import dev.patchbay.json.Json;
import dev.patchbay.json.Members;
import dev.patchbay.json.Splice;
import dev.patchbay.mcp.TaskSupport;

import java.util.Map;
import java.util.Map.Entry;
import java.util.function.Predicate;

/**
 * The optional members of a definition and what each must be. One that is not (often it is null)
 * makes official clients refuse the whole list of all servers, and no client could have used it, so
 * it is left out.
 */
final class Shape {
    static final Shape TOOL =
            new Shape(
                    Map.of(
                            "title", Json::isString,
                            "description", Json::isString,
                            "icons", Shape::areIcons,
                            "annotations", Shape::areToolAnnotations,
                            "outputSchema", Json::isObject,
                            "execution", TaskSupport::isLegal,
                            "_meta", Json::isObject));
    static final Shape PROMPT =
            new Shape(
                    Map.of(
                            "title", Json::isString,
                            "description", Json::isString,
                            "icons", Shape::areIcons,
                            "arguments", Shape::areArguments,
                            "_meta", Json::isObject));
    static final Shape RESOURCE =
            new Shape(
                    Map.of(
                            "title", Json::isString,
                            "description", Json::isString,
                            "mimeType", Json::isString,
                            "size", Json::isNumber,
                            "icons", Shape::areIcons,
                            "annotations", Shape::areAnnotations,
                            "_meta", Json::isObject));

    private final Map<String, Predicate<Json>> optional;

    private Shape(Map<String, Predicate<Json>> optional) {
        this.optional = optional;
    }

    /** The definition without the members that are not what they must be. */
    Json mended(Json definition) {
        Json mended = definition;
        for (Entry<String, Predicate<Json>> member : optional.entrySet()) {
            Json value = definition.member(member.getKey());
            if (value != null && !member.getValue().test(value)) {
                mended = Splice.without(mended, member.getKey());
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
                && all(annotations, "title", Json::isString)
                && all(annotations, "Hint", value -> value.kind() == Json.Kind.BOOLEAN);
    }

    private static boolean areAnnotations(Json annotations) {
        return annotations.isObject()
                && all(annotations, "audience", Json::isArray)
                && all(annotations, "priority", Json::isNumber)
                && all(annotations, "lastModified", Json::isString);
    }

    private static boolean areArguments(Json arguments) {
        return arguments.isArray()
                && arguments.elements().stream()
                        .allMatch(
                                argument ->
                                        argument.memberText("name") != null
                                                && all(argument, "description", Json::isString)
                                                && all(
                                                        argument,
                                                        "required",
                                                        it -> it.kind() == Json.Kind.BOOLEAN));
    }

    /** Whether all members whose names end so are what they must be. */
    private static boolean all(Json object, String nameEnd, Predicate<Json> wanted) {
        Members members = object.walk();
        while (members.next()) {
            if (members.name().endsWith(nameEnd) && !wanted.test(members.value())) {
                return false;
            }
        }
        return true;
    }
}
