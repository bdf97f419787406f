package dev.patchbay.repl.kernel.profile;

import dev.patchbay.repl.kernel.code.TypeNames;

import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The methods of a recorded stack, without what the session itself adds to it. */
final class StackFormatter {
    private static final String SNIPPETS = "REPL.$JShell$";
    private static final String KERNEL = "dev.patchbay.repl.kernel.";

    private StackFormatter() {}

    /** The methods, the outermost first. */
    static List<String> methods(@Nullable RecordedStackTrace trace) {
        var methods = new ArrayList<String>();
        if (trace == null) {
            return methods;
        }
        List<RecordedFrame> frames = trace.getFrames();
        int outermost = outermostSnippet(frames);
        for (int i = outermost; i >= 0; i--) {
            RecordedMethod method = frames.get(i).getMethod();
            if (method != null && !method.getType().getName().startsWith(KERNEL)) {
                methods.add(name(method));
            }
        }
        return methods;
    }

    /** What calls a snippet is of no interest. */
    private static int outermostSnippet(List<RecordedFrame> frames) {
        for (int i = frames.size() - 1; i >= 0; i--) {
            RecordedMethod method = frames.get(i).getMethod();
            if (method != null && method.getType().getName().startsWith(SNIPPETS)) {
                return i;
            }
        }
        return frames.size() - 1;
    }

    static String name(RecordedMethod method) {
        String type = method.getType().getName();
        String name = method.getName();
        String owner = TypeNames.ofBinaryName(type);
        if (name.startsWith("do_it$")) {
            return owner;
        }
        return TypeNames.isSnippet(type) ? name : owner + "." + name;
    }
}
