package io.rpcboot.engine;

import java.util.List;
import java.util.stream.IntStream;

import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.ContractType;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

/** {@link Calls} in an older version of the source. */
public interface OlderCalls {

	/** As it is still. */
	String greet(String name);

	/** As it is still. */
	String waitForGate(String name);

	/** As it is still. */
	@RpcMethod(oneWay = true)
	void notice(String word);

	/** Another type of arguments since. */
	List<Integer> reverse(List<Integer> numbers);

	/** Gone since. */
	int subtract(int left, int right);

	/**
	 * What it is described as: the service as it is called now.
	 * @return a service of the identity of {@link Calls}
	 */
	static ServiceDescriptor described() {
		return described(OlderCalls.class);
	}

	/**
	 * Any interface as a version of {@link Calls}.
	 * @param version the interface
	 * @return a service of the identity of {@link Calls}
	 */
	static ServiceDescriptor described(Class<?> version) {
		return new ServiceDescriptor(ServiceId.of(Calls.class), version, ServiceDescriptor.of(version).methods());
	}

	/**
	 * Its serialization.
	 * @return a codec with an older contract
	 */
	static ServiceCodec codec() {
		return new ProtostuffSerializer().codec(described());
	}

	/**
	 * Its contract with types that no method needs.
	 * @param number another contract for each
	 * @param types how many, each some 30 characters
	 * @return a contract that can be read
	 */
	static Contract contract(int number, int types) {
		ContractMember member = new ContractMember(1, "field", TypeRef.of("int"), List.of());
		List<ContractType> all = IntStream.range(0, types)
			.mapToObj((each) -> new ContractType(ContractType.Kind.BEAN,
					TypeRef.of("x.T%d%06d".formatted(number, each)), List.of(member), List.of()))
			.toList();
		return Contract.of("protostuff/1", codec().contract().methods(), all);
	}

	/**
	 * The number of a method.
	 * @param name of the method
	 * @return its index in the contract
	 */
	static int number(String name) {
		return described().methods()
			.stream()
			.filter((each) -> each.name().equals(name))
			.findFirst()
			.orElseThrow()
			.number();
	}

}
