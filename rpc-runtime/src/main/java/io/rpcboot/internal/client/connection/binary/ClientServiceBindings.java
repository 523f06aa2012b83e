package io.rpcboot.internal.client.connection.binary;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.connection.ConnectionObserver;
import io.rpcboot.internal.client.contract.BindRejection;
import io.rpcboot.internal.client.contract.PeerContract;
import io.rpcboot.internal.client.contract.PeerContractCache;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.protocol.binary.Bind;
import io.rpcboot.internal.protocol.binary.BindReply;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.internal.transport.binary.ControlFrame;
import io.rpcboot.internal.transport.binary.FlowControlledFrame;
import io.rpcboot.internal.transport.binary.SendWindow;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractHash;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Service bindings of a connection: numbers of the methods, and the contract that the
 * server has for each service. Event loop only, except methods marked "Any thread."
 */
final class ClientServiceBindings {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	/** Largest reason for which a service is rejected, in bytes. */
	private static final int MAX_REASON = 4000;

	/** Memory of a rejected method without its reason, in bytes. */
	private static final long BYTES_OF_REJECTION = 100;

	private final Connection connection;

	private final SendWindow window;

	private final ConnectionObserver owner;

	private final ClientResources client;

	private final Runnable onTranslation;

	private final Consumer<String> end;

	/** Bound services by the number of their first method. */
	private final Map<Integer, Bound> bound = new ConcurrentHashMap<>();

	/** Contracts of the server that differ from the client's, by number of the method. */
	private final Map<Integer, PeerContract> translated = new ConcurrentHashMap<>();

	/** Memory reserved for the reasons of rejected methods, in bytes. */
	private long reservedBytes;

	private int serverMaxFrame;

	/**
	 * Create the bindings of a connection.
	 * @param window bytes that may be sent
	 * @param owner receives what the server rejects
	 * @param client whose memory holds the contracts of servers
	 * @param onTranslation run when the server has another contract for a service
	 * @param end closes the connection, with a reason; event loop only
	 */
	ClientServiceBindings(Connection connection, SendWindow window, ConnectionObserver owner, ClientResources client,
			Runnable onTranslation, Consumer<String> end) {
		this.connection = connection;
		this.window = window;
		this.owner = owner;
		this.client = client;
		this.onTranslation = onTranslation;
		this.end = end;
	}

	private static final class Bound {

		final ServiceBinding binding;

		boolean tableSent;

		boolean replied;

		/** True if the server has sent its table. */
		boolean tableSeen;

		/**
		 * Contract of the server, released at the end; null if it is the client's or does
		 * not fit into memory.
		 */
		@Nullable PeerContract contract;

		Bound(ServiceBinding binding) {
			this.binding = binding;
		}

	}

	/** Sends a BIND frame, once for each service. Any thread. */
	void bind(ServiceBinding binding) {
		Bound bind = new Bound(binding);
		if (this.bound.putIfAbsent(binding.firstNumber(), bind) == null) {
			send(FrameType.BIND, binding.firstNumber(),
					new Bind(binding.service().methods().size(), binding.contract().hash(),
							contracts().hashes(binding, Bind.MAX_KNOWN), binding.service().id().toString(),
							binding.serializer())
						.encode());
		}
	}

	private void send(int type, int code, byte[] body) {
		this.connection.queue().enqueue(new ControlFrame(type, code, 0, body));
	}

	void serverAccepts(int maxFrame) {
		this.serverMaxFrame = maxFrame;
	}

	/** Handles a request for the table of a service, or the table of the server. */
	void onContract(int first, byte[] body) {
		Bound bind = this.bound.get(first);
		if (bind == null || bind.replied) {
			throw new ProtocolException("a CONTRACT without a pending BIND");
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
				new PeerContract(bind.binding, new String(body, StandardCharsets.UTF_8)), this.connection);
	}

	private PeerContractCache contracts() {
		return this.client.contracts();
	}

	private void sendTable(int first, Bound bind) {
		if (bind.tableSent) {
			throw new ProtocolException("a second request for the same CONTRACT");
		}
		bind.tableSent = true;
		byte[] table = bind.binding.contract().text().getBytes(StandardCharsets.UTF_8);
		boolean fits = table.length <= Math.min(Contract.MAX_LENGTH, this.serverMaxFrame);
		this.connection.queue()
			.enqueue(new FlowControlledFrame(this.window, FrameType.CONTRACT, first, 0, fits ? table : new byte[0]));
	}

