package io.rpcboot.internal.server.connection.binary;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.transport.binary.InboundBody;

/**
 * Calls that arrived before their methods were bound, because the contract of the client
 * is on its way. They count as in flight, for the window of the client and for the
 * server. Event loop only.
 */
final class UnboundCalls {

	private final BinaryServerConnection connection;

	private final RejectedMethods rejected;

	private final ServerResources server;

	/** Waiting calls by call id, in the order of arrival. */
	private final Map<Long, UnboundCall> waiting = new LinkedHashMap<>();

	UnboundCalls(BinaryServerConnection connection, RejectedMethods rejected, ServerResources server) {
		this.connection = connection;
		this.rejected = rejected;
		this.server = server;
	}

	/** Adds a call, or rejects it if the server has too many calls in flight. */
	void add(UnboundCall call) {
		this.waiting.put(call.callId(), call);
		if (!isAdmitted()) {
			this.waiting.remove(call.callId());
			rejectOverLimit(call);
		}
	}

	/**
	 * Starts or rejects the calls of a range of methods, which is bound or rejected now.
	 */
	void release(int first, int count) {
		for (Iterator<UnboundCall> all = this.waiting.values().iterator(); all.hasNext();) {
			UnboundCall call = all.next();
			if (call.code() < first || call.code() >= first + count) {
				continue;
			}
			Invocation method = this.connection.methods.get(call.code());
			method = (method != null) ? method : this.rejected.openWithCredentials(call);
			BinaryServerStream bound = (method != null) ? bind(call, method) : null;
			all.remove(); // not before the call was allocated: it would be lost
			if (bound == null) {
				this.rejected.reject(call, true);
			}
			else {
				start(bound, call);
			}
		}
		this.connection.onReadComplete();
	}

	/** Starts a call that does not wait, unless the server has too many in flight. */
	void startNow(UnboundCall call, Invocation method) {
		BinaryServerStream bound = bind(call, method);
		if (isAdmitted()) {
			start(bound, call);
			this.connection.onReadComplete();
		}
		else {
			rejectOverLimit(call);
		}
	}

	/** Counts a call as in flight; returns false if the server has too many. */
	private boolean isAdmitted() {
		return this.server.inFlight.incrementAndGet()
				- this.server.openStreams() <= this.server.options.maxInFlightCalls;
	}

	private void rejectOverLimit(UnboundCall call) {
		this.connection.callsEnded(1);
		this.connection.rejectFull(call);
	}

	private BinaryServerStream bind(UnboundCall call, Invocation method) {
		long waited = System.nanoTime() - call.arrivedNanos();
		BinaryServerStream bound = this.connection.newStream(method, call.oneWay(), call.callId(), call.body().length,
				call.arrivedNanos() + waited, call.allowedNanos() - waited);
		bound.call.unread = this.connection.attachments(call.flags());
		return bound;
	}

	private void start(BinaryServerStream bound, UnboundCall call) {
		if (bound.call.allowedNanos < 0) { // a call on the event loop would not check its
											// deadline
			bound.call.endUnrun();
			return;
		}
		if (this.connection.admitsBound(bound.call)) {
			this.connection.start(bound, call.body(), call.offset(), call.body().length, InboundBody.of(call.body()));
		}
	}

	/** Drops a call whose caller no longer waits; one-way calls cannot be cancelled. */
	void cancel(long callId) {
		UnboundCall call = this.waiting.get(callId);
		if (call != null && !call.oneWay()) {
			this.waiting.remove(callId);
			this.server.counts.cancelled.increment();
			this.connection.flow.released(call.body().length);
			this.connection.callsEnded(1);
		}
	}

	int size() {
		return this.waiting.size();
	}

	/** Drops all calls: the connection is closed. */
	void close() {
		this.waiting.values().forEach(this::drop);
		this.waiting.clear();
	}

	private void drop(UnboundCall call) {
		this.server.counts.cancelled.increment();
		if (call.oneWay()) {
			this.connection.dropped(UnboundCalls.class, () -> "its connection ended before its method was known");
		}
		this.connection.callsEnded(1);
	}

}
