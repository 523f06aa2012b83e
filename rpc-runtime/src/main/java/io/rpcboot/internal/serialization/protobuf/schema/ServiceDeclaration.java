package io.rpcboot.internal.serialization.protobuf.schema;

import java.util.List;

/**
 * Service.
 *
 * @param name simple name
 * @param methods methods that are carried
 */
record ServiceDeclaration(String name, List<Method> methods) {

	/** Method with the full names of its request and its response. */
	record Method(String name, TypeName request, TypeName response) {
	}

}
