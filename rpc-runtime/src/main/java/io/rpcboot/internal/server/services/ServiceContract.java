package io.rpcboot.internal.server.services;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.stream.StreamType;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.serialization.contract.ContractMatch;
import org.jspecify.annotations.Nullable;

/**
 * Service under one serializer, with its contract. Translates the contracts of other
 * clients into bindings: method by method, rejecting methods that do not match.
 * Thread-safe.
 */
public final class ServiceContract {

	/** Maximum length of a reason for the client, in characters. */
	public static final int MAX_MESSAGE = 4000;

	/** Maximum length of a log line, in characters. */
	private static final int MAX_LOG = 100_000;

	/** Length of all reasons for one client, in characters. */
	private static final int MAX_TEXT = 64 * 1024;

	/** Length of a reason if there are many, in characters. */
	private static final int SHORT = 120;

	private static final String VERSIONS = "client and server have different versions of the interface or of a type in it";

	private final ServiceId service;

	private final ServiceCodec codec;

	/** Contract of the server, together with that of its streams. */
	private volatile Contract contract;

	private final List<Invocation> methods;

	private final ContractCache known;

	private final RateLimitedLogger log;

	/** Text of the contract; null until the first client needs it. */
	private volatile byte @Nullable [] table;

	/** Binding of clients with the same contract. */
	private final Binding same;

	ServiceContract(ServiceId service, ServiceCodec codec, List<Invocation> methods, ContractCache known,
			RateLimitedLogger log) {
		this.service = service;
		this.codec = codec;
		this.contract = codec.contract();
		this.methods = methods;
		this.known = known;
		this.log = log;
		this.same = binding(methods, Map.of(), 0);
	}

	/**
	 * Methods of this service by the numbers of a client.
	 *
	 * @param methods methods by number in the contract of the client, null if rejected or
	 * with streams, which HTTP/2 carries
	 * @param refused differences of the rejected methods, by that number
	 * @param problem reason if all methods are rejected, else null
	 * @param chars length of the contract of the client
	 */
	public record Binding(List<@Nullable Invocation> methods, Map<Integer, String> refused, @Nullable String problem,
			int chars) {

		/** Returns the reason of a rejected method. */
		public String why(int index) {
			if (this.problem != null) {
				return this.problem;
			}
			String own = this.refused.get(index);
			return (own == null) ? StreamType.ONLY_HTTP2 : VERSIONS + ": " + own;
		}

	}

	ServiceCodec codec() {
		return this.codec;
	}

	/** Sets the contract of the methods with streams, before the first client. */
	void streams(Contract ofStreams) {
		this.contract = this.codec.contract().withStreams(ofStreams);
	}

	/** Returns the methods by number in the contract of the server. */
	public List<Invocation> methods() {
		return this.methods;
	}

	/** Returns the hash of the contract of the server. */
	public ContractHash hash() {
		return this.contract.hash();
	}

	/** Returns the text of the contract. The array must not be changed. */
	public byte[] table() {
		byte[] known = this.table;
		if (known == null) {
			known = this.contract.text().getBytes(StandardCharsets.UTF_8);
			this.table = known;
		}
		return known;
	}

	/** Returns the binding of a client, null if its contract is unknown. */
	public @Nullable Binding find(ContractHash client) {
		return client.equals(hash()) ? this.same : this.known.get(this, client);
	}

	/**
	 * Uses a binding for a connection, until {@link #release}.
	 * @return the shared binding; one with a problem, not to be released, if the bindings
	 * in use reach a bound
	 */
	public Binding use(ContractHash client, Binding binding, ContractCache.User user) {
		return client.equals(hash()) ? binding : this.known.use(this, client, binding, user);
	}

	/** Releases the binding of a connection. */
	public void release(ContractHash client) {
		this.known.release(this, client);
	}

	/**
	 * Parses the contract of a client and caches its binding. May take milliseconds.
	 * @param hash hash of the contract, as the client has told
	 * @param count number of its methods, as the client has told
	 * @param peer name of the client for the log
	 * @throws ProtocolException if the contract is another one
	 * @throws ContractException if it is no contract
	 */
	public Binding add(ContractHash hash, int count, byte[] body, String peer) {
		String text = new String(body, StandardCharsets.UTF_8);
		if (!ContractHash.of(text).equals(hash)) {
			throw new ProtocolException("CONTRACT: the hash of the table is not that of the BIND");
		}
		Binding other = this.known.get(this, hash);
		if (other != null) {
			return other;
		}
		Contract client = Contract.parse(text);
		if (client.methods().size() != count) {
			throw new ProtocolException("BIND: another number of methods than in the table");
		}
		Binding binding = translate(client);
		Binding kept = this.known.add(this, hash, binding);
		List<String> missing = this.codec.missingFields(client, Side.SERVER);
		if (kept == binding && !missing.isEmpty()) {
			this.log.warn("Fields are missing", this.service, () -> cut(
					"service %s for %s and others with contract %s: they have %s; the missing values are null here, or empty where the constructor refuses null"
						.formatted(this.service, peer, hash, String.join(", ", missing)),
					MAX_LOG), null);
		}
		String why = (binding.problem() != null) ? binding.problem()
				: binding.refused().values().stream().distinct().collect(Collectors.joining("; "));
		if (kept == binding && !why.isEmpty()) {
			this.log.warn("Methods refused", this.service, () -> cut(
					"service %s for %s and others with contract %s: %s".formatted(this.service, peer, hash, why),
					MAX_LOG), null);
		}
		return kept;
	}

	private Binding translate(Contract client) {
		int chars = client.text().length();
		ContractMatch match = ContractMatch.of(client, this.contract);
		ServiceCodec.Translation translation = this.codec.translate(client);
		List<@Nullable Invocation> result = new ArrayList<>();
		for (int i = 0; i < client.methods().size(); i++) {
			int server = match.serverMethod(i);
			result.add((server == ContractMatch.REFUSED) ? null
					: this.methods.get(server).with(translation.method(server, i)));
		}
		Map<Integer, String> refused = match.refused()
			.stream()
			.collect(Collectors.toMap((each) -> each, match::difference, (one, other) -> one, LinkedHashMap::new));
		if (refused.size() == result.size()) {
			return refused(result.size(), chars, refused.isEmpty() ? "the client's contract has no method"
					: refused.values().stream().distinct().collect(Collectors.joining("; ")));
		}
		int length = Math.max(SHORT, MAX_TEXT / Math.max(1, refused.size()));
		refused.replaceAll((index, difference) -> cut(difference, Math.min(MAX_MESSAGE, length)));
		return binding(result, refused, chars);
	}

	/** Returns a binding without the methods that have streams. */
	private static Binding binding(List<? extends @Nullable Invocation> all, Map<Integer, String> refused, int chars) {
		List<@Nullable Invocation> methods = new ArrayList<>(all);
		methods.replaceAll((each) -> (each != null && each.descriptor().isStreaming()) ? null : each);
		return new Binding(methods, refused, null, chars);
	}

	private Binding refused(int count, int chars, String why) {
		List<@Nullable Invocation> none = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			none.add(null);
		}
		return new Binding(none, Map.of(),
				cut("service %s: %s: %s".formatted(this.service, VERSIONS, why), MAX_MESSAGE), chars);
	}

	/** Returns the text, cut to a length in characters. */
	public static String cut(String text, int length) {
		return (text.length() <= length) ? text : text.substring(0, length);
	}

}
