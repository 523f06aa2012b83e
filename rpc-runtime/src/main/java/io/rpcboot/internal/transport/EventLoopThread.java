package io.rpcboot.internal.transport;

import io.netty.util.concurrent.FastThreadLocalThread;

/** A thread of an event loop: known by its class, so that nothing blocks it. */
public final class EventLoopThread extends FastThreadLocalThread {

	private static final int CHUNK = 64 * 1024;

	private final byte[] chunk = new byte[CHUNK];

	EventLoopThread(Runnable target, String name) {
		super(target, name);
		setDaemon(true);
	}

	/** Where the current thread looks at what it has read; small reads need little. */
	static byte[] chunk(int length) {
		return (Thread.currentThread() instanceof EventLoopThread loop) ? loop.chunk
				: new byte[Math.min(length, CHUNK)];
	}

}
