package dev.patchbay.repl;

import dev.patchbay.json.Json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The arguments of a call, checked against the parameters of its tool. */
final class ToolArguments {
    private final Json json;

    private ToolArguments(Json json) {
        this.json = json;
    }

    static ToolArguments of(Json checked) {
        return new ToolArguments(checked);
    }

    /** All that is wrong with the arguments; empty if nothing is. */
    static List<String> validationErrors(List<ToolParameter> parameters, Json arguments) {
        var faults = new ArrayList<String>();
        for (ToolParameter parameter : parameters) {
            Json value = arguments.member(parameter.name());
            if (value == null || value.isNull()) {
                if (parameter.isRequired()) {
                    faults.add(parameter.name() + " is missing");
                }
            } else {
                String fault = parameter.validationError(value);
                if (fault != null) {
                    faults.add(fault);
                }
            }
        }
        for (Json.Member member : arguments.members()) {
            if (parameters.stream().noneMatch(known -> known.name().equals(member.name()))) {
                faults.add("there is no parameter " + member.name());
            }
        }
        return faults;
    }

    boolean has(String name) {
        Json value = json.member(name);
        return value != null && !value.isNull();
    }

    /** The text of that name; empty if there is none. */
    String text(String name) {
        return JsonFields.text(json, name);
    }

    long number(String name, long otherwise) {
        Json value = json.member(name);
        return value == null || value.isNull()
                ? otherwise
                : new BigDecimal(value.toString()).longValueExact();
    }

    boolean bool(String name, boolean otherwise) {
        return has(name) ? JsonFields.isTrue(json, name) : otherwise;
    }

    List<String> texts(String name) {
        return JsonFields.texts(json, name);
    }
}
