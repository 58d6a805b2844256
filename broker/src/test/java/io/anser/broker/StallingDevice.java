package io.anser.broker;

import io.anser.store.file.DiskSpace;
import io.anser.store.file.Storage;
import io.anser.store.file.StoreFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A device that flushes the log when the test lets it. Everything else goes on. */
final class StallingDevice implements Storage {
    private final Storage device;
    private boolean stalled;

    StallingDevice(Storage device) {
        this.device = device;
    }

    /** From now on no flush of the log ends. */
    synchronized void stall() {
        stalled = true;
    }

    /** Flushes end again. */
    synchronized void goOn() {
        stalled = false;
        notifyAll();
    }

    private synchronized void awaitDevice() throws IOException {
        while (stalled) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }
    }

    @Override
    public StoreFile open(String name) throws IOException {
        StoreFile file = device.open(name);
        return name.startsWith("log/") ? new LogFile(file) : file;
    }

    @Override
    public StoreFile openLocked(String name) throws IOException {
        StoreFile file = device.openLocked(name);
        return name.startsWith("log/") ? new LogFile(file) : file;
    }

    @Override
    public boolean exists(String name) {
        return device.exists(name);
    }

    @Override
    public List<String> list(String directory) throws IOException {
        return device.list(directory);
    }

    @Override
    public void delete(String name) throws IOException {
        device.delete(name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        device.rename(from, to);
    }

    @Override
    public void forceDirectory(String directory) throws IOException {
        device.forceDirectory(directory);
    }

    @Override
    public DiskSpace space() throws IOException {
        return device.space();
    }

    @Override
    public String describe(String name) {
        return device.describe(name);
    }

    @Override
    public void close() throws IOException {
        goOn();
        device.close();
    }

    private final class LogFile implements StoreFile {
        private final StoreFile file;

        LogFile(StoreFile file) {
            this.file = file;
        }

        @Override
        public void write(ByteBuffer source, long at) throws IOException {
            file.write(source, at);
        }

        @Override
        public int read(ByteBuffer target, long at) throws IOException {
            return file.read(target, at);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void resize(long bytes) throws IOException {
            file.resize(bytes);
        }

        @Override
        public void force() throws IOException {
            awaitDevice();
            file.force();
        }

        @Override
        public ByteBuffer map(int bytes) throws IOException {
            return file.map(bytes);
        }

        @Override
        public boolean isInPlace() throws IOException {
            return file.isInPlace();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
