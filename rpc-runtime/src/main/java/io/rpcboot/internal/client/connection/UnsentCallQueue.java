package io.rpcboot.internal.client.connection;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.limits.ExpiringCallQueue;
import io.rpcboot.internal.memory.ReceiveWindow;

/**
 * Calls of one reference that are not sent yet. Long calls, which may wait for memory of
 * a server, have a queue of their own, so that short calls pass them. Any thread.
 */
public final class UnsentCallQueue {

	/**
	 * Largest body of a short call, in bytes: {@link ReceiveWindow#SHARE}, less what a
	 * protocol may put in front of it.
	 */
	private static final int MAX_SHORT = ReceiveWindow.SHARE - 4;

	/** Connections that take calls from the queue. Any thread. */
	public interface Takers {

		/**
		 * Announces that calls wait to connections that need a wake-up. Fails the calls
		 * if the client is closed.
		 */
		void offer();

		/** Returns a predicate of the calls that a connection may take. */
		Predicate<ClientCall> acceptedBy(CallTransport taker);

		/** Checks whether waiting calls can still be sent. Called every 10 ms. */
		void lookAgain();

	}

	private final ExpiringCallQueue<ClientCall> shortCalls;

	private final ExpiringCallQueue<ClientCall> longCalls;

	private final AtomicInteger shortSize;

	private final AtomicInteger longSize = new AtomicInteger();

	private final int reference;

	private final Takers takers;

	/**
	 * Create an empty queue.
	 * @param reference its number among the references of the client
	 * @param shortSize counts the short calls
	 * @param control sweeps the queue
	 * @param takers receive an offer for each added call
	 */
	public UnsentCallQueue(int reference, AtomicInteger shortSize, ScheduledExecutorService control, Takers takers) {
		this.reference = reference;
		this.shortSize = shortSize;
		this.takers = takers;
		this.shortCalls = new ExpiringCallQueue<>(shortSize, control, takers::lookAgain);
		this.longCalls = new ExpiringCallQueue<>(this.longSize, control, takers::lookAgain);
	}

	/** Adds a call, which waits until a connection takes it. */
	public void add(ClientCall call) {
		call.connection = null;
		of(call).add(call, Integer.MAX_VALUE);
		this.takers.offer();
	}

	/** Returns a call that a connection took and could not write to its old place. */
	public void giveBack(ClientCall call) {
		call.connection = null;
		of(call).requeue(call);
		this.takers.offer();
	}

	private ExpiringCallQueue<ClientCall> of(ClientCall call) {
		return isLong(call) ? this.longCalls : this.shortCalls;
	}

	/** Returns true for a call that may wait for memory of a server. */
	static boolean isLong(ClientCall call) {
		return call.length() > MAX_SHORT;
	}

	/** Returns true if long calls wait, some of which may have ended. */
	boolean hasLongCalls() {
		return this.longSize.get() > 0;
	}

	/** Fails all calls because the client is closed. */
	public void close() {
		both().forEach(ExpiringCallQueue::close);
	}

	/** Returns the queues of short calls and of long calls. */
	public List<ExpiringCallQueue<ClientCall>> both() {
		return List.of(this.shortCalls, this.longCalls);
	}

	ExpiringCallQueue<ClientCall> shortCalls() {
		return this.shortCalls;
	}

	ExpiringCallQueue<ClientCall> longCalls() {
		return this.longCalls;
	}

	/** Returns a predicate of the calls that a connection may take. */
	Predicate<ClientCall> acceptedBy(CallTransport taker) {
		return this.takers.acceptedBy(taker);
	}

	int reference() {
		return this.reference;
	}

	/** Returns the number of waiting calls, including some that have ended. */
	public int size() {
		return this.shortSize.get() + this.longSize.get();
	}

}
