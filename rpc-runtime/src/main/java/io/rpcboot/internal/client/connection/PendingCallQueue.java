package io.rpcboot.internal.client.connection;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.limits.ExpiringCallQueue;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.FrameHeader;

/**
 * Calls of one reference that wait for a connection. Large calls, which may wait for
 * memory of a server, have a queue of their own, so that small calls pass them. Any
 * thread.
 */
public final class PendingCallQueue {

	/** Connections that take calls from the queue. Any thread. */
	public interface Takers {

		/**
		 * Announces that calls wait to connections that are not saturated. Fails the
		 * calls if the client is closed.
		 */
		void offer();

		/** Returns a predicate of the calls that a connection may take. */
		Predicate<ClientCall> acceptedBy(CallTransport taker);

		/** Checks whether waiting calls can still be sent. Called every 10 ms. */
		void lookAgain();

	}

	private final ExpiringCallQueue<ClientCall> smallCalls;

	private final ExpiringCallQueue<ClientCall> largeCalls;

	private final AtomicInteger smallSize;

	private final AtomicInteger largeSize = new AtomicInteger();

	private final int reference;

	private final Takers takers;

	/**
	 * Create an empty queue.
	 * @param reference its number among the references of the client
	 * @param smallSize counts the small calls
	 * @param control sweeps the queue
	 * @param takers receive an offer for each added call
	 */
	public PendingCallQueue(int reference, AtomicInteger smallSize, ScheduledExecutorService control, Takers takers) {
		this.reference = reference;
		this.smallSize = smallSize;
		this.takers = takers;
		this.smallCalls = new ExpiringCallQueue<>(smallSize, control, takers::lookAgain);
		this.largeCalls = new ExpiringCallQueue<>(this.largeSize, control, takers::lookAgain);
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
		boolean isLarge = call.length() > ReceiveWindow.SHARE - FrameHeader.DEADLINE_LENGTH;
		return isLarge ? this.largeCalls : this.smallCalls;
	}

	/** Fails all calls because the client is closed. */
	public void close() {
		both().forEach(ExpiringCallQueue::close);
	}

	/** Returns the queues of small calls and of large calls. */
	public List<ExpiringCallQueue<ClientCall>> both() {
		return List.of(this.smallCalls, this.largeCalls);
	}

	ExpiringCallQueue<ClientCall> smallCalls() {
		return this.smallCalls;
	}

	ExpiringCallQueue<ClientCall> largeCalls() {
		return this.largeCalls;
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
		return this.smallSize.get() + this.largeSize.get();
	}

}
