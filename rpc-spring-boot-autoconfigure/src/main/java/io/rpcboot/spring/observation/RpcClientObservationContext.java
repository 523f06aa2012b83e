package io.rpcboot.spring.observation;

import io.micrometer.observation.transport.RequestReplySenderContext;
import io.rpcboot.context.Attachments;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.ClientInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Observation context of a call at the client. What tracing propagates becomes
 * {@linkplain Attachments#putOptional optional} attachments, so no call fails because of
 * it. The response is null until the call ends.
 *
 * @since 0.1.0
 */
public class RpcClientObservationContext extends RequestReplySenderContext<Attachments, CallOutcome> {

	private final ClientInvocation invocation;

	/**
	 * Creates a context.
	 * @param invocation the call
	 */
	@SuppressWarnings("this-escape")
	public RpcClientObservationContext(ClientInvocation invocation) {
		super(RpcClientObservationContext::put);
		this.invocation = invocation;
		setCarrier(invocation.attachments());
	}

	/** Adds an attachment, unless its name or value is not allowed for attachments. */
	private static void put(@Nullable Attachments attachments, String name, String value) {
		if (attachments == null) {
			return;
		}
		try {
			attachments.putOptional(name, value);
		}
		catch (IllegalArgumentException ex) {
			// omitted: not valid as an attachment
		}
	}

	/**
	 * Returns the call.
	 * @return the call as interceptors see it
	 */
	public final ClientInvocation getInvocation() {
		return this.invocation;
	}

}
