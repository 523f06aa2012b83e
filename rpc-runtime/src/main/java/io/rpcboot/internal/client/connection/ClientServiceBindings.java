package io.rpcboot.internal.client.connection;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.contract.PeerContract;
import io.rpcboot.internal.client.contract.PeerContractCache;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.protocol.BindReply;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.flow.FlowControlledFrame;
import io.rpcboot.internal.transport.write.ControlFrame;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractHash;
import org.jspecify.annotations.Nullable;

/**
 * The services that a client's connection has given numbers to, and which contract its
 * server has for each. Event loop only, but for what says otherwise.
 */
final class ClientServiceBindings {

	/** Bytes of a text that says why a service is refused. */
	private static final int MAX_WHY = 4000;

	/** Of a refused method, beside its text. */
	private static final long BYTES_OF_REFUSAL = 100;

	private final Connection connection;

	private final ClientConnectionBase calls;

	private final ConnectionObserver owner;

	private final ClientResources client;

	private final Consumer<String> end;

	/** By first number. */
	private final Map<Integer, Bound> bound = new ConcurrentHashMap<>();

	/** By number of the method, where the server's contract is not the client's. */
	private final Map<Integer, PeerContract> translated = new ConcurrentHashMap<>();

	/** Bytes of texts that the account has for this connection. */
	private long entered;

	private int serverMaxFrame;

	/**
	 * Create what binds services.
	 * @param connection to the server
	 * @param calls of the connection
	 * @param owner learns what the server refuses
	 * @param client whose memory has the tables
	 * @param end closes the connection, with a reason; event loop only
	 */
	ClientServiceBindings(Connection connection, ClientConnectionBase calls, ConnectionObserver owner,
			ClientResources client, Consumer<String> end) {
		this.connection = connection;
		this.calls = calls;
		this.owner = owner;
		this.client = client;
		this.end = end;
	}

	/** A service that was bound. */
	private static final class Bound {

		final ServiceBinding binding;

		boolean tableSent;

		boolean replied;

		/** Whether the server has sent its table. */
		boolean tableSeen;

		/**
		 * The server's, released at the end; null if it has the client's, or too long.
		 */
		@Nullable PeerContract contract;

		Bound(ServiceBinding binding) {
			this.binding = binding;
		}

	}

