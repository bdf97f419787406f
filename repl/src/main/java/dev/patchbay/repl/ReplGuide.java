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

            ## Reading code
            - `find_uses` tells who calls a method or uses a class or field, with counts.
            - `find_methods` finds methods by the types they take and return; `find_subtypes`
              finds what extends or implements a type. scope=all includes the JDK.
            - `bytecode` shows a method's instructions or a class's compiled structure.

            ## What code costs
            - `measure` tells time and allocated bytes; use runs=1000 for code worth comparing.
            - `profile` tells which methods take the time (by=cpu or wall) or the memory
              (by=allocation), with a call tree and a flame graph.
            - `time_methods` counts and times named methods between start and stop.
            - `memory` shows heap, collections and the largest classes; `threads` shows threads.

            ## More
            - `add_to_classpath` takes a jar, a folder or a Maven coordinate. `attach_project`
              adds all that a Maven or Gradle project has.
            - `search_artifacts` finds libraries, `dependencies` tells what one brings with it,
              `find_jar` which jar has a class.
            - `run_tests` runs JUnit tests that the session defines or the class path has.
            - `saved_sessions` saves the session, restores it, or exports it as .java or .jsh.
            - `run_file` loads a .java or .jsh file into the session and calls its main method.
            - `sessions` starts and ends further sessions. Each tool takes session, the name of one:
              main is the default, client is your own.
            - `limits` changes how long an evaluation may take and how much it may print.
            - `reset` starts anew.

            A `[resource]` line names the URI of a value that is too long to show: read it as a
            resource. Standard input is empty. Code has the rights of the user that runs this
            server. All clients of this server share its sessions, but for client, and the
            evaluations of a session run one after the other.
            """;

    private ReplGuide() {}
}
