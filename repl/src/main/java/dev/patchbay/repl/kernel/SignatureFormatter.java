package dev.patchbay.repl.kernel;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Declarations of classes and their members, as they would stand in Java, with simple names. */
final class SignatureFormatter {
    private SignatureFormatter() {}

    static String of(Class<?> type) {
        var text = new StringBuilder(modifiers(type));
        String name = ExceptionWriter.sourceName(type.getName());
        text.append(kind(type))
                .append(' ')
                .append(name)
                .append(variables(type.getTypeParameters()));
        if (type.isRecord()) {
            text.append(
                    Arrays.stream(type.getRecordComponents())
                            .map(SignatureFormatter::of)
                            .collect(Collectors.joining(", ", "(", ")")));
        }
        Type parent = type.getGenericSuperclass();
        boolean ordinary = !type.isRecord() && !type.isEnum();
        if (ordinary && parent != null && parent != Object.class) {
            text.append(" extends ").append(name(parent));
        }
        if (type.getGenericInterfaces().length > 0) {
            text.append(type.isInterface() ? " extends " : " implements ");
            text.append(names(type.getGenericInterfaces()));
        }
        if (type.isSealed()) {
            text.append(" permits ").append(names(type.getPermittedSubclasses()));
        }
        return text.toString();
    }

    private static String of(RecordComponent component) {
        return name(component.getGenericType()) + " " + component.getName();
    }

    static String of(Field field) {
        String text = modifiers(field.getModifiers());
        return text + name(field.getGenericType()) + " " + field.getName();
    }

    /**
     * A method or constructor; the names of its parameters come from its source if there is one.
     */
    static String of(Executable member, @Nullable List<String> parameterNames) {
        int kept = Modifier.isAbstract(member.getModifiers()) ? Modifier.ABSTRACT : 0;
        var text = new StringBuilder(modifiers(member.getModifiers() & ~kept));
        if (member instanceof Method method && method.isDefault()) {
            text.append("default ");
        }
        String variables = variables(member.getTypeParameters());
        text.append(variables.isEmpty() ? "" : variables + " ");
        if (member instanceof Method method) {
            text.append(name(method.getGenericReturnType())).append(' ').append(method.getName());
        } else if (member instanceof Constructor<?> constructor) {
            text.append(constructor.getDeclaringClass().getSimpleName());
        }
        text.append(parameters(member, parameterNames));
        if (member.getExceptionTypes().length > 0) {
            text.append(" throws ").append(names(member.getGenericExceptionTypes()));
        }
        return text.toString();
    }

    private static String parameters(Executable member, @Nullable List<String> names) {
        Type[] types = member.getGenericParameterTypes();
        var parts = new ArrayList<String>();
        for (int i = 0; i < types.length; i++) {
            String type = name(types[i]);
            if (member.isVarArgs() && i == types.length - 1) {
                type = type.substring(0, type.length() - 2) + "...";
            }
            String name = name(member.getParameters()[i], i, names);
            parts.add(name.isEmpty() ? type : type + " " + name);
        }
        return "(" + String.join(", ", parts) + ")";
    }

    /** The name of a parameter by its source or by its class file; empty if neither tells. */
    private static String name(Parameter parameter, int index, @Nullable List<String> names) {
        if (names != null && index < names.size()) {
            return names.get(index);
        }
        return parameter.isNamePresent() ? parameter.getName() : "";
    }

    static String kind(Class<?> type) {
        if (type.isAnnotation()) {
            return "@interface";
        }
        if (type.isInterface()) {
            return "interface";
        }
        return type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    }

    private static String modifiers(Class<?> type) {
        int hidden = type.isInterface() ? Modifier.ABSTRACT | Modifier.INTERFACE : 0;
        int implied = type.isEnum() || type.isRecord() ? Modifier.FINAL : 0;
        String text = modifiers(type.getModifiers() & ~hidden & ~implied & ~Modifier.STATIC);
        return type.isSealed() ? text + "sealed " : text;
    }

    private static String modifiers(int flags) {
        int shown =
                Modifier.PUBLIC
                        | Modifier.PROTECTED
                        | Modifier.PRIVATE
                        | Modifier.STATIC
                        | Modifier.FINAL
                        | Modifier.ABSTRACT;
        String text = Modifier.toString(flags & shown);
        return text.isEmpty() ? "" : text + " ";
    }

    private static String variables(TypeVariable<?>[] variables) {
        if (variables.length == 0) {
            return "";
        }
        var parts = new ArrayList<String>();
        for (TypeVariable<?> variable : variables) {
            Type[] bounds = variable.getBounds();
            boolean bounded = bounds.length > 1 || bounds[0] != Object.class;
            String bound =
                    Arrays.stream(bounds)
                            .map(SignatureFormatter::name)
                            .collect(Collectors.joining(" & "));
            parts.add(bounded ? variable.getName() + " extends " + bound : variable.getName());
        }
        return "<" + String.join(", ", parts) + ">";
    }

    private static String names(Type[] types) {
        return Arrays.stream(types).map(SignatureFormatter::name).collect(Collectors.joining(", "));
    }

    /** A type with simple names. */
    static String name(Type type) {
        return switch (type) {
            case Class<?> plain -> plain.getSimpleName();
            case ParameterizedType generic ->
                    name(generic.getRawType())
                            + "<"
                            + names(generic.getActualTypeArguments())
                            + ">";
            case GenericArrayType array -> name(array.getGenericComponentType()) + "[]";
            case WildcardType wildcard when wildcard.getLowerBounds().length > 0 ->
                    "? super " + names(wildcard.getLowerBounds());
            case WildcardType wildcard when wildcard.getUpperBounds()[0] != Object.class ->
                    "? extends " + names(wildcard.getUpperBounds());
            case WildcardType _ -> "?";
            default -> type.getTypeName();
        };
    }
}
