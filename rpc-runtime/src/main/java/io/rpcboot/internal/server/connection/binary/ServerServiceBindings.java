package io.rpcboot.internal.server.connection.binary;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.net.ClientNetwork;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.Bind;
import io.rpcboot.internal.protocol.binary.BindReply;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.connection.binary.RejectedMethods.RejectedBinding;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.server.services.ContractCache;
import io.rpcboot.internal.server.services.ServiceContract;
import io.rpcboot.internal.server.services.ServiceContract.Binding;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.binary.FlowControlledFrame;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Server side of BIND: binds the method numbers of a client to methods. If the contract
 * of the client is unknown, requests its table first; calls by these numbers wait in
 * {@link UnboundCalls}. Event loop only, except {@link #translate}.
 */
final class ServerServiceBindings {

	/** Maximum BIND frames of one connection. */
	private static final int MAX_BINDINGS = 4096;

	/** Rejected BIND frames after which the connection is closed. */
	private static final int MAX_REJECTED_SERVICES = 256;

	/** Maximum length of the name of a service or serializer, in characters. */
	private static final int MAX_NAME_LENGTH = 1024;

	/** Bytes that are not reserved in the memory budget; most clients need less. */
	private static final int FREE_BYTES = 16 * 1024;

	/** Bytes of a BIND: its entry and the text of a rejection. */
	private static final int BINDING_BYTES = 1024;

	/** Bytes of a method number that is bound. */
	private static final int METHOD_BYTES = 32;

	/** The same where the method may be denied to the client. */
	private static final int GUARDED_METHOD_BYTES = 128;

	/** Tables that are requested at the same time; further BINDs wait. */
	private static final int MAX_REQUESTED = 16;

	/** Maximum of all BIND frames that wait, in bytes: some hundred services. */
	private static final int MAX_DEFERRED_BYTES = 64 * 1024;

	/** Bytes of a BIND that waits, beside its body. */
	private static final int DEFERRED_BYTES = 64;

	/** Maximum of all tables of one connection in bytes; one table has some thousand. */
	private static final int MAX_TABLE_BYTES = 4 * Contract.MAX_LENGTH;

	private final Connection connection;

	private final BinaryServerConnection calls;

	private final ServerResources server;

	private final UnboundCalls unbound;

	private final RejectedMethods rejected;

	/** BINDs of unknown contracts by first number, in the order of arrival. */
	private final Map<Integer, Awaited> awaited = new LinkedHashMap<>();

	/** BIND frames that arrived before the client was identified, in their order. */
	private final List<Deferred> deferred = new ArrayList<>();

	/** Bytes of these. */
	private int deferredBytes;

	private final MethodAccess access;

	/** Release the contracts that this connection uses. */
	private final List<Runnable> releases = new ArrayList<>();

	/** Bears the memory of the contracts that this connection introduced. */
	private final ContractCache.User user;

	private int bindings;

	private int rejectedServices;

	/** Tables that are requested and not parsed. */
	private int requested;

	/** Bytes of all tables that have arrived. */
	private int tableBytes;

	/** Bytes of all BIND frames and bound methods. */
	private long needed;

	/** Bytes of these that are reserved in the memory budget. */
	private long reserved;

	private boolean closed;

	ServerServiceBindings(Connection connection, BinaryServerConnection calls, ServerResources server) {
		this.connection = connection;
		this.calls = calls;
		this.server = server;
		this.user = new ContractCache.User(ClientNetwork.of(calls.remote()));
		this.rejected = new RejectedMethods(calls.rejector);
		this.unbound = new UnboundCalls(calls, this.rejected, server);
		this.access = new MethodAccess(calls.methods, this.rejected, server.access);
	}

	/** BIND frame that waits. */
	private record Deferred(int first, byte[] body) {
	}

	/** BIND of an unknown contract. */
	private static final class Awaited {

		final int first;

		final Bind bind;

		final ServiceContract offered;

		boolean requested;

		boolean received;

		/** Number of leases of the client when the time limit began. */
		long leases;

		/**
		 * Table to be parsed; null before, afterwards and when the connection has ended.
		 */
		volatile byte @Nullable [] table;

		Awaited(int first, Bind bind, ServiceContract offered) {
			this.first = first;
			this.bind = bind;
			this.offered = offered;
		}

		boolean covers(int number) {
			return number >= this.first && number < this.first + this.bind.methods();
		}

	}

	/**
	 * Notes who the client is, and decides again what it may call.
	 * @param proof differs from the one before
	 */
	void identified(CallerProof proof) {
		this.access.identified(proof);
		List.copyOf(this.deferred).forEach((each) -> onBind(each.first(), each.body()));
		this.deferred.clear();
	}

	void onBind(int first, byte[] body) {
		if (!this.access.isIdentified()) {
			this.deferredBytes += DEFERRED_BYTES + body.length;
			if (this.deferredBytes > MAX_DEFERRED_BYTES) {
				throw new ProtocolException(
						"BIND: more than %d bytes, with %d for each frame, before HELLO was answered"
							.formatted(MAX_DEFERRED_BYTES, DEFERRED_BYTES));
			}
			this.deferred.add(new Deferred(first, body));
			return;
		}
		if (++this.bindings > MAX_BINDINGS || this.rejectedServices >= MAX_REJECTED_SERVICES) {
			throw new ProtocolException("too many BIND frames");
		}
		Bind bind = Bind.decode(body);
		if (bind.service().length() > MAX_NAME_LENGTH || bind.serializer().length() > MAX_NAME_LENGTH) {
			throw new ProtocolException("BIND: the name of a service or serializer is longer than " + MAX_NAME_LENGTH);
		}
		if (this.awaited.containsKey(first)) {
			throw new ProtocolException("BIND: a first number that is being bound");
		}
		if (!reserve(BINDING_BYTES)) {
			return;
		}
		ServiceContract offered = this.server.services.find(bind.service(), bind.serializer());
		AccessDenial denied = this.access.refusalOf(bind, offered);
		if (denied != null) {
			this.rejectedServices++;
			this.calls.drain.warn("Service refused", denied.status(),
					(offered != null) ? "service %s: %s".formatted(bind.service(), denied.message())
							: this.server.services.whyNot(bind.service(), bind.serializer()).message());
			this.calls.refused(this.calls.responder.caller().identity, bind.service(), "", denied.status());
			reject(new RejectedBinding(first, bind.methods(), denied.status(), denied.message(), null));
			return;
		}
		if (offered == null) {
			this.rejectedServices++;
			AccessDenial why = this.server.services.whyNot(bind.service(), bind.serializer());
			this.calls.drain.warn("Service refused", why.status(), why.message());
			reject(new RejectedBinding(first, bind.methods(), why.status(), why.message(), null));
			return;
		}
		Binding binding = offered.find(bind.contract());
		if (binding != null) {
			accept(first, bind, offered, binding);
			return;
		}
		this.awaited.put(first, new Awaited(first, bind, offered));
		requestTables();
	}

	/**
	 * Reserves memory until the connection ends, beside what each has. Ends the
	 * connection and returns false if there is none.
	 */
	private boolean reserve(long bytes) {
		this.needed += bytes;
		long missing = this.needed - FREE_BYTES - this.reserved;
		if (missing <= 0) {
			return true;
		}
		boolean isReserved = this.server.memory.account().tryReserveAtOnce(Direction.INCOMING, missing);
		if (isReserved) {
			this.reserved += missing;
		}
		else {
			this.calls.drain.closeWithError("rpc.server.memory.limit: no memory for more services of one connection");
		}
		return isReserved;
	}

	private void reject(RejectedBinding rejected) {
		this.server.counts.refusedContracts.increment();
		this.rejected.add(rejected);
		sendGranted(FrameType.BIND_REPLY, rejected.status().code(), rejected.first(),
				ServiceContract.cut(rejected.why(rejected.first()), ServiceContract.MAX_MESSAGE)
					.getBytes(StandardCharsets.UTF_8));
	}

	private void accept(int first, Bind bind, ServiceContract offered, Binding found) {
		if (bind.methods() != found.methods().size()) {
			this.calls.drain.closeWithError("BIND: another number of methods than in the table");
			return;
		}
		if (found.problem() != null) { // nothing of it is kept
			this.calls.drain.warn("Service refused", bind.service(), found.problem());
			reject(new RejectedBinding(first, bind.methods(), RpcStatus.FAILED_PRECONDITION, found.problem(), null));
			return;
		}
		long each = (this.server.access != null) ? GUARDED_METHOD_BYTES : METHOD_BYTES;
		if (!reserve(each * bind.methods())) {
			return;
		}
		Binding binding = offered.use(bind.contract(), found, this.user);
		if (binding.problem() != null) {
			reject(first, bind, binding.problem());
			return;
		}
		this.releases.add(() -> offered.release(bind.contract()));
		boolean unknown = !offered.hash().equals(bind.contract()) && !bind.known().contains(offered.hash());
		if (unknown) {
			byte[] table = offered.table();
			int most = Math.min(Contract.MAX_LENGTH, this.calls.maxResponse());
			if (table.length > most) {
				reject(first, bind, "the server's table takes %d bytes (expected: at most %d; %s)"
					.formatted(table.length, most, remedy(most)));
				return;
			}
			sendGranted(FrameType.CONTRACT, first, 0, table);
		}
		this.access.bind(first, binding.methods());
		if (!binding.refused().isEmpty()) {
			this.server.counts.refusedContracts.increment();
			this.rejected.add(new RejectedBinding(first, bind.methods(), RpcStatus.FAILED_PRECONDITION, null, binding));
		}
		sendGranted(FrameType.BIND_REPLY, 0, first, BindReply.fitting(offered.hash(), binding.refused()).encode());
	}

	private void reject(int first, Bind bind, String why) {
		this.rejectedServices++;
		String message = ("service %s: client and server have different versions of the interface or of a type in"
				+ " it, and %s; deploy the same version on both sides")
			.formatted(bind.service(), why);
		this.calls.drain.warn("Service refused", bind.service(), message);
		reject(new RejectedBinding(first, bind.methods(), RpcStatus.FAILED_PRECONDITION, message, null));
	}

	private static String remedy(int most) {
		return (most < Contract.MAX_LENGTH) ? "raise rpc.server.max-frame-size and rpc.client.max-frame-size"
				: "split the service";
	}

	private void requestTables() {
		for (Awaited each : List.copyOf(this.awaited.values())) {
			if (this.requested >= MAX_REQUESTED) {
				return;
			}
			if (each.requested) {
				continue;
			}
			each.requested = true;
			this.requested++;
			Binding known = each.offered.find(each.bind.contract());
			if (known != null) {
				each.received = true;
				decide(each, () -> accept(each.first, each.bind, each.offered, known));
			}
			else {
				this.connection.queue()
					.enqueue(new ControlFrame(FrameType.CONTRACT, each.first, 0, OutboundFrame.NOTHING,
							() -> awaitTable(each)));
			}
		}
	}

	/** Starts the time limit of a request, which was written now. */
	private void awaitTable(Awaited each) {
		each.leases = this.calls.window.bytes.leases();
		this.connection.loop()
			.schedule(() -> checkReceived(each), Options.nanos(this.server.options.handshakeTimeout),
					TimeUnit.NANOSECONDS);
	}

	private void checkReceived(Awaited each) {
		ReceiveWindow bytes = this.calls.window.bytes;
		if (!each.received && !this.closed && (bytes.isWaiting() || bytes.leases() != each.leases)) {
			awaitTable(each); // the table waits for memory of this server, or has just
								// got it
		}
		else if (!each.received && !this.closed) {
			this.calls.drain.closeWithError("no answer to CONTRACT within rpc.server.handshake-timeout, which is "
					+ this.server.options.handshakeTimeout);
		}
	}

	void onContract(int first, byte[] body) {
		Awaited each = this.awaited.get(first);
		if (each == null || !each.requested || each.received) {
			throw new ProtocolException("a CONTRACT that was not requested");
		}
		if (body.length > Contract.MAX_LENGTH) {
			throw new ProtocolException("CONTRACT: more than %d bytes".formatted(Contract.MAX_LENGTH));
		}
		each.received = true;
		this.tableBytes += body.length;
		if (body.length == 0) {
			int most = Math.min(Contract.MAX_LENGTH, this.server.options.maxFrameSize);
			decide(each,
					() -> reject(first, each.bind,
							"the client's table is too large to be sent (expected: at most %d bytes; %s)"
								.formatted(most, remedy(most))));
			requestTables();
		}
		else if (this.tableBytes > MAX_TABLE_BYTES) {
			this.tableBytes -= body.length;
			this.calls.flow.releaseTable(body.length);
			decide(each, () -> reject(first, each.bind,
					"the tables of this connection take more than %d bytes".formatted(MAX_TABLE_BYTES)));
			requestTables();
		}
		else {
			each.table = body;
			this.server.tables.execute(() -> translate(each, body.length));
		}
	}

	/** Parses a table. Worker thread. */
	private void translate(Awaited each, int length) {
		byte[] table = each.table;
		if (table == null) {
			return;
		}
		Binding binding;
		try {
			binding = each.offered.add(each.bind.contract(), each.bind.methods(), table, this.calls.client());
		}
		catch (ProtocolException | ContractException ex) {
			this.connection.execute(() -> this.calls.drain.closeWithError(String.valueOf(ex.getMessage())));
			return;
		}
		catch (Throwable ex) {
			this.connection.execute(() -> this.calls.drain.closeWithError("CONTRACT: cannot be read: " + ex));
			return;
		}
		this.connection.execute(() -> {
			if (!this.closed) {
				each.table = null;
				this.calls.flow.releaseTable(length);
				decide(each, () -> accept(each.first, each.bind, each.offered, binding));
				requestTables();
			}
		});
	}

	/** Binds or rejects; then starts or rejects the calls that waited for it. */
	private void decide(Awaited each, Runnable decision) {
		this.awaited.remove(each.first);
		this.requested--;
		decision.run();
		this.unbound.release(each.first, each.bind.methods());
	}

	/** Handles a call by a number that is not bound. */
	void onUnbound(boolean oneWay, int flags, int code, long callId, byte[] body, int offset, long allowedNanos) {
		UnboundCall call = new UnboundCall(oneWay, flags, code, callId, body, offset, System.nanoTime(), allowedNanos);
		for (Awaited each : this.awaited.values()) {
			if (each.covers(code)) {
				this.unbound.add(call);
				return;
			}
		}
		Invocation denied = this.rejected.openWithCredentials(call);
		if (denied != null) {
			this.unbound.startNow(call, denied);
		}
		else {
			this.rejected.reject(call, false);
		}
	}

	/** Cancels a call that waits for a table. */
	void cancel(long callId) {
		this.unbound.cancel(callId);
	}

	/** Returns the calls that wait for a table. */
	int unboundCalls() {
		return this.unbound.size();
	}

	private void sendGranted(int type, int code, long callId, byte[] body) {
		this.connection.queue().enqueue(new FlowControlledFrame(this.calls.replies(), type, code, callId, body));
	}

	/** Returns the memory of the services and of the introduced contracts. Any thread. */
	long memoryBytes() {
		return this.reserved + this.server.services.usedBytes(this.user);
	}

	/** Returns true if the client has sent a BIND. */
	boolean hasAny() {
		return this.bindings > 0;
	}

	void onClosed() {
		this.closed = true;
		this.awaited.values().forEach((each) -> each.table = null);
		this.awaited.clear();
		this.releases.forEach(Runnable::run);
		this.releases.clear();
		this.server.memory.account().release(Direction.INCOMING, this.reserved);
		this.reserved = 0;
		this.unbound.close();
	}

}
