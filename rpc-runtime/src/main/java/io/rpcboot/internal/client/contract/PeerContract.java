package io.rpcboot.internal.client.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rpcboot.Side;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.serialization.contract.ContractMatch;

import org.jspecify.annotations.Nullable;

/**
 * Contract of servers that have another version of a service, with the readers of their
 * replies. The first thread that needs it parses the table; an event loop never does. Any
 * thread.
 */
public final class PeerContract {

	private final ServiceBinding binding;

	private final ContractHash hash;

	/** Length of the table. */
	private final int chars;

	/** Text of the contract, empty after it was parsed. */
	private String table;

	private volatile @Nullable Translated translated;

	/** True once the missing fields were returned. */
	private final AtomicBoolean missingTaken = new AtomicBoolean();

	/** Reason for which all methods are rejected; null if the table is used. */
	private final @Nullable String problem;

	public PeerContract(ServiceBinding binding, String table) {
		this(binding, table, null);
	}

	/** Creates a contract that rejects all methods and keeps no table. */
	public static PeerContract refusing(ServiceBinding binding, String problem) {
		return new PeerContract(binding, "", problem);
	}

	private PeerContract(ServiceBinding binding, String table, @Nullable String problem) {
		this.binding = binding;
		this.hash = ContractHash.of(table);
		this.problem = problem;
		this.chars = table.length();
		this.table = table;
	}

	/**
	 * Result of the comparison with the client's contract.
	 *
	 * @param codecs readers by index of the client's method, null for a rejected one
	 * @param refused reasons by index of the client's rejected methods
	 * @param missing classes of results without fields that their constructors take
	 * @param streams contract of the server over HTTP/2, null without one
	 */
	private record Translated(List<@Nullable MethodCodec> codecs, Map<Integer, String> refused, List<String> missing,
			@Nullable Contract streams) {
	}

	ServiceBinding binding() {
		return this.binding;
	}

	public ContractHash hash() {
		return this.hash;
	}

	int chars() {
		return this.chars;
	}

	/** Returns true if the table was parsed. */
	boolean isTranslated() {
		return this.translated != null;
	}

	/**
	 * Returns the reasons by index of the client's rejected methods.
	 * @throws ContractException if the table is malformed
	 */
	public Map<Integer, String> refused() {
		return translated().refused;
	}

	/**
	 * Returns the contract of the methods with streams, which HTTP/2 carries; null
	 * without one.
	 * @throws ContractException if the table is malformed
	 */
	public @Nullable PeerContract streams() {
		Contract streams = translated().streams;
		ServiceBinding carrier = this.binding.streams();
		return (streams != null && carrier != null) ? new PeerContract(carrier, streams.text()) : null;
	}

	/**
	 * Returns the fields that servers of this contract do not send, and that are null
	 * here. Later calls return none, because they are logged once.
	 * @throws ContractException if the table is malformed
	 */
	public List<String> takeMissing() {
		return this.missingTaken.getAndSet(true) ? List.of() : translated().missing;
	}

	/**
	 * Returns the reader of a method's replies.
	 * @throws SerializationException if the method is rejected or the table malformed
	 */
	public MethodCodec codec(int method) {
		Translated known;
		if (this.problem != null) {
			throw new SerializationException(this.problem);
		}
		try {
			known = translated();
		}
		catch (ContractException ex) {
			throw new SerializationException(String.valueOf(ex.getMessage()), ex);
		}
		MethodCodec codec = known.codecs.get(method);
		if (codec == null) {
			throw new SerializationException(String.valueOf(known.refused.get(method)));
		}
		return codec;
	}

	private Translated translated() {
		Translated known = this.translated;
		return (known != null) ? known : translate();
	}

	private synchronized Translated translate() {
		Translated known = this.translated;
		if (known != null) {
			return known;
		}
		Contract server = Contract.parse(this.table);
		ServiceCodec own = this.binding.codec();
		ContractMatch match = ContractMatch.of(this.binding.contract(), server);
		ServiceCodec.Translation translation = own.translate(server);
		List<@Nullable MethodCodec> codecs = new ArrayList<>();
		Map<Integer, String> refused = new TreeMap<>();
		for (int i = 0; i < this.binding.contract().methods().size(); i++) {
			int number = match.serverMethod(i);
			codecs.add((number == ContractMatch.REFUSED) ? null : translation.method(i, number));
			if (number == ContractMatch.REFUSED) {
				refused.put(i, match.difference(i));
			}
		}
		Translated result = new Translated(codecs, refused, own.missingFields(server, Side.CLIENT), server.streams());
		this.translated = result;
		this.table = "";
		return result;
	}

}
