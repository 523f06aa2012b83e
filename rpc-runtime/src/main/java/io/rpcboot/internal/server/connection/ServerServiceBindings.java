package io.rpcboot.internal.server.connection;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.protocol.Bind;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.server.scheduling.ServerMethod;
import io.rpcboot.internal.server.services.ContractCache;
import io.rpcboot.internal.server.services.ServiceContract;
import io.rpcboot.internal.server.services.ServiceContract.Binding;
import io.rpcboot.internal.server.services.ServiceTable.Refusal;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.flow.FlowControlledFrame;
import io.rpcboot.internal.transport.frame.ControlFrame;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that a client has given to methods: asks for the client's table where its
 * contract is not known, keeps what was refused. Event loop only, but for what says
 * otherwise.
 */
final class ServerServiceBindings {

	private static final int MAX_BINDINGS = 4096;

	private static final int MAX_REFUSED_SERVICES = 256;

	private static final int MAX_NAME_LENGTH = 1024;

	/** Those of most clients, which are within what any connection may take. */
	private static final int FREE_BINDINGS = 8;

	/** What is kept of a BIND: its place and the text of a refusal. */
	private static final int BINDING_BYTES = 1024;

	/** What is kept of a method: its number and its place in a table of numbers. */
	private static final int METHOD_BYTES = 16;

	/** Tables that are asked for at the same time; the other BINDs wait for them. */
	private static final int MAX_ASKED = 16;

	/** All tables of one connection; a table takes some thousand bytes. */
	private static final int MAX_TABLE_BYTES = 4 * Contract.MAX_LENGTH;

	private final Connection connection;

	private final ServerConnectionBase calls;

	private final ServerResources server;

	private final UnboundCalls held;

	private final RejectedMethods refused;

	/** By first number, in the order of the BINDs; those that are asked come first. */
	private final Map<Integer, Awaited> awaited = new LinkedHashMap<>();

	/** What this connection uses of what all have together. */
	private final List<Runnable> releases = new ArrayList<>();

	private int bindings;

	private int refusedServices;

	private int asked;

	private int tableBytes;

	/** What the account has for bindings, in bytes. */
	private long entered;

	private boolean closed;

	ServerServiceBindings(Connection connection, ServerConnectionBase calls, ServerResources server) {
		this.connection = connection;
		this.calls = calls;
		this.server = server;
		this.refused = new RejectedMethods(calls.refusals);
		this.held = new UnboundCalls(calls, this.refused, server);
	}

	/** A BIND of a contract that is not known. */
	private static final class Awaited {

		final int first;

		final Bind bind;

		final ServiceContract offered;

		boolean asked;

		boolean received;

		/** Until it was looked at; null when the connection has ended. */
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

	void onBind(int first, byte[] body) {
		if (++this.bindings > MAX_BINDINGS || this.refusedServices >= MAX_REFUSED_SERVICES) {
			throw new ProtocolException("too many BIND frames");
		}
		Bind bind = Bind.decode(body);
		if (bind.service().length() > MAX_NAME_LENGTH || bind.serializer().length() > MAX_NAME_LENGTH) {
			throw new ProtocolException("BIND: the name of a service or serializer is longer than " + MAX_NAME_LENGTH);
		}
		if (this.awaited.containsKey(first)) {
			throw new ProtocolException("BIND: a first number that is being bound");
		}
		if (this.bindings > FREE_BINDINGS && !enter(BINDING_BYTES + (long) METHOD_BYTES * bind.methods())) {
			this.calls.closeWithError("memory.limit: no memory for more services of one connection");
			return;
		}
		ServiceContract offered = this.server.services.find(bind);
		if (offered == null) {
			this.refusedServices++;
			Refusal why = this.server.services.whyNot(bind);
			this.calls.warn("Service refused", why.status(), why.message());
			refuse(new RejectedBinding(first, bind.methods(), why.status(), why.message(), null));
			return;
		}
		Binding binding = offered.find(bind.contract());
		if (binding != null) {
			accept(first, bind, offered, binding);
			return;
		}
		this.awaited.put(first, new Awaited(first, bind, offered));
		ask();
	}

	/**
	 * Enter what is kept until the connection ends. Returns false if there is no room.
	 */
	private boolean enter(long bytes) {
		boolean entered = this.server.memory.account().tryReserveAtOnce(Direction.INCOMING, bytes);
		this.entered += entered ? bytes : 0;
		return entered;
	}

	private void refuse(RejectedBinding why) {
		this.server.counts.refusedContracts.increment();
		this.refused.add(why.kept());
		sendGranted(FrameType.BIND_REPLY, why.status().code(), why.first(),
				ServiceContract.cut(why.why(why.first()), ServiceContract.MAX_MESSAGE)
					.getBytes(StandardCharsets.UTF_8));
	}

	private void accept(int first, Bind bind, ServiceContract offered, Binding found) {
		if (bind.methods() != found.methods().size()) {
			this.calls.closeWithError("BIND: another number of methods than in the table");
			return;
		}
		Binding binding = offered.use(bind.contract(), found);
		if (binding == null) {
			refuse(first, bind, "the tables of all connections take more than %d characters"
				.formatted(ContractCache.MAX_USED_CHARS));
			return;
		}
		this.releases.add(() -> offered.release(bind.contract()));
		if (binding.problem() != null) {
			this.calls.warn("Service refused", bind.service(), binding.problem());
			refuse(new RejectedBinding(first, bind.methods(), RpcStatus.FAILED_PRECONDITION, null, binding));
			return;
		}
		boolean unknown = !offered.hash().equals(bind.contract()) && !bind.known().contains(offered.hash());
		if (unknown) {
			byte[] table = offered.table();
			int most = Math.min(Contract.MAX_LENGTH, this.calls.maxResponse);
			if (table.length > most) {
				refuse(first, bind, "the server's table takes %d bytes (expected: at most %d; %s)"
					.formatted(table.length, most, remedy(most)));
				return;
			}
			sendGranted(FrameType.CONTRACT, first, 0, table);
		}
		for (int i = 0; i < bind.methods(); i++) {
			ServerMethod method = binding.methods().get(i);
			if (method != null) {
				this.calls.methods.put(first + i, method);
			}
		}
		if (!binding.refused().isEmpty()) {
			this.server.counts.refusedContracts.increment();
			this.refused.add(new RejectedBinding(first, bind.methods(), RpcStatus.FAILED_PRECONDITION, null, binding));
		}
		sendGranted(FrameType.BIND_REPLY, 0, first, binding.reply());
	}

