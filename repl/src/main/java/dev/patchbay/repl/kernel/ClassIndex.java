package dev.patchbay.repl.kernel;

import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** The names of all public packages' classes that snippets can see: the JDK's and the user's. */
final class ClassIndex {
    private static final int CLASSES_MAX = 500_000;
    private static final String CLASS_SUFFIX = ".class";

    /** A class, by its name in Java, and where it comes from. */
    record Entry(String name, String origin) {
        String simpleName() {
            return name.substring(name.lastIndexOf('.') + 1);
        }
    }

    private final List<Entry> added = new ArrayList<>();
    private @Nullable List<Entry> jdk;

    /** Adds the classes of a jar or a folder. */
    void add(String path) {
        Path place = Path.of(path);
        try {
            if (Files.isDirectory(place)) {
                try (Stream<Path> files = Files.walk(place)) {
                    addAll(files.map(file -> place.relativize(file).toString()), path);
                }
            } else {
                try (var jar = new ZipFile(place.toFile())) {
                    addAll(jar.stream().map(ZipEntry::getName), path);
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(path + " cannot be read: " + e.getMessage(), e);
        }
    }

    private void addAll(Stream<String> files, String origin) {
        files.map(file -> file.replace('\\', '/'))
                .filter(ClassIndex::isNamedClass)
                .filter(file -> !file.startsWith("META-INF/"))
                .limit(Math.max(0, CLASSES_MAX - added.size()))
                .forEach(file -> added.add(new Entry(className(file), origin)));
    }

    /** The classes whose name fits, the closest first. */
    JsonWriter search(String pattern, int countMax) {
        List<Entry> found = matching(pattern);
        JsonWriter answer = KernelChannel.beginMessage("done").member("count", found.size());
        answer.name("classes").beginArray();
        for (Entry entry : found.subList(0, Math.min(countMax, found.size()))) {
            answer.beginObject();
            answer.member("name", entry.name()).member("origin", entry.origin());
            answer.endObject();
        }
        return answer.endArray();
    }

    /** All classes of that simple name. */
    List<Entry> named(String simpleName) {
        return all().filter(entry -> entry.simpleName().equals(simpleName)).toList();
    }

    private List<Entry> matching(String pattern) {
        Predicate<String> fits = nameFilter(pattern);
        boolean whole = pattern.contains(".");
        String wanted = pattern.replace("*", "").toLowerCase(Locale.ROOT);
        return all().filter(entry -> fits.test(whole ? entry.name() : entry.simpleName()))
                .sorted(
                        Comparator.comparingInt((Entry entry) -> sortRank(entry, wanted))
                                .thenComparing(Entry::name))
                .toList();
    }

    /** With stars a pattern for the whole name, without any a part of it in any case. */
    private static Predicate<String> nameFilter(String pattern) {
        if (pattern.contains("*") || pattern.contains("?")) {
            var regex = new StringBuilder();
            for (int i = 0; i < pattern.length(); i++) {
                char c = pattern.charAt(i);
                switch (c) {
                    case '*' -> regex.append(".*");
                    case '?' -> regex.append('.');
                    default -> regex.append(Pattern.quote(String.valueOf(c)));
                }
            }
            return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE).asMatchPredicate();
        }
        String part = pattern.toLowerCase(Locale.ROOT);
        return name -> name.toLowerCase(Locale.ROOT).contains(part);
    }

    private static int sortRank(Entry entry, String wanted) {
        String simple = entry.simpleName().toLowerCase(Locale.ROOT);
        int rank = simple.equals(wanted) ? 0 : simple.startsWith(wanted) ? 1 : 2;
        boolean common = entry.name().startsWith("java.") || !entry.origin().startsWith("java");
        return rank * 2 + (common ? 0 : 1);
    }

    private Stream<Entry> all() {
        List<Entry> known = jdk;
        if (known == null) {
            known = jdkClasses();
            jdk = known;
        }
        return Stream.concat(known.stream(), added.stream());
    }

    private static List<Entry> jdkClasses() {
        var found = new ArrayList<Entry>();
        for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
            String name = module.descriptor().name();
            Set<String> exported =
                    module.descriptor().exports().stream()
                            .filter(exports -> !exports.isQualified())
                            .map(Exports::source)
                            .collect(Collectors.toSet());
            try (var reader = module.open();
                    Stream<String> files = reader.list()) {
                files.filter(ClassIndex::isNamedClass)
                        .filter(file -> exported.contains(packageOf(file)))
                        .forEach(file -> found.add(new Entry(className(file), name)));
            } catch (IOException e) {
                throw new IllegalStateException("Module " + name + " cannot be read", e);
            }
        }
        return found;
    }

    /** Whether a file is a class that code can name: no description, no anonymous class. */
    private static boolean isNamedClass(String file) {
        return file.endsWith(CLASS_SUFFIX)
                && !file.endsWith("-info.class")
                && !file.matches(".*\\$\\d.*");
    }

    private static String packageOf(String file) {
        int slash = file.lastIndexOf('/');
        return slash < 0 ? "" : file.substring(0, slash).replace('/', '.');
    }

    private static String className(String file) {
        return file.substring(0, file.length() - CLASS_SUFFIX.length())
                .replace('/', '.')
                .replace('$', '.');
    }
}
