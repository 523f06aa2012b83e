package io.rpcboot.client;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.internal.memory.IncomingGrant;
import io.rpcboot.internal.protocol.FrameHeader;

/**
 * The calls of a reference that wait for a connection. Long ones, which may have to wait
 * for memory of a server, stand apart, so that short ones pass them. Stands beside
 * service proxy. Any thread.
 */
final class ReferenceQueue {

	private final CallQueue shortCalls;

	private final CallQueue longCalls;

	private final AtomicInteger longSize = new AtomicInteger();

	private final ServiceProxy proxy;

	/**
	 * Create an empty queue.
	 * @param proxy knows the connections
	 * @param shortSize counts the short calls
	 * @param control sweeps the queue
	 */
	ReferenceQueue(ServiceProxy proxy, AtomicInteger shortSize, ScheduledExecutorService control) {
		this.proxy = proxy;
		this.shortCalls = new CallQueue(shortSize, control, proxy.directory::lookAgain);
		this.longCalls = new CallQueue(this.longSize, control, proxy.directory::lookAgain);
	}

	/** Let a call wait until a connection takes it. */
	void add(ClientCall call) {
		call.connection = null;
		of(call).add(call, Integer.MAX_VALUE);
		offer();
	}

	/** A connection could not write the call that it took: it waits where it did. */
	void giveBack(ClientCall call) {
		call.connection = null;
		of(call).giveBack(call);
		offer();
	}

	private CallQueue of(ClientCall call) {
		return isLong(call) ? this.longCalls : this.shortCalls;
	}

	private static boolean isLong(ClientCall call) {
		return call.length() > IncomingGrant.SHARE - FrameHeader.DEADLINE_LENGTH;
	}

	/**
	 * Calls wait: connections that may have room look at them. After the end of the
	 * client nobody does.
	 */
	void offer() {
		if (this.proxy.directory.isClosed()) {
			both().forEach(CallQueue::close);
			return;
		}
		for (ClientConnection[] each : this.proxy.ready.connections()) {
			for (ClientConnection connection : each) {
				connection.offer();
			}
		}
	}

	/** Those of short calls and of long ones. */
	List<CallQueue> both() {
		return List.of(this.shortCalls, this.longCalls);
	}

	CallQueue shortCalls() {
		return this.shortCalls;
	}

	CallQueue longCalls() {
		return this.longCalls;
	}

	/** Calls that wait, with some that have ended. */
	int size() {
		return this.proxy.waiting.get() + this.longSize.get();
	}

}