	/** Any thread, any time; once for each binding. */
	void bind(ServiceBinding binding) {
		Bound bind = new Bound(binding);
		if (this.bound.putIfAbsent(binding.firstNumber(), bind) == null) {
			send(FrameType.BIND, binding.firstNumber(), binding.bindBody(contracts().hashes(binding)));
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
		if (bind.tableSeen) {
			throw new ProtocolException("a second CONTRACT for the same BIND");
		}
		bind.tableSeen = true;
		bind.contract = contracts().use(bind.binding,
				new PeerContract(bind.binding, new String(body, StandardCharsets.UTF_8)));
	}

	private PeerContractCache contracts() {
		return this.client.contracts();
	}

	private void sendTable(int first, Bound bind) {
		if (bind.tableSent) {
			throw new ProtocolException("the same CONTRACT was asked for twice");
		}
		bind.tableSent = true;
		byte[] table = bind.binding.codec().contract().text().getBytes(StandardCharsets.UTF_8);
		boolean fits = table.length <= Math.min(Contract.MAX_LENGTH, this.serverMaxFrame);
		this.connection.queue()
			.enqueue(new FlowControlledFrame(this.calls.grant(), FrameType.CONTRACT, first, 0,
					fits ? table : new byte[0]));
	}

	void onReply(int code, int first, byte[] body) {
		Bound bind = this.bound.get(first);
		if (bind == null || bind.replied) {
			throw new ProtocolException("a BIND_REPLY that nobody waits for");
		}
		bind.replied = true;
		if (code != 0) {
			String why = new String(body, 0, Math.min(body.length, MAX_WHY), StandardCharsets.UTF_8);
			RpcStatus status = (code == RpcStatus.NOT_FOUND.code()) ? RpcStatus.NOT_FOUND
					: RpcStatus.FAILED_PRECONDITION;
			this.owner.onBindRefused(bind.binding, new BindRejection(status, why));
			return;
		}
		BindReply reply = BindReply.decode(body);
		int methods = bind.binding.service().methods().size();
		if (reply.refused().keySet().stream().anyMatch((index) -> index >= methods)) {
			throw new ProtocolException("BIND_REPLY: a method that was not bound");
		}
		this.owner.onMethodsRefused(bind.binding, keep(reply.refused()));
		if (reply.contract().equals(bind.binding.codec().contract().hash())) {
			return;
		}
		PeerContract contract = choose(bind, reply.contract());
		if (contract != null) {
			translate(first, methods, contract);
			this.client.callbacks().execute(() -> check(bind.binding, contract, reply));
			return;
		}
		String problem = "the tables of all servers take more than %d bytes; raise memory.limit of the client"
			.formatted(contracts().maxBytes());
		// replies of calls that are under way cannot be read
		translate(first, methods, PeerContract.refusing(bind.binding, problem));
		this.owner.onBindRefused(bind.binding, new BindRejection(RpcStatus.FAILED_PRECONDITION, problem));
	}

	private void translate(int first, int methods, PeerContract contract) {
		for (int i = 0; i < methods; i++) {
			this.translated.put(first + i, contract);
		}
		this.calls.translates();
	}

	/** Texts stay as long as the connection, so they are cut and entered. */
	private Map<Integer, String> keep(Map<Integer, String> refused) {
		if (refused.isEmpty()) {
			return refused;
		}
		int most = BindReply.maxChars(refused.size());
		Map<Integer, String> kept = new HashMap<>();
		refused.forEach((index, why) -> kept.put(index, (why.length() <= most) ? why : why.substring(0, most)));
		long bytes = kept.values().stream().mapToLong((why) -> BYTES_OF_REFUSAL + 2L * why.length()).sum();
		if (this.client.memory().account().tryReserveAtOnce(Direction.INCOMING, bytes)) {
			this.entered += bytes;
			return kept;
		}
		kept.replaceAll((index, why) -> BindReply.NO_ROOM);
		return kept;
	}

	/** Returns null if the table that was sent is too long. */
	private @Nullable PeerContract choose(Bound bind, ContractHash hash) {
		if (bind.contract != null && bind.contract.hash().equals(hash)) {
			return bind.contract;
		}
		PeerContract known = contracts().useKnown(bind.binding, hash);
		if (known == null && (bind.contract != null || !bind.tableSeen)) {
			throw new ProtocolException("BIND_REPLY: a contract whose table was not sent");
		}
		release(bind);
		bind.contract = known;
		return known;
	}

	private void release(Bound bind) {
		if (bind.contract != null) {
			contracts().release(bind.binding, bind.contract.hash());
			bind.contract = null;
		}
	}

	/** The connection is closed. */
	void close() {
		this.bound.values().forEach(this::release);
		this.client.memory().account().release(Direction.INCOMING, this.entered);
		this.entered = 0;
	}

	/** Not on the event loop, for it takes its time. */
	private void check(ServiceBinding binding, PeerContract contract, BindReply reply) {
		try {
			Map<Integer, String> refused = new HashMap<>(contract.refused());
			refused.keySet().removeAll(reply.refused().keySet());
			this.owner.onMethodsRefused(binding, refused);
		}
		catch (RuntimeException | StackOverflowError ex) {
			this.connection.execute(() -> this.end.accept("the server's table cannot be read: " + ex.getMessage()));
		}
	}

	/** Reads the replies of a method. Any thread but an event loop. */
	MethodCodec codecOf(BoundMethod method) {
		PeerContract contract = this.translated.get(method.number);
		return (contract != null) ? contract.codec(method.descriptor.number()) : method.codec;
	}

}
