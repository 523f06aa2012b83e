package io.rpcboot.internal.client.connection;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.limits.AdaptiveLifoQueue;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.protocol.FrameHeader;

/**
 * The calls of a reference that wait for a connection. Long ones, which may have to wait
 * for memory of a server, stand apart, so that short ones pass them. Stands beside
 * service proxy. Any thread.
 */
public final class PendingCallQueue {

	/** Those who take calls from the queue. Any thread. */
	public interface Takers {

		/**
		 * Calls wait: connections that may have room look at them. After the end of the
		 * client nobody does, and they fail.
		 */
		void offer();

		/** Which calls a connection may take. */
		Predicate<ClientCall> acceptedBy(CallTransport taker);

		/** Calls have waited for a while, maybe for what will never be. */
		void lookAgain();

	}

	private final AdaptiveLifoQueue<ClientCall> shortCalls;

	private final AdaptiveLifoQueue<ClientCall> longCalls;

	private final AtomicInteger shortSize;

	private final AtomicInteger longSize = new AtomicInteger();

	private final int reference;

	private final Takers takers;

	/**
	 * Create an empty queue.
	 * @param reference its number among the references of the client
	 * @param shortSize counts the short calls
	 * @param control sweeps the queue
	 * @param takers look whenever a call is added
	 */
	public PendingCallQueue(int reference, AtomicInteger shortSize, ScheduledExecutorService control, Takers takers) {
		this.reference = reference;
		this.shortSize = shortSize;
		this.takers = takers;
		this.shortCalls = new AdaptiveLifoQueue<>(shortSize, control, takers::lookAgain);
		this.longCalls = new AdaptiveLifoQueue<>(this.longSize, control, takers::lookAgain);
	}

	/** Let a call wait until a connection takes it. */
	public void add(ClientCall call) {
		call.connection = null;
		of(call).add(call, Integer.MAX_VALUE);
		this.takers.offer();
	}

	/** A connection could not write the call that it took: it waits where it did. */
	public void giveBack(ClientCall call) {
		call.connection = null;
		of(call).requeue(call);
		this.takers.offer();
	}

	private AdaptiveLifoQueue<ClientCall> of(ClientCall call) {
		return isLong(call) ? this.longCalls : this.shortCalls;
	}

	private static boolean isLong(ClientCall call) {
		return call.length() > ReceiveWindow.SHARE - FrameHeader.DEADLINE_LENGTH;
	}

	/** The client is closed: nobody will take calls any more. */
	public void close() {
		both().forEach(AdaptiveLifoQueue::close);
	}

	/** Those of short calls and of long ones. */
	public List<AdaptiveLifoQueue<ClientCall>> both() {
		return List.of(this.shortCalls, this.longCalls);
	}

	AdaptiveLifoQueue<ClientCall> shortCalls() {
		return this.shortCalls;
	}

	AdaptiveLifoQueue<ClientCall> longCalls() {
		return this.longCalls;
	}

	/** Which calls a connection may take. */
	Predicate<ClientCall> acceptedBy(CallTransport taker) {
		return this.takers.acceptedBy(taker);
	}

	/** The number of the reference. */
	int reference() {
		return this.reference;
	}

	/** Calls that wait, with some that have ended. */
	public int size() {
		return this.shortSize.get() + this.longSize.get();
	}

}
