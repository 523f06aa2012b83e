package io.rpcboot.internal.transport.eventloop;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.internal.ThreadExecutorMap;
import org.jspecify.annotations.Nullable;

/**
 * Threads on which nothing may wait: event loops, ours and those of every other user of
 * Netty, and what Reactor marks as non-blocking. A thread is suspected by its class, and
 * looked at only then.
 */
public final class NonBlockingThreads {

	/** Threads of Netty. Many may wait: those of its other executors, or of Vert.x. */
	public static final Class<?> OF_NETTY = FastThreadLocalThread.class;

	/** Threads of Reactor that must not wait; if there is no Reactor, our own loops. */
	public static final Class<?> OF_REACTOR = classOf("reactor.core.scheduler.NonBlocking");

	private NonBlockingThreads() {
	}

	private static Class<?> classOf(String name) {
		try {
			return Class.forName(name, false, NonBlockingThreads.class.getClassLoader());
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return EventLoopThread.class;
		}
	}

	/**
	 * What the calling thread is, if nothing may wait on it.
	 * @return a noun with its article, null if it may wait
	 */
	public static @Nullable String kindOfCaller() {
		Thread caller = Thread.currentThread();
		if (caller instanceof EventLoopThread) {
			return "an event loop";
		}
		if (OF_REACTOR.isInstance(caller)) {
			return "a non-blocking thread of Reactor";
		}
		return (ThreadExecutorMap.currentExecutor() instanceof EventLoop && !permitsBlocking(caller)) ? "an event loop"
				: null;
	}

	private static boolean permitsBlocking(Thread thread) {
		return thread instanceof FastThreadLocalThread netty && netty.permitBlockingCalls();
	}

}
