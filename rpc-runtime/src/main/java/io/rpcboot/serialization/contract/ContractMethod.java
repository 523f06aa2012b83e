package io.rpcboot.serialization.contract;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A method in a contract.
 *
 * @param number its index in the contract
 * @param name in Java
 * @param parameters their types, in their order
 * @param result what it returns, of a future what that holds
 * @param oneWay whether nobody waits for it
 * @param exceptions the exceptions of its throws clause, in their order
 * @param aliases former names
 */
public record ContractMethod(int number, String name, List<TypeRef> parameters, TypeRef result, boolean oneWay,
		List<TypeRef> exceptions, List<String> aliases) {

	public ContractMethod {
		parameters = List.copyOf(parameters);
		exceptions = List.copyOf(exceptions);
		aliases = List.copyOf(aliases);
	}

	/** The method as a person writes it, such as {@code getUser(long)}. */
	public String signature() {
		return this.parameters.stream().map(TypeRef::toString).collect(Collectors.joining(", ", this.name + "(", ")"));
	}

	/**
	 * Whether it has the name of a method of the other side, or one is an alias of the
	 * other.
	 */
	boolean hasNameOf(ContractMethod other) {
		return this.name.equals(other.name) || this.aliases.contains(other.name) || other.aliases.contains(this.name);
	}

}
