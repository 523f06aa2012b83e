package io.rpcboot.internal.transport.eventloop;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.internal.ThreadExecutorMap;
import org.jspecify.annotations.Nullable;

/**
 * Detects threads that must not block: event loops of this engine and of every other user
 * of Netty, and threads that Reactor marks as non-blocking. The class of a thread is a
 * cheap first check.
 */
public final class NonBlockingThreads {

	/** Class of Netty threads. Many may block, as those of Vert.x worker pools. */
	public static final Class<?> OF_NETTY = FastThreadLocalThread.class;

	/** Class of non-blocking Reactor threads; without Reactor, event loop threads. */
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
	 * Returns what the calling thread is if it must not block.
	 * @return a noun with its article, null if the thread may block
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
