package io.rpcboot.spring.observation;

import io.micrometer.observation.transport.RequestReplyReceiverContext;
import io.rpcboot.context.Attachments;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.interceptor.ServerInvocation;

/**
 * A call at the server, as handlers and conventions of observations see it. The response
 * is null until the call has its end.
 */
public class RpcServerObservationContext extends RequestReplyReceiverContext<Attachments, CallOutcome> {

	private final ServerInvocation invocation;

	/**
	 * Create a context.
	 * @param invocation the call
	 */
	public RpcServerObservationContext(ServerInvocation invocation) {
		super(Attachments::get);
		this.invocation = invocation;
		setCarrier(invocation.attachments());
	}

	/**
	 * The call.
	 * @return as interceptors have it
	 */
	public final ServerInvocation getInvocation() {
		return this.invocation;
	}

}
