package io.rpcboot.serialization;

import io.rpcboot.ServiceDescriptor;

/**
 * Turns arguments, results and declared exceptions into bytes and back. Chosen by name;
 * both sides of a connection must use the same. Implementations are thread-safe.
 */
public interface Serializer {

	/**
	 * The name that both sides compare when they connect.
	 * @return lower-case letters, digits and '-', at most 32
	 */
	String name();

	/**
	 * Whether the name of a serializer is one that can be compared.
	 * @param serializer the serializer
	 * @return true if it is as {@link #name()} says
	 */
	static boolean hasValidName(Serializer serializer) {
		return serializer.name().matches("[a-z0-9-]{1,32}");
	}

	/**
	 * Compute the closed world of types of a service. Called at start-up, once for each
	 * side that has the service.
	 * @param service the service
	 * @return what serializes its methods
	 * @throws UnsupportedTypeException if a type cannot be carried, with the method, the
	 * path of the field and the reason
	 */
	ServiceCodec codec(ServiceDescriptor service);

	/**
	 * A serializer that also carries what an application adds. Called at start-up, before
	 * {@link #codec}.
	 * @param types what is added
	 * @return a serializer of the same name; this one if its types cannot be extended
	 * @throws io.rpcboot.RpcConfigurationException if a type cannot be added
	 */
	default Serializer with(TypeOptions types) {
		return this;
	}

}
