package io.anser.transport;

import io.anser.system.Cancellable;
import io.anser.system.Scheduler;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The event loop threads {@code net-0, net-1, ...} of a process, on epoll where the platform has it. A server and a client
 * of one process share them. Thread-safe.
 */
public final class EventLoops implements AutoCloseable {
    private static final long SECOND_MILLIS = 1000;
    private static final long STOP_MILLIS = 500;
    private static final int MOST_LOOPS_CHOSEN = 8;

    private final boolean epoll = Epoll.isAvailable();
    private final MultiThreadIoEventLoopGroup group;
    private final Map<EventExecutor, LoopState> states = new LinkedHashMap<>();
    private final Cancellable everySecond;

    private EventLoops(int threads, Scheduler scheduler) {
        group = new MultiThreadIoEventLoopGroup(
                threads, new NetThreads(), epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        for (EventExecutor loop : group) {
            states.put(loop, new LoopState(loop));
        }
        everySecond = scheduler.every(SECOND_MILLIS, this::secondPassed);
    }

    /**
     * Starts the threads.
     *
     * @param settings how many; 0 is half the cores, from 1 to 8, because the log's writer needs a core as well
     * @param scheduler ticks once a second for idle and half-open connections
     */
    public static EventLoops start(TransportSettings settings, Scheduler scheduler) {
        int cores = Runtime.getRuntime().availableProcessors();
        int chosen = Math.max(1, Math.min(MOST_LOOPS_CHOSEN, cores / 2));
        return new EventLoops(settings.eventLoops() > 0 ? settings.eventLoops() : chosen, scheduler);
    }

    /** How many event loops there are. */
    public int threads() {
        return states.size();
    }

    LoopState stateOf(EventExecutor loop) {
        LoopState state = states.get(loop);
        if (state == null) {
            throw new IllegalStateException("the event loop is not one of these");
        }
        return state;
    }

    EventLoop next() {
        return group.next();
    }

    ServerBootstrap serverBootstrap() {
        return new ServerBootstrap()
                .group(group)
                .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT);
    }

    Bootstrap clientBootstrap(EventLoop loop) {
        return new Bootstrap()
                .group(loop)
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT);
    }

    private void secondPassed() {
        for (LoopState state : states.values()) {
            try {
                state.loop().execute(state::secondPassed);
            } catch (RejectedExecutionException stopping) {
                everySecond.cancel();
                return;
            }
        }
    }

    /** Ends the threads, closing what is still open. Waits at most about half a second. */
    @Override
    public void close() {
        everySecond.cancel();
        group.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(STOP_MILLIS);
    }

    /** Names the threads and makes them daemons, as all threads of the process are. */
    private static final class NetThreads extends DefaultThreadFactory {
        private final AtomicInteger count = new AtomicInteger();

        NetThreads() {
            super("net", true);
        }

        @Override
        protected Thread newThread(Runnable body, String name) {
            return super.newThread(body, "net-" + count.getAndIncrement());
        }
    }
}
