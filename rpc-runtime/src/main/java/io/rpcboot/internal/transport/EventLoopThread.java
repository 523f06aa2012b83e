package io.rpcboot.internal.transport;

import io.netty.util.concurrent.FastThreadLocalThread;

/** A thread of an event loop: known by its class, so that nothing blocks it. */
public final class EventLoopThread extends FastThreadLocalThread {

	EventLoopThread(Runnable target, String name) {
		super(target, name);
		setDaemon(true);
	}

}
