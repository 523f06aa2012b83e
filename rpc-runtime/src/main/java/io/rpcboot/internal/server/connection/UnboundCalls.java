package io.rpcboot.internal.server.connection;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.call.ServerCallSlowPath;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.internal.transport.frame.InboundBody;

/**
 * Calls that arrived before their methods are known, because the table of the client is
 * on its way. They count as in flight, in the grant as well as for the whole server.
 * Event loop only.
 */
public final class UnboundCalls {

	private final ServerConnectionBase calls;

	private final RejectedMethods refused;

	private final ServerResources server;

	private final Map<Long, UnboundCall> held = new LinkedHashMap<>();

	public UnboundCalls(ServerConnectionBase calls, RejectedMethods refused, ServerResources server) {
		this.calls = calls;
		this.refused = refused;
		this.server = server;
	}

	public void hold(UnboundCall call) {
		this.held.put(call.callId(), call);
		if (this.server.inFlight.incrementAndGet() > this.server.options.maxInFlightCalls) {
			this.held.remove(call.callId());
			this.calls.refusals.overLimit(call.oneWay(), call.callId(), call.body().length);
		}
	}

	/** The methods of these numbers are known now, or will never be. */
	void release(int first, int count) {
		for (Iterator<UnboundCall> all = this.held.values().iterator(); all.hasNext();) {
			UnboundCall call = all.next();
			if (call.code() < first || call.code() >= first + count) {
				continue;
			}
			ServerMethod method = this.calls.methods.get(call.code());
			ServerCall known = (method != null) ? callOf(call, method) : null;
			all.remove(); // not before there was memory for it
			if (known == null) {
				this.refused.refuse(call, true);
			}
			else {
				start(known, call);
			}
		}
		this.calls.onReadComplete();
	}

	private ServerCall callOf(UnboundCall held, ServerMethod method) {
		long waited = System.nanoTime() - held.arrivedNanos();
		ServerCall call = new ServerCall(this.calls, method, held.oneWay(), held.callId(), held.body().length,
				held.arrivedNanos() + waited, held.allowedNanos() - waited);
		call.initFlags(held.flags());
		return call;
	}

	private void start(ServerCall call, UnboundCall held) {
		if (call.allowedNanos < 0) { // an event loop would not look at the clock
			ServerCallSlowPath.late(call);
			return;
		}
		int count = this.server.inFlight.get();
		if (count <= this.server.countingThreshold || this.calls.refusals.joins(call, count)) {
			this.calls.start(call, held.body(), held.offset(), held.body().length, InboundBody.of(held.body()));
		}
	}

	/** The caller no longer waits; the caller of a one-way call never did. */
	public void cancel(long callId) {
		UnboundCall call = this.held.get(callId);
		if (call != null && !call.oneWay()) {
			this.held.remove(callId);
			this.server.counts.cancelled.increment();
			this.calls.released(call.body().length);
			this.calls.callEnded();
		}
	}

	int size() {
		return this.held.size();
	}

	/** The connection is closed: none of them runs. */
	public void close() {
		this.held.values().forEach(this::drop);
		this.held.clear();
	}

	private void drop(UnboundCall call) {
		this.server.counts.cancelled.increment();
		if (call.oneWay()) {
			this.calls.dropped(UnboundCalls.class, () -> "its connection ended before its method was known");
		}
		this.calls.callEnded();
	}

}
