package io.rpcboot.internal.serialization.types.graph;

import java.util.List;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType.Kind;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;

/**
 * Callback that a method takes: the interface with the values of its methods.
 *
 * @param name name of the parameter
 * @param index index of the parameter, without one for the context
 * @param type the interface, described as a service is
 * @param methods methods, each at the index of its number
 * @param definition the interface in a contract
 */
public record CallbackNode(String name, int index, ServiceDescriptor type, List<MethodNode> methods,
		ContractType definition) {

	/** Creates a node with the definition for a contract. */
	public static CallbackNode of(String name, int index, ServiceDescriptor type, List<MethodNode> methods) {
		List<ContractMember> members = type.methods()
			.stream()
			.map((each) -> new ContractMember(each.number() + 1, each.name(), methods.get(each.number()).call(),
					Aliases.of(each.method())))
			.toList();
		return new CallbackNode(name, index, type, methods,
				new ContractType(Kind.CALLBACK, TypeRef.of(type.type().getName()), members, Aliases.of(type.type())));
	}

	/** Returns the node of another parameter with the same interface. */
	public CallbackNode at(String parameter, int place) {
		return new CallbackNode(parameter, place, this.type, this.methods, this.definition);
	}

}
