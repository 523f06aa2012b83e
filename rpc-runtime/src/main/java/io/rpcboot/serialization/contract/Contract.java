package io.rpcboot.serialization.contract;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.rpcboot.RpcConfigurationException;

import org.jspecify.annotations.Nullable;

/**
 * What a service promises and how its bytes are laid out, as data: the methods by number
 * and the types that they reach. Its text is the same on every JVM and sorted, so equal
 * texts, and therefore equal hashes, mean that each side reads what the other writes.
 * Immutable.
 */
public final class Contract {

	/** Longest text that is read, in characters: about ten thousand fields. */
	public static final int MAX_LENGTH = 1 << 20;

	/** Most methods of a service. */
	public static final int MAX_METHODS = 4096;

	private final String format;

	private final List<ContractMethod> methods;

	private final Map<String, ContractType> types = new TreeMap<>();

	private final ContractHash hash;

	private Contract(String format, List<ContractMethod> methods, Iterable<ContractType> types) {
		this.format = format;
		this.methods = List.copyOf(methods);
		for (ContractType each : types) {
			ContractRules.requireNew(each, this.types.put(each.type().toString(), each));
		}
		this.hash = ContractHash.of(text());
	}

	/**
	 * Create a contract.
	 * @param format name and version of the serializer's layout, one word
	 * @param methods each at the index of its number
	 * @param types the definitions, in any order
	 * @return the contract
	 * @throws RpcConfigurationException if two methods or members cannot be told apart, a
	 * name has no place in the text, or the contract is too large
	 */
	public static Contract of(String format, List<ContractMethod> methods, Iterable<ContractType> types) {
		Contract contract = new Contract(format, methods, types);
		ContractRules.check(contract);
		return contract;
	}

	/**
	 * From text.
	 * @param text what {@link #text()} gives
	 * @return the contract
	 * @throws ContractException if it is longer than {@link #MAX_LENGTH} or not exactly
	 * such a text
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

	/** Name and version of the layout, one word. */
	public String format() {
		return this.format;
	}

	/** The methods, each at the index of its number. */
	public List<ContractMethod> methods() {
		return this.methods;
	}

	/**
	 * The definition of a type; null if the contract does not define it, as for {@code
	 * long}.
	 */
	public @Nullable ContractType type(TypeRef type) {
		return this.types.get(type.toString());
	}

	/** The definitions, sorted by the text of the type. */
	public Iterable<ContractType> types() {
		return this.types.values();
	}

	/**
	 * The contract as text, for the other side and for people: lines that end with a line
	 * feed.
	 */
	public String text() {
		return ContractText.write(this);
	}

	/** The hash over the text. */
	public ContractHash hash() {
		return this.hash;
	}

	@Override
	public String toString() {
		return text();
	}

}
