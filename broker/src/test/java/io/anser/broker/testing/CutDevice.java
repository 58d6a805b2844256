package io.anser.broker.testing;

import io.anser.store.file.Storage;
import io.anser.store.file.StoreFile;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;

/** A device that the process cannot change any more after a number of changes, as if it had been killed there. */
public final class CutDevice {
    private static final Set<String> CHANGES =
            Set.of("open", "openLocked", "write", "resize", "force", "rename", "delete", "forceDirectory");

    private int left;
    private boolean cut;

    /** A device that lets so many changes happen. */
    public CutDevice(int changes) {
        left = changes;
    }

    /** Whether a change was refused. */
    public synchronized boolean isCut() {
        return cut;
    }

    /** Puts this between a store and its device. */
    public Storage over(Storage device) {
        return between(Storage.class, device);
    }

    private <T> T between(Class<T> type, T below) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> call(below, method, arguments)));
    }

    private Object call(Object below, Method method, Object[] arguments) throws Throwable {
        if (CHANGES.contains(method.getName())) {
            count();
        }
        try {
            Object result = method.invoke(below, arguments);
            return result instanceof StoreFile file ? between(StoreFile.class, file) : result;
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private synchronized void count() throws IOException {
        left--;
        if (left < 0) {
            cut = true;
            IOException refusal = new IOException("cut off");
            refusal.setStackTrace(new StackTraceElement[0]); // logged by everything that meets it
            throw refusal;
        }
    }
}
