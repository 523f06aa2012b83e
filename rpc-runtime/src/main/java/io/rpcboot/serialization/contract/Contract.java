package io.rpcboot.serialization.contract;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rpcboot.RpcConfigurationException;

import org.jspecify.annotations.Nullable;

/**
 * Contract of a service: its methods by number, the types that they reach and the layout
 * of the bytes. The text of a contract is sorted and the same on every JVM. Equal texts,
 * and therefore equal hashes, mean that each side reads what the other writes. Immutable.
 *
 * <pre>
 * protostuff/1
 * method find(long) com.acme.User throws com.acme.Gone
 * exception com.acme.Gone
 *   1 message java.lang.String
 * record com.acme.User
 *   1 id long
 *   2 name java.lang.String aka title
 * </pre>
 *
 * @since 0.1.0
 */
public final class Contract {

	/**
	 * Maximum length of a text that is parsed, in characters: about ten thousand fields.
	 */
	public static final int MAX_LENGTH = 1 << 20;

	/** Maximum number of methods of a service. */
	public static final int MAX_METHODS = 4096;

	private final String format;

	private final List<ContractMethod> methods;

	private final Map<String, ContractType> types = new TreeMap<>();

	/** Contract of the methods with streams over HTTP/2, null without any. */
	private final @Nullable Contract streams;

	private final ContractHash hash;

	private Contract(String format, List<ContractMethod> methods, Iterable<ContractType> types,
			@Nullable Contract streams) {
		this.streams = streams;
		this.format = format;
		this.methods = List.copyOf(methods);
		for (ContractType each : types) {
			ContractRules.requireNew(each, this.types.put(each.type().toString(), each));
		}
		this.hash = ContractHash.of(text());
	}

	/**
	 * Creates a contract.
	 * @param format name and version of the serializer's layout, one word
	 * @param methods methods, each at the index of its number
	 * @param types definitions of types, in any order
	 * @return the contract
	 * @throws RpcConfigurationException if two methods or members have the same name, a
	 * name is not allowed in the text, or the contract is too large
	 */
	public static Contract of(String format, List<ContractMethod> methods, Iterable<ContractType> types) {
		return checked(new Contract(format, methods, types, null));
	}

	private static Contract checked(Contract contract) {
		ContractRules.check(contract);
		return contract;
	}

	/**
	 * Returns this contract together with the one of its methods with streams, which
	 * HTTP/2 carries in another layout.
	 * @param ofStreams contract of the methods that take or return streams or take
	 * callbacks, in the order of this contract
	 * @return the contract, whose text ends with that of the other one
	 * @throws RpcConfigurationException if both are too large
	 */
	public Contract withStreams(Contract ofStreams) {
		return checked(new Contract(this.format, this.methods, this.types.values(), ofStreams));
	}

	/**
	 * Returns the contract of the methods with streams over HTTP/2.
	 * @return the contract, whose methods are in the order of this one; null if there is
	 * none
	 */
	public @Nullable Contract streams() {
		return this.streams;
	}

	/**
	 * Parses the text of a contract.
	 * @param text result of {@link #text()}, also of another process
	 * @return the contract
	 * @throws ContractException if the text is longer than {@link #MAX_LENGTH} or not
	 * exactly a result of {@link #text()}
	 */
	public static Contract parse(String text) {
		if (text.length() > MAX_LENGTH) {
			throw new ContractException("text", text, "at most %d characters".formatted(MAX_LENGTH));
		}
		try {
			Contract contract = ContractText.read(text);
			ContractText.requireSame(text, contract.text());
			return contract;
		}
		catch (RpcConfigurationException ex) {
			throw new ContractException("contract: " + ex.getMessage());
		}
	}

	/**
	 * Returns the name and version of the layout.
	 * @return one word, such as {@code protostuff/1}
	 */
	public String format() {
		return this.format;
	}

	/**
	 * Returns the methods.
	 * @return unmodifiable, each at the index of its number
	 */
	public List<ContractMethod> methods() {
		return this.methods;
	}

	/**
	 * Returns the definition of a type.
	 * @param type the type
	 * @return the definition; null if the contract has none, as for {@code long}
	 */
	public @Nullable ContractType type(TypeRef type) {
		return this.types.get(type.toString());
	}

	/**
	 * Returns the definitions of types.
	 * @return definitions, sorted by the text of the type
	 */
	public Iterable<ContractType> types() {
		return this.types.values();
	}

	/**
	 * Returns the contract as text, which is readable and sent to peers.
	 * @return lines that end with a line feed
	 */
	public String text() {
		return ContractText.write(this) + ((this.streams != null) ? this.streams.text() : "");
	}

	/**
	 * Returns the hash of the text.
	 * @return the hash
	 */
	public ContractHash hash() {
		return this.hash;
	}

	@Override
	public String toString() {
		return text();
	}

}
