package io.rpcboot.serialization.contract;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Method in a contract. Immutable.
 *
 * @param number index in the contract
 * @param name name in Java
 * @param parameters types of the parameters, in their order
 * @param result type of the result, for a future its type argument; {@code void} for none
 * @param oneWay true if the method has no reply
 * @param exceptions exceptions of the throws clause, in their order
 * @param aliases former names
 * @since 0.1.0
 */
public record ContractMethod(int number, String name, List<TypeRef> parameters, TypeRef result, boolean oneWay,
		List<TypeRef> exceptions, List<String> aliases) {

	public ContractMethod {
		parameters = List.copyOf(parameters);
		exceptions = List.copyOf(exceptions);
		aliases = List.copyOf(aliases);
	}

	/**
	 * Returns the signature.
	 * @return name and parameters, such as {@code getUser(long)}
	 */
	public String signature() {
		return this.parameters.stream().map(TypeRef::toString).collect(Collectors.joining(", ", this.name + "(", ")"));
	}

	/**
	 * Returns true if two methods have the same name, or the name of one is an alias of
	 * the other.
	 */
	boolean hasNameOf(ContractMethod other) {
		return this.name.equals(other.name) || this.aliases.contains(other.name) || other.aliases.contains(this.name);
	}

}
