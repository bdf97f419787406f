package dev.patchbay.repl.kernel;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collections, maps and records in many lines, where one line would be hard to read: records of one
 * kind and maps become tables, others a line for each element.
 */
final class StructuredValueFormatter {
    private static final int LINE_CHARS_MAX = 120;
    private static final int ELEMENT_CHARS_MIN = 20;
    private static final int CELL_CHARS_MAX = 80;
    private static final int COLUMNS_MAX = 20;
    private static final int ROWS_MAX = 10_000;

    /** Makes the text of an element in one line. */
    interface ElementFormatter {
        String format(@Nullable Object element);
    }

    private final ElementFormatter elements;

    StructuredValueFormatter(ElementFormatter elements) {
        this.elements = elements;
    }

    /** The value in many lines; null if its text in one line is better. */
    @Nullable String format(Object value, String line) {
        if (line.length() <= LINE_CHARS_MAX) {
            return null;
        }
        return switch (value) {
            case Collection<?> all -> formatAll(List.copyOf(first(all)), all.size(), line);
            case Object[] all -> formatAll(first(Arrays.asList(all)), all.length, line);
            case Map<?, ?> map -> formatMap(map, line);
            case Record one -> formatRecord(one);
            default -> null;
        };
    }

    private static List<Object> first(Collection<?> all) {
        var some = new ArrayList<Object>();
        for (Object one : all) {
            if (some.size() == ROWS_MAX || one == null) {
                break;
            }
            some.add(one);
        }
        return some;
    }

    private @Nullable String formatAll(List<Object> some, int size, String line) {
        if (some.size() < 2 || (some.size() < size && some.size() < ROWS_MAX)) {
            return null;
        }
        List<String> columns = columns(some);
        if (!columns.isEmpty()) {
            return table(columns, some, size);
        }
        if (line.length() / some.size() < ELEMENT_CHARS_MIN) {
            return null;
        }
        var text = new StringBuilder("%,d elements".formatted(size));
        for (int i = 0; i < some.size(); i++) {
            text.append("\n  [").append(i).append("] ").append(elements.format(some.get(i)));
        }
        return text.append(rest(some.size(), size)).toString();
    }

    private static String rest(int shown, int size) {
        return shown < size ? "\n  … and %,d more".formatted(size - shown) : "";
    }

    /** The columns that all rows have; empty if they are no rows of a table. */
    private static List<String> columns(List<Object> rows) {
        Object first = rows.getFirst();
        if (first instanceof Record) {
            boolean isUniform = rows.stream().allMatch(it -> it.getClass() == first.getClass());
            RecordComponent[] components = first.getClass().getRecordComponents();
            return isUniform && components.length <= COLUMNS_MAX
                    ? Arrays.stream(components).map(RecordComponent::getName).toList()
                    : List.of();
        }
        if (first instanceof Map<?, ?> map
                && map.keySet().stream().allMatch(String.class::isInstance)) {
            Set<String> names = new LinkedHashSet<>();
            for (Object row : rows) {
                if (!(row instanceof Map<?, ?> other)) {
                    return List.of();
                }
                other.keySet().forEach(key -> names.add(String.valueOf(key)));
            }
            return names.size() <= COLUMNS_MAX ? List.copyOf(names) : List.of();
        }
        return List.of();
    }

    private String table(List<String> columns, List<Object> rows, int size) {
        var cells = new ArrayList<List<String>>();
        for (Object row : rows) {
            cells.add(columns.stream().map(column -> cell(row, column)).toList());
        }
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = columns.get(i).length();
            for (List<String> row : cells) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        var text = new StringBuilder("%,d rows\n".formatted(size));
        append(columns, widths, text);
        append(Arrays.stream(widths).mapToObj("-"::repeat).toList(), widths, text);
        cells.forEach(row -> append(row, widths, text));
        return text.toString().stripTrailing() + rest(rows.size(), size);
    }

    private static void append(List<String> cells, int[] widths, StringBuilder target) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(cells.get(i)).append(" ".repeat(widths[i] - cells.get(i).length() + 2));
        }
        target.append(line.toString().stripTrailing()).append('\n');
    }

    private String cell(Object row, String column) {
        Object value =
                row instanceof Map<?, ?> map ? map.get(column) : component((Record) row, column);
        String text = value instanceof String string ? string : elements.format(value);
        String line = text.replace("\n", "\\n");
        return line.length() <= CELL_CHARS_MAX ? line : line.substring(0, CELL_CHARS_MAX - 1) + "…";
    }

    /** By the accessor, as the record's own text does. */
    private static @Nullable Object component(Record row, String name) {
        for (RecordComponent component : row.getClass().getRecordComponents()) {
            if (component.getName().equals(name)) {
                try {
                    var accessor = component.getAccessor();
                    accessor.setAccessible(true);
                    return accessor.invoke(row);
                } catch (InvocationTargetException e) {
                    if (e.getCause() instanceof Error error) {
                        throw error;
                    }
                    return "(failed: " + e.getCause() + ")";
                } catch (ReflectiveOperationException | RuntimeException e) {
                    return "(not accessible)";
                }
            }
        }
        return null;
    }

    private @Nullable String formatMap(Map<?, ?> map, String line) {
        if (map.isEmpty() || line.length() / map.size() < ELEMENT_CHARS_MIN) {
            return null;
        }
        var text = new StringBuilder("%,d entries".formatted(map.size()));
        int shown = 0;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (shown++ == ROWS_MAX) {
                break;
            }
            text.append("\n  ").append(elements.format(entry.getKey()));
            text.append(" = ").append(elements.format(entry.getValue()));
        }
        return text.append(rest(Math.min(shown, ROWS_MAX), map.size())).toString();
    }

    private @Nullable String formatRecord(Record one) {
        RecordComponent[] components = one.getClass().getRecordComponents();
        if (components.length < 2) {
            return null;
        }
        var text = new StringBuilder(one.getClass().getSimpleName());
        for (RecordComponent component : components) {
            text.append("\n  ").append(component.getName()).append(" = ");
            text.append(elements.format(component(one, component.getName())));
        }
        return text.toString();
    }
}
