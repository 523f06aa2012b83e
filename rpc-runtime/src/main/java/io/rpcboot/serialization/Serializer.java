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
	 * Compute the closed world of types of a service. Called once per service, at
	 * start-up.
	 * @param service the service
	 * @return what serializes its methods
	 * @throws UnsupportedTypeException if a type cannot be carried, with the method, the
	 * path of the field and the reason
	 */
	ServiceCodec codec(ServiceDescriptor service);

}
