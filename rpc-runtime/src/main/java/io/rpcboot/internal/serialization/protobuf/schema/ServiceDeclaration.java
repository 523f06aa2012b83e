package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.List;

/**
 * Service.
 *
 * @param name simple name
 * @param type binary name of the interface
 * @param methods methods that are carried
 */
record ServiceDeclaration(String name, String type, List<Method> methods) {

	/**
	 * Method with the full names of its request and its response.
	 *
	 * @param isStream true if it has a stream of responses
	 * @param exceptions messages of the exceptions of its throws clause
	 */
	record Method(String name, TypeName request, TypeName response, boolean isStream, List<TypeName> exceptions) {
	}

}