	private static RpcStatus statusOfRefusal(int code) {
		RpcStatus status = RpcStatus.ofCode(code);
		return (status == RpcStatus.NOT_FOUND || status == RpcStatus.UNAUTHENTICATED
				|| status == RpcStatus.PERMISSION_DENIED) ? status : RpcStatus.FAILED_PRECONDITION;
	}

	void onReply(int code, int first, byte[] body) {
		Bound bind = this.bound.get(first);
		if (bind == null || bind.replied) {
			throw new ProtocolException("a BIND_REPLY without a pending BIND");
		}
		bind.replied = true;
		if (code != 0) {
			String reason = PrintableText
				.of(new String(body, 0, Math.min(body.length, MAX_REASON), StandardCharsets.UTF_8));
			this.owner.onBindRefused(bind.binding, new BindRejection(statusOfRefusal(code), reason));
			return;
		}
		BindReply reply = BindReply.decode(body);
		int methods = bind.binding.service().methods().size();
		if (reply.refused().keySet().stream().anyMatch((index) -> index >= methods)) {
			throw new ProtocolException("BIND_REPLY: a method that was not bound");
		}
		this.owner.onMethodsRefused(bind.binding, keep(reply.refused()));
		if (reply.contract().equals(bind.binding.contract().hash())) {
			return;
		}
		PeerContract contract = choose(bind, reply.contract());
		if (contract != null) {
			translate(first, methods, contract);
			this.client.callbacks().execute(() -> check(bind.binding, contract, reply));
			return;
		}
		String problem = ("the tables of all servers take more than %d bytes, or those of this one more than half of it;"
				+ " raise rpc.client.memory.limit")
			.formatted(contracts().maxBytes());
		// replies of pending calls cannot be read
		translate(first, methods, PeerContract.refusing(bind.binding, problem));
		this.owner.onBindRefused(bind.binding, new BindRejection(RpcStatus.FAILED_PRECONDITION, problem));
	}

	private void translate(int first, int methods, PeerContract contract) {
		for (int i = 0; i < methods; i++) {
			this.translated.put(first + i, contract);
		}
		this.onTranslation.run();
	}

	/** Shortens the reasons and reserves memory for them until the connection closes. */
	private Map<Integer, String> keep(Map<Integer, String> refused) {
		if (refused.isEmpty()) {
			return refused;
		}
		int most = BindReply.maxChars(refused.size());
		Map<Integer, String> kept = new HashMap<>();
		refused.forEach((index, why) -> kept.put(index, (why.length() <= most) ? why : why.substring(0, most)));
		long bytes = kept.values().stream().mapToLong((why) -> BYTES_OF_REJECTION + 2L * why.length()).sum();
		if (this.client.memory().account().tryReserveAtOnce(Direction.INCOMING, bytes)) {
			this.reservedBytes += bytes;
			return kept;
		}
		kept.replaceAll((index, why) -> BindReply.NO_ROOM);
		return kept;
	}

	/** Returns the contract with a hash; null if memory for its table is short. */
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

	void close() {
		this.bound.values().forEach(this::release);
		this.client.memory().account().release(Direction.INCOMING, this.reservedBytes);
		this.reservedBytes = 0;
	}

	/** Compares the contracts, on a callback thread because that takes long. */
	private void check(ServiceBinding binding, PeerContract contract, BindReply reply) {
		try {
			Map<Integer, String> refused = new HashMap<>(contract.refused());
			refused.keySet().removeAll(reply.refused().keySet());
			this.owner.onMethodsRefused(binding, refused);
			PeerContract streams = contract.streams();
			if (streams != null) {
				contracts().keep(streams); // their calls need not be refused first
			}
			List<String> missing = contract.takeMissing();
			if (!missing.isEmpty()) {
				logger.warn(
						"Fields are missing: service {} of servers of contract {}: they have {}; the missing values are null here, or empty where the constructor refuses null",
						binding.service().id(), contract.hash(), String.join(", ", missing));
			}
		}
		catch (RuntimeException | StackOverflowError ex) {
			this.connection.execute(() -> this.end.accept("the server's table cannot be read: "
					+ Objects.requireNonNullElseGet(ex.getMessage(), ex::toString)));
		}
	}

	/** Returns the reader of replies. Any thread except event loops, may compile it. */
	MethodCodec codecOf(BoundMethod method) {
		PeerContract contract = this.translated.get(method.number);
		return (contract != null) ? contract.codec(method.descriptor.number()) : method.codec;
	}

}