	private void refuse(int first, Bind bind, String why) {
		this.refusedServices++;
		String message = ("service %s: client and server have different versions of the interface or of a type in"
				+ " it, and %s; deploy the same version on both sides")
			.formatted(bind.service(), why);
		this.calls.warn("Service refused", bind.service(), message);
		refuse(new RejectedBinding(first, bind.methods(), RpcStatus.FAILED_PRECONDITION, message, null));
	}

	private static String remedy(int most) {
		return (most < Contract.MAX_LENGTH) ? "raise max-frame-size on both sides" : "split the service";
	}

	private void ask() {
		for (Awaited each : List.copyOf(this.awaited.values())) {
			if (this.asked >= MAX_ASKED) {
				return;
			}
			if (each.asked) {
				continue;
			}
			each.asked = true;
			this.asked++;
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

	/** The question was written: it may have waited behind much else. */
	private void awaitTable(Awaited each) {
		this.connection.loop()
			.schedule(() -> checkReceived(each), Options.nanos(this.server.options.handshakeTimeout),
					TimeUnit.NANOSECONDS);
	}

	private void checkReceived(Awaited each) {
		if (!each.received && !this.closed) {
			this.calls.closeWithError(
					"no answer to CONTRACT within handshake-timeout, which is " + this.server.options.handshakeTimeout);
		}
	}

	void onContract(int first, byte[] body) {
		Awaited each = this.awaited.get(first);
		if (each == null || !each.asked || each.received) {
			throw new ProtocolException("a CONTRACT that nobody asked for");
		}
		if (body.length > Contract.MAX_LENGTH) {
			throw new ProtocolException("CONTRACT: more than %d bytes".formatted(Contract.MAX_LENGTH));
		}
		each.received = true;
		this.tableBytes += body.length;
		if (body.length == 0) {
			int most = Math.min(Contract.MAX_LENGTH, this.server.options.maxFrameSize);
			decide(each,
					() -> refuse(first, each.bind,
							"the client's table is too large to be sent (expected: at most %d bytes; %s)"
								.formatted(most, remedy(most))));
			ask();
		}
		else if (this.tableBytes > MAX_TABLE_BYTES) {
			this.tableBytes -= body.length;
			this.calls.flow().releaseTable(body.length);
			decide(each, () -> refuse(first, each.bind,
					"the tables of this connection take more than %d bytes".formatted(MAX_TABLE_BYTES)));
			ask();
		}
		else {
			each.table = body;
			this.server.tables.execute(() -> translate(each, body.length));
		}
	}

	/** Worker thread. */
	private void translate(Awaited each, int length) {
		byte[] table = each.table;
		if (table == null) {
			return;
		}
		Binding binding;
		try {
			binding = each.offered.add(each.bind, table);
		}
		catch (ProtocolException | ContractException ex) {
			this.connection.execute(() -> this.calls.closeWithError(String.valueOf(ex.getMessage())));
			return;
		}
		catch (Throwable ex) {
			this.connection.execute(() -> this.calls.closeWithError("CONTRACT: cannot be read: " + ex));
			return;
		}
		this.connection.execute(() -> {
			if (!this.closed) {
				each.table = null;
				this.calls.flow().releaseTable(length);
				decide(each, () -> accept(each.first, each.bind, each.offered, binding));
				ask();
			}
		});
	}

	/** The table is known: the calls that waited for it run, or are refused. */
	private void decide(Awaited each, Runnable decision) {
		this.awaited.remove(each.first);
		this.asked--;
		decision.run();
		this.held.release(each.first, each.bind.methods());
	}

	/** A call by a number that no method has. */
	void onUnknown(boolean oneWay, int flags, int code, long callId, byte[] body, int offset, long allowedNanos) {
		UnboundCall call = new UnboundCall(oneWay, flags, code, callId, body, offset, System.nanoTime(), allowedNanos);
		for (Awaited each : this.awaited.values()) {
			if (each.covers(code)) {
				this.held.hold(call);
				return;
			}
		}
		this.refused.refuse(call, false);
	}

	/** The caller no longer waits. */
	void cancel(long callId) {
		this.held.cancel(callId);
	}

	/** Calls that wait for a table. */
	int heldCalls() {
		return this.held.size();
	}

	private void sendGranted(int type, int code, long callId, byte[] body) {
		this.connection.queue().enqueue(new FlowControlledFrame(this.calls.replies, type, code, callId, body));
	}

	/** Whether the client has asked for a service, so that calls may come. */
	boolean hasAny() {
		return this.bindings > 0;
	}

	void onClosed() {
		this.closed = true;
		this.awaited.values().forEach((each) -> each.table = null);
		this.awaited.clear();
		this.releases.forEach(Runnable::run);
		this.releases.clear();
		this.server.memory.account().release(Direction.INCOMING, this.entered);
		this.entered = 0;
		this.held.close();
	}

}
