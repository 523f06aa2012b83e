package io.rpcboot.internal.client.reference;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.call.CallbackCall;
import io.rpcboot.internal.call.CallbackReply;
import io.rpcboot.internal.call.CallbackReply.Failure;
import io.rpcboot.internal.call.Results;
import io.rpcboot.internal.client.call.BoundMethod;
import io.rpcboot.internal.stream.Demand;
import io.rpcboot.internal.stream.LaterResult;
import io.rpcboot.internal.stream.WaitingThread;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Callbacks of one call: subscriber that runs what the server calls, and publisher of the
 * replies. The last element is the result of the call. At most {@link #AHEAD} calls are
 * without a reply, so that a server cannot fill the memory.
 */
final class CallbackRunner
		implements Flow.Subscriber<@Nullable Object>, WaitingThread.Waits, Flow.Publisher<Object>, Flow.Subscription {

	private static final Logger logger = LoggerFactory.getLogger("rpc.client");

	/** Most calls that are taken before their replies are sent. */
	static final int AHEAD = 32;

	private final BoundMethod method;

	/** Callbacks of the caller, in the order of the parameters. */
	private final List<Object> callbacks;

	private final SingleReply result;

	private volatile Flow.@Nullable Subscription calls;

	private volatile Flow.@Nullable Subscriber<? super Object> upload;

	private final Queue<CallbackReply> replies = new ConcurrentLinkedQueue<>();

	/** Replies that may be sent. */
	private final Demand demand = new Demand();

	/** True once no reply is sent any more, because the call has ended. */
	private volatile boolean isOver;

	/** True once the result has come. Serial. */
	private boolean hasResult;

	/**
	 * Creates the callbacks of a call.
	 * @param result gets the result of the call
	 */
	CallbackRunner(BoundMethod method, List<Object> callbacks, SingleReply result) {
		this.method = method;
		this.callbacks = callbacks;
		this.result = result;
	}

	@Override
	public WaitingThread thread() {
		return this.result.thread();
	}

	@Override
	public void onSubscribe(Flow.Subscription given) {
		this.calls = given;
		given.request(AHEAD);
	}

	@Override
	public void onNext(@Nullable Object element) {
		if (this.hasResult) {
			return; // of a server that goes on behind its result
		}
		if (element instanceof CallbackCall call && !this.isOver) {
			run(call);
		}
		else if (element instanceof CallbackCall.End end) {
			this.hasResult = true;
			this.result.onNext(end.value());
		}
	}

	@Override
	public void onError(Throwable failure) {
		this.isOver = true;
		this.result.onError(failure);
	}

	@Override
	public void onComplete() {
		this.isOver = true;
		if (this.hasResult) {
			this.result.onComplete();
		}
		else {
			this.result.onError(this.method.noResult());
		}
	}

	private void run(CallbackCall call) {
		List<MethodDescriptor> methods = this.method.callbacks.get(call.callback()).methods();
		if (call.method() == CallbackCall.UNKNOWN || call.unreadable() != null) {
			reply(CallbackReply.failed(call,
					(call.unreadable() != null)
							? new Failure(RpcStatus.INVALID_ARGUMENT,
									"the client cannot read the arguments: " + call.unreadable().getMessage(), null)
							: new Failure(RpcStatus.UNIMPLEMENTED, "the client's callback has no such method", null)));
			return;
		}
		MethodDescriptor called = methods.get(call.method());
		Object returned;
		try {
			Method target = called.method();
			returned = LaterResult.of(target, target.invoke(this.callbacks.get(call.callback()), call.arguments()),
					null);
		}
		catch (InvocationTargetException ex) {
			replyFailed(call, called, Objects.requireNonNullElse(ex.getCause(), ex));
			return;
		}
		catch (Throwable ex) {
			replyFailed(call, called, ex);
			return;
		}
		if (called.style() != MethodDescriptor.Style.FUTURE) {
			reply(new CallbackReply(call.callback(), call.method(), call.id(), returned, null));
		}
		else if (returned instanceof CompletionStage<?> stage) {
			stage.whenComplete((value, thrown) -> {
				if (thrown != null) {
					replyFailed(call, called, Results.cause(thrown));
				}
				else {
					reply(new CallbackReply(call.callback(), call.method(), call.id(), value, null));
				}
			});
		}
		else {
			replyFailed(call, called, new NullPointerException("null (expected: a future)"));
		}
	}

	/** Tells the server the class alone of an exception that it does not expect. */
	private void replyFailed(CallbackCall call, MethodDescriptor called, Throwable thrown) {
		String text = Objects.requireNonNullElseGet(thrown.getMessage(), thrown::toString);
		if (called.declares(thrown)) {
			reply(CallbackReply.failed(call, new Failure(RpcStatus.APPLICATION, text, thrown)));
		}
		else if (thrown instanceof RpcException known) {
			reply(CallbackReply.failed(call, new Failure(known.status(), text, null)));
		}
		else {
			logger.warn("{}: {} of the callback has thrown", this.method.descriptor, called, thrown);
			reply(CallbackReply.failed(call, new Failure(RpcStatus.APPLICATION, thrown.getClass().getName(), null)));
		}
	}

	private void reply(CallbackReply reply) {
		this.replies.add(reply);
		sendWhileWanted();
	}

	@Override
	public void subscribe(Flow.Subscriber<? super Object> given) {
		this.upload = given;
		given.onSubscribe(this);
		sendWhileWanted();
	}

	@Override
	public void request(long count) {
		this.demand.add(count);
		sendWhileWanted();
	}

	/** Takes the result without the calls before it: the server has ended the call. */
	@Override
	public void cancel() {
		this.isOver = true;
		Flow.Subscription from = this.calls;
		if (from != null) {
			from.request(Long.MAX_VALUE);
		}
	}

	private void sendWhileWanted() {
		this.demand.look(this::send);
	}

	private void send() {
		Flow.Subscriber<? super Object> to = this.upload;
		Flow.Subscription from = this.calls;
		while (to != null && from != null && !this.isOver && !this.demand.isEmpty()) {
			CallbackReply next = this.replies.poll();
			if (next == null) {
				return;
			}
			this.demand.given();
			to.onNext(next);
			from.request(1);
		}
	}

}
