package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.List;

/**
 * Service.
 *
 * @param name simple name
 * @param type binary name of the interface
 * @param methods methods that are carried
 */
public record ServiceDeclaration(String name, String type, List<Method> methods) {

	/**
	 * Method with the full names of its request and its response.
	 *
	 * @param streams which of the two are streams
	 * @param exceptions messages of the exceptions of its throws clause
	 * @param isSafe true if it has no side effects
	 */
	public record Method(String name, TypeName request, TypeName response, Streams streams, List<TypeName> exceptions,
			boolean isSafe) {
	}

}
