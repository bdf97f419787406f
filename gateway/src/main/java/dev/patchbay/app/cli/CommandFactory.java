package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;

import picocli.CommandLine;
import picocli.CommandLine.IFactory;

import java.lang.reflect.Constructor;

/** Creates the commands and passes the context to their constructors. */
final class CommandFactory implements IFactory {
    private final IFactory defaultFactory = CommandLine.defaultFactory();
    private final AppContext context;

    CommandFactory(AppContext context) {
        this.context = context;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == 1
                    && constructor.getParameterTypes()[0] == AppContext.class) {
                return type.cast(constructor.newInstance(context));
            }
        }
        return defaultFactory.create(type);
    }
}
