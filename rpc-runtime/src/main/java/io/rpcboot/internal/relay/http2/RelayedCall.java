package io.rpcboot.internal.relay.http2;

import java.time.Duration;
import java.util.List;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.call.Execution;
import io.rpcboot.internal.client.call.PassedCall;
import io.rpcboot.internal.client.call.RoutingKeys;
import io.rpcboot.internal.client.connection.http2.PassedExchange;
import io.rpcboot.internal.client.connection.http2.PassedFields;
import io.rpcboot.internal.client.reference.ServiceProxy;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.server.connection.http2.PassedRequests;
import io.rpcboot.internal.server.connection.http2.RequestHeaders;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.http2.Passage;
import io.rpcboot.internal.transport.http2.PassedPart;
import io.rpcboot.resilience.RoutingOptions;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Call that joins the stream of a client with a stream to a server: the joint of a
 * request and a response that go through the relay. Any thread.
 */
final class RelayedCall extends PassedCall implements PassedRequests.Call, PassedExchange.Call, Passage.Origin {

	private final ServiceProxy target;

	private final PassedFields fields;

	private final Passage request;

	private final Passage response = new Passage(this, false);

	private final PassedRequests.Answer answer;

	/** Status of the response; null before its end. */
	private volatile @Nullable RpcStatus responded;

	/** Stream on which the response arrives; null before it has begun. */
	private volatile Passage.@Nullable Origin responding;

	RelayedCall(RouteTable.Target<ServiceProxy> target, RequestHeaders.Head head, PassedFields fields, Passage request,
			PassedRequests.Answer answer) {
		super(target.reference(), method(target.reference()), System.nanoTime(), metadata(target, head));
		this.target = target.reference();
		this.fields = fields;
		this.request = request;
		this.answer = answer;
	}

	private static BoundMethod method(ServiceProxy reference) {
		return reference.methods.values().iterator().next();
	}

	private static CallMetadata metadata(RouteTable.Target<ServiceProxy> target, RequestHeaders.Head head) {
		Duration most = target.route().options().target().timeout();
		long allowed = Math.min(Math.min(head.allowedNanos(), UNLIMITED_NANOS),
				(most != null) ? Options.nanos(most) : UNLIMITED_NANOS);
		CallMetadata metadata = new CallMetadata(allowed, OutboundFrame.NOTHING, OutboundFrame.NOTHING,
				value(head.fields(), RoutingOptions.TAG_ATTACHMENT), null, null);
		metadata.keyHash = RoutingKeys.hash(value(head.fields(), RoutingOptions.KEY_ATTACHMENT));
		return metadata;
	}

	private static @Nullable String value(List<HeaderField> fields, String name) {
		for (HeaderField each : fields) {
			if (each.name().equals(name)) {
				return each.value();
			}
		}
		return null;
	}

	@Override
	public void begin() {
		try {
			this.target.startPassed(this);
		}
		catch (RpcException ex) {
			ended(ex);
		}
	}

	@Override
	public PassedFields fields() {
		return this.fields;
	}

	@Override
	public Passage request() {
		return this.request;
	}

	@Override
	public Passage response() {
		return this.response;
	}

	@Override
	protected boolean mayBeginAgain() {
		return this.request.mayBeginAgain();
	}

	@Override
	public boolean respond(PassedPart part, Passage.Origin from) {
		int memory = part.memory();
		if (!this.answer.reserve(memory)) {
			return false;
		}
		this.responding = from;
		if (!this.response.add(part)) {
			this.answer.release(memory);
		}
		return true;
	}

	@Override
	public void giveBack(int window, int memory) {
		if (memory > 0) {
			this.answer.release(memory);
		}
		Passage.Origin from = this.responding;
		if (window > 0 && from != null) {
			from.giveBack(window, 0);
		}
	}

	@Override
	public void responds(RpcStatus status) {
		this.responded = status;
	}

	@Override
	public ServiceId service() {
		return this.method.descriptor.service();
	}

	@Override
	public RpcStatus outcome() {
		RpcStatus known = this.responded;
		return (known != null) ? known : status();
	}

	@Override
	public void reset(int errorCode) {
		this.answer.reset(errorCode);
	}

	@Override
	public void withdraw(String why) {
		end(RpcStatus.CANCELLED, why);
	}

	@Override
	public void abort(RpcStatus status, String why) {
		end(status, why);
	}

	@Override
	public void ended(boolean written) {
		this.response.close();
		if (!written) {
			withdraw("the client does not take the response");
		}
	}

	@Override
	protected void ended(@Nullable RpcException failure) {
		this.request.close();
		if (failure != null) {
			String why = Execution.without(String.valueOf(failure.getMessage())); // the
																					// client
																					// tells
																					// it
			this.answer.fail(failure.status(), why, failure.mayHaveExecuted());
		}
	}

}
