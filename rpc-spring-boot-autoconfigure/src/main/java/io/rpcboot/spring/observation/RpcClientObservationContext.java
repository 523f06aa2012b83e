package io.rpcboot.spring.observation;

import io.micrometer.observation.transport.RequestReplySenderContext;
import io.rpcboot.context.Attachments;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.ClientInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A call at the client, as handlers and conventions of observations see it. What tracing
 * sends along becomes {@linkplain Attachments#putOptional optional} attachments: no call
 * fails because of it. The response is null until the call has its end.
 */
public class RpcClientObservationContext extends RequestReplySenderContext<Attachments, CallOutcome> {

	private final ClientInvocation invocation;

	/**
	 * Create a context.
	 * @param invocation the call
	 */
	public RpcClientObservationContext(ClientInvocation invocation) {
		super(RpcClientObservationContext::put);
		this.invocation = invocation;
		setCarrier(invocation.attachments());
	}

	/** Tracing libraries may have names and values that attachments cannot have. */
	private static void put(@Nullable Attachments attachments, String name, String value) {
		if (attachments == null) {
			return;
		}
		try {
			attachments.putOptional(name, value);
		}
		catch (IllegalArgumentException ex) {
			// it is left off
		}
	}

	/**
	 * The call.
	 * @return as interceptors have it
	 */
	public final ClientInvocation getInvocation() {
		return this.invocation;
	}

}
