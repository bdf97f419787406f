package dev.patchbay.app;

import picocli.CommandLine;
import picocli.CommandLine.IFactory;

import java.lang.reflect.Constructor;

/** Makes the commands, giving the context to those that take one. */
final class CommandFactory implements IFactory {
    private final IFactory other = CommandLine.defaultFactory();
    private final Context context;

    CommandFactory(Context context) {
        this.context = context;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == 1
                    && constructor.getParameterTypes()[0] == Context.class) {
                return type.cast(constructor.newInstance(context));
            }
        }
        return other.create(type);
    }
}
