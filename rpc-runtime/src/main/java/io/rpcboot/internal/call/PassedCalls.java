package io.rpcboot.internal.call;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.ServiceId;

/**
 * Placeholder for the type of a service that a relay passes on: the relay knows its name
 * and no method. All calls of such a service count as calls of {@link #relayed()}.
 */
public interface PassedCalls {

	/** Stands for all methods. */
	CompletableFuture<Void> relayed();

	/** Describes a service that is passed on. */
	static ServiceDescriptor describe(ServiceId service) {
		try {
			Method any = PassedCalls.class.getMethod("relayed");
			return new ServiceDescriptor(service, PassedCalls.class,
					List.of(new MethodDescriptor(service, 0, any, Style.FUTURE, List.of(), null, false)));
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Returns true if a relay passes the service on. */
	static boolean isPassed(ServiceDescriptor service) {
		return service.type() == PassedCalls.class;
	}

}
