package io.rpcboot.client;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.client.ServiceProxy.Ready;

/**
 * The calls of a reference that wait for a connection. Stands beside service proxy. Any
 * thread.
 */
final class ReferenceQueue {

	private final CallQueue queue;

	private final ServiceProxy proxy;

	/**
	 * Create an empty queue.
	 * @param proxy knows the connections
	 * @param size counts the calls
	 * @param control sweeps the queue
	 */
	ReferenceQueue(ServiceProxy proxy, AtomicInteger size, ScheduledExecutorService control) {
		this.proxy = proxy;
		this.queue = new CallQueue(size, control, this::offerToAll);
	}

	/** Let a call wait until a connection takes it. */
	void add(ClientCall call) {
		call.connection = null;
		this.queue.add(call, Integer.MAX_VALUE);
		offer(this.proxy.ready);
	}

	/** One connection that has room is to look. */
	private static void offer(Ready ready) {
		for (ClientConnection[] each : ready.connections()) {
			for (ClientConnection connection : each) {
				if (!connection.isFull()) {
					connection.pull();
					return;
				}
			}
		}
	}

	/** Calls may wait although a connection has room: it is to look. */
	void offerToAll() {
		if (this.proxy.directory.isClosed()) {
			this.queue.failAll("the client is closed");
			return;
		}
		for (ClientConnection[] each : this.proxy.ready.connections()) {
			for (ClientConnection connection : each) {
				connection.pull();
			}
		}
	}

	/** The calls. */
	CallQueue calls() {
		return this.queue;
	}

}
