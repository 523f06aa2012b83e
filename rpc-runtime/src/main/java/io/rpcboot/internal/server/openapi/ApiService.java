package io.rpcboot.internal.server.openapi;

import java.util.List;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceId;
import org.jspecify.annotations.Nullable;

/**
 * Service of a document.
 *
 * @param name full name, the begin of the paths of its methods
 * @param ids services with this name, which differ in version or group; one or more
 * @param methods methods with one request and one response
 * @param streams names of the other methods
 */
public record ApiService(String name, List<ServiceId> ids, List<Method> methods, List<String> streams) {

	/**
	 * Method of a service.
	 *
	 * @param name name in the path
	 * @param declared method of the interface; null if none declares it
	 */
	public record Method(String name, @Nullable MethodDescriptor declared) {
	}

}
