package dev.patchbay.repl;

/** What an agent should know to use the session well. */
final class ReplGuide {
    /** In a few sentences, for every client. */
    static final String INSTRUCTIONS =
            """
            A live Java session. Call evaluate with Java code; what it defines stays for later \
            calls. When something fails, last_error shows the whole trace. guide tells more.\
            """;

    static final String TEXT =
            """
            # A live Java session

            `evaluate` runs Java code and keeps what it defines. Try things out here instead of
            guessing: how an API behaves, what a method returns, whether an algorithm is right.

            ## Work in small steps
            1. `evaluate` code='var words = List.of("b", "a"); words.stream().sorted().toList()'
               answers `=> [a, b] : List<String>`.
            2. Define a method or record, then call it in the next evaluation. Defining it again
               replaces it.
            3. On `[ERROR]` read the line it names. `last_error` shows the whole trace and causes.

            ## Reading an answer
            - Printed text comes first as it is, then `[stderr]` lines, then `=> value : type`.
            - `[ERROR] class: message` is an exception; `[ERROR] error at line …` is the compiler.
            - `[not run]` is the code behind the snippet that failed: only that is left to do.
            - `[TIMEOUT]`: stopped at the limit; the output so far is kept. All threads that ran
              code of the session were stopped.
            - `[SESSION ENDED]` and `[notice]`: the JVM of the session is gone (System.exit, out of
              memory, a crash). A fresh one has the imports, types and methods again. Variables are
              declared again, but their values are lost: assign them anew.
            - `[background]` is what threads left running printed between two evaluations.

            ## Before running
            - `check` compiles without running. `complete` tells what may stand at a position.
            - `describe` shows a class or method with its documentation; `search` finds classes.
            - `definitions` lists what the session has, with values, or with source.

            ## More
            - `add_to_classpath` takes a jar, a folder or a Maven coordinate.
            - `run_file` loads a .java or .jsh file into the session and calls its main method.
            - `measure` tells time and allocated bytes; use runs=1000 for code worth comparing.
            - `limits` changes how long an evaluation may take and how much it may print.
            - `reset` starts anew.

            Standard input is empty. Code has the rights of the user that runs this server. Whoever
            is connected to this server works in the same session, one evaluation after the other.
            """;

    private ReplGuide() {}
}
