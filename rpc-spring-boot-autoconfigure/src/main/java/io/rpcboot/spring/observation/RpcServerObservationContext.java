package io.rpcboot.spring.observation;

import io.micrometer.observation.transport.RequestReplyReceiverContext;
import io.rpcboot.context.Attachments;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.ServerInvocation;

/**
 * Observation context of a call at the server. The response is null until the call ends.
 *
 * @since 0.1.0
 */
public class RpcServerObservationContext extends RequestReplyReceiverContext<Attachments, CallOutcome> {

	private final ServerInvocation invocation;

	/**
	 * Creates a context.
	 * @param invocation the call
	 */
	@SuppressWarnings("this-escape")
	public RpcServerObservationContext(ServerInvocation invocation) {
		super(Attachments::get);
		this.invocation = invocation;
		setCarrier(invocation.attachments());
	}

	/**
	 * Returns the call.
	 * @return the call as interceptors see it
	 */
	public final ServerInvocation getInvocation() {
		return this.invocation;
	}

}
