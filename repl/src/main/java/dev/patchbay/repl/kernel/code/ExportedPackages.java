package dev.patchbay.repl.kernel.code;

import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleFinder;
import java.util.Set;
import java.util.stream.Collectors;

/** The packages of the JDK that every program may use. */
final class ExportedPackages {
    private static final Set<String> NAMES =
            ModuleFinder.ofSystem().findAll().stream()
                    .flatMap(module -> module.descriptor().exports().stream())
                    .filter(exported -> !exported.isQualified())
                    .map(Exports::source)
                    .collect(Collectors.toUnmodifiableSet());

    private ExportedPackages() {}

    /** Whether the class is in one of them, or is no class of the JDK. */
    static boolean contain(String internalName, String origin) {
        int slash = internalName.lastIndexOf('/');
        String name = slash < 0 ? "" : internalName.substring(0, slash).replace('/', '.');
        return !origin.startsWith("module ") || NAMES.contains(name);
    }
}
