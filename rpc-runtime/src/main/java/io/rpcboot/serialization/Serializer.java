package io.rpcboot.serialization;

import io.rpcboot.ServiceDescriptor;

/**
 * Serializes arguments, results and declared exceptions. Both sides of a connection must
 * use a serializer of the same name. Implementations are thread-safe.
 *
 * <pre class="code">
 * ServiceCodec codec = new ProtostuffSerializer().codec(service);
 * </pre>
 *
 * @since 0.1.0
 */
public interface Serializer {

	/**
	 * Returns the name that both sides compare when they connect.
	 * @return 1 to 32 lower-case letters, digits and '-'
	 */
	String name();

	/**
	 * Returns true if the name of a serializer is valid.
	 * @param serializer the serializer
	 * @return true if it follows the rule of {@link #name()}
	 */
	static boolean hasValidName(Serializer serializer) {
		return serializer.name().matches("[a-z0-9-]{1,32}");
	}

	/**
	 * Creates the codec of a service. Called at start-up, once for each side that has the
	 * service.
	 * @param service the service
	 * @return codec of all its methods
	 * @throws UnsupportedTypeException if a type cannot be sent; the message has the
	 * method, the path of the field and the reason
	 */
	ServiceCodec codec(ServiceDescriptor service);

	/**
	 * Returns a serializer that also carries additional types. Called at start-up, before
	 * {@link #codec}.
	 * @param types additional types
	 * @return serializer with the same name; the default implementation returns this one,
	 * whose types cannot be extended
	 * @throws io.rpcboot.RpcConfigurationException if a type cannot be added
	 */
	default Serializer with(TypeOptions types) {
		return this;
	}

}
