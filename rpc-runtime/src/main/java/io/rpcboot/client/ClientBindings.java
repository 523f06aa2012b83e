package io.rpcboot.client;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.rpcboot.client.ServiceProxy.ProxyMethod;
import io.rpcboot.internal.protocol.BindReply;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.transport.Connection;
import io.rpcboot.internal.transport.ControlFrame;
import io.rpcboot.internal.transport.GrantedFrame;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractHash;

import org.jspecify.annotations.Nullable;

/**
 * The services that a client's connection has given numbers to, and which contract its
 * server has for each. Event loop only, but for what says otherwise.
 */
final class ClientBindings {

	private final Connection connection;

	private final ClientControl control;

	private final ClientConnection calls;

	private final EndpointPool pool;

	private final ClientRuntime client;

	/** By first number. */
	private final Map<Integer, Bound> bound = new ConcurrentHashMap<>();

	/** By number of the method, where the server's contract is not the client's. */
	private final Map<Integer, ServerContract> translated = new ConcurrentHashMap<>();

	private int serverMaxFrame;

	ClientBindings(Connection connection, ClientControl control, ClientConnection calls, EndpointPool pool,
			ClientRuntime client) {
		this.connection = connection;
		this.control = control;
		this.calls = calls;
		this.pool = pool;
		this.client = client;
	}

	/** A service that was bound. */
	private static final class Bound {

		final ServiceBinding binding;

		/** What the server was told that this client knows. */
		final List<ServerContract> known;

		boolean tableSent;

		boolean replied;

		@Nullable ServerContract received;

		Bound(ServiceBinding binding) {
			this.binding = binding;
			this.known = binding.knownContracts();
		}

		@Nullable ServerContract find(ContractHash hash) {
			if (this.received != null && this.received.hash().equals(hash)) {
				return this.received;
			}
			return this.known.stream().filter((each) -> each.hash().equals(hash)).findFirst().orElse(null);
		}

	}

	/** Any thread, any time; once for each binding. */
	void bind(ServiceBinding binding) {
		Bound bind = new Bound(binding);
		if (this.bound.putIfAbsent(binding.firstNumber(), bind) == null) {
			send(FrameType.BIND, binding.firstNumber(), binding.bindBody(bind.known));
		}
	}

	private void send(int type, int code, byte[] body) {
		this.connection.queue().enqueue(new ControlFrame(type, code, 0, body));
	}

	void serverAccepts(int maxFrame) {
		this.serverMaxFrame = maxFrame;
	}

	/** The server asks for a table, or sends its own. */
	void onContract(int first, byte[] body) {
		Bound bind = this.bound.get(first);
		if (bind == null || bind.replied) {
			throw new ProtocolException("a CONTRACT that nobody asked for");
		}
		if (body.length > Contract.MAX_LENGTH) {
			throw new ProtocolException("CONTRACT: more than %d bytes".formatted(Contract.MAX_LENGTH));
		}
		if (body.length == 0) {
			sendTable(first, bind);
			return;
		}
		if (bind.received != null) {
			throw new ProtocolException("a second CONTRACT for the same BIND");
		}
		bind.received = new ServerContract(bind.binding, new String(body, StandardCharsets.UTF_8));
	}

	private void sendTable(int first, Bound bind) {
		if (bind.tableSent) {
			throw new ProtocolException("the same CONTRACT was asked for twice");
		}
		bind.tableSent = true;
		byte[] table = bind.binding.codec().contract().text().getBytes(StandardCharsets.UTF_8);
		boolean fits = table.length <= Math.min(Contract.MAX_LENGTH, this.serverMaxFrame);
		this.connection.queue()
			.enqueue(new GrantedFrame(this.calls.grant(), FrameType.CONTRACT, first, 0, fits ? table : new byte[0]));
	}

	void onReply(int code, int first, byte[] body) {
		Bound bind = this.bound.get(first);
		if (bind == null || bind.replied) {
			throw new ProtocolException("a BIND_REPLY that nobody waits for");
		}
		bind.replied = true;
		if (code != 0) {
			this.pool.onBindRefused(this.calls, bind.binding, new String(body, StandardCharsets.UTF_8));
			return;
		}
		BindReply reply = BindReply.decode(body);
		int methods = bind.binding.service().methods().size();
		if (reply.refused().keySet().stream().anyMatch((index) -> index >= methods)) {
			throw new ProtocolException("BIND_REPLY: a method that was not bound");
		}
		this.pool.onMethodsRefused(this.calls, bind.binding, reply.refused());
		if (reply.contract().equals(bind.binding.codec().contract().hash())) {
			return;
		}
		ServerContract contract = bind.find(reply.contract());
		if (contract == null) {
			throw new ProtocolException("BIND_REPLY: a contract whose table was not sent");
		}
		for (int i = 0; i < methods; i++) {
			this.translated.put(first + i, contract);
		}
		this.calls.translates();
		this.client.callbacks().execute(() -> check(bind.binding, contract, reply));
	}

	/** Not on the event loop, for it takes its time. */
	private void check(ServiceBinding binding, ServerContract contract, BindReply reply) {
		try {
			Map<Integer, String> refused = new HashMap<>(contract.refused());
			refused.keySet().removeAll(reply.refused().keySet());
			this.pool.onMethodsRefused(this.calls, binding, refused);
			binding.contracts().getOrAdd(contract.hash(), () -> contract);
		}
		catch (RuntimeException | StackOverflowError ex) {
			this.connection.execute(() -> this.control.end("the server's table cannot be read: " + ex.getMessage()));
		}
	}

	/** Reads the replies of a method. Any thread but an event loop. */
	MethodCodec codecOf(ProxyMethod method) {
		ServerContract contract = this.translated.get(method.number());
		return (contract != null) ? contract.codec(method.descriptor().number()) : method.codec();
	}

}
