package io.rpcboot.internal.server.call;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.call.Results;
import io.rpcboot.internal.logging.CallLoggingMetrics;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.memory.ObjectHeap;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.interceptor.CallRefusal;
import io.rpcboot.internal.server.interceptor.ServerInterceptorChain;
import io.rpcboot.internal.server.runtime.ResponseMemory;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.stream.LaterResult;
import io.rpcboot.internal.stream.StreamType;
import io.rpcboot.internal.transport.eventloop.EventLoopThread;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.CallRecorder.Serialization;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/**
 * Answers calls of one connection that have no result: rejects them, or turns exceptions
 * of methods and interceptors into responses. Also admits calls whose response needs
 * memory. Each call gets one response; failures after it are logged. Any thread, one at a
 * time for a call.
 */
public final class CallResponder {

	/**
	 * A nested call that ends this close to the deadline has failed due to it: each hop
	 * cuts the remaining time to milliseconds.
	 */
	private static final long DEADLINE_TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	/** Bounds how often a call waits while the estimate grows: once for each doubling. */
	private static final int MOST_GROWTH = 2;

	private static final String LATE = "its time was over before a thread of the server took it";

	private static final String LATE_MEMORY = "its time was over before the server had memory for its response (rpc.server.memory.limit) and a thread for it";

	private static final String ABANDONED = "its connection ended before a thread of the server took it, and rpc.server.memory.limit leaves no room for its arguments";

	private static final String UNCHECKED = "its connection ended before its credentials were checked";

	final ServerTransport connection;

	final ServerResources server;

	/** Null without limits of access. */
	private final @Nullable CallAccess access;

	private final CallRefusals refusals;

	/** Proof of the client, which calls that arrive now keep. Event loop only. */
	CallerProof caller = CallerProof.NONE;

	/** Number of the calls that have arrived. Event loop only. */
	int arrived;

	/**
	 * Creates the responder of a connection.
	 * @param access decides about calls when they run; null if it is not limited, or
	 * decided before they arrive here
	 */
	public CallResponder(ServerTransport connection, ServerResources server, @Nullable AccessControl access) {
		this.connection = connection;
		this.server = server;
		this.refusals = new CallRefusals(connection, server);
		this.access = (access != null) ? new CallAccess(access, connection, this) : null;
	}

	/** Sets the proof that calls keep which arrive from now on. Event loop only. */
	public void identified(CallerProof proof) {
		this.caller = proof;
	}

	/** Returns the proof that calls keep which arrive now. Event loop only. */
	public CallerProof caller() {
		return this.caller;
	}

	/** Ends a call without a response; the connection counts it out. */
	public void finish(ServerCall call, RpcStatus status) {
		call.end(status);
	}

	/**
	 * Answers a call whose method certainly did not run with {@code NOT_EXECUTED}. A
	 * one-way call is logged and ends. Here the server rejects a call; {@link #answered}
	 * answers for an interceptor, and {@link ServerCall#responseEnded} is called if the
	 * connection has ended.
	 */
	public void reject(ServerCall call, RpcStatus why, String message) {
		if (call.oneWay) {
			this.connection.dropped(List.of(call.method.descriptor, why),
					() -> call.method.descriptor + ": " + message);
			finish(call, why);
		}
		else {
			call.fail(ErrorResponse.notExecuted(why, message));
		}
	}

	/** Returns true if a call with attachments was refused, or waits and is run again. */
	boolean keepsOut(ServerCall call, byte[] source) {
		return this.access != null && this.access.keepsOut(call, source);
	}

	/**
	 * Ends a call that waits for memory or for the check of its credentials, because its
	 * caller has cancelled it or its connection has ended. Any thread.
	 */
	void giveUp(ServerCall call) {
		this.server.memory.giveUp(call);
		if (this.access != null && this.access.giveUp(call)) {
			finishUnchecked(call);
		}
	}

	/** Ends a call whose credentials are not checked any more. */
	void finishUnchecked(ServerCall call) {
		try {
			finishAbandoned(call, UNCHECKED);
		}
		catch (Throwable ex) {
			endUnrunAfter(call, ex);
		}
	}

	/** Refuses a call: its caller may not make it, here and elsewhere. */
	void refuse(ServerCall call, AccessDenial why) {
		this.refusals.refused(call.method.descriptor, call.context().caller(), why);
		if (call.oneWay) {
			reject(call, why.status(), why.message());
		}
		else {
			call.fail(ErrorResponse.refused(why.status(), why.message(), ErrorResponse.Run.NO));
		}
	}

	/** Runs a call that has waited without a thread. */
	void runAgain(ServerCall call) {
		if (call.method.dispatch != Dispatch.EVENT_LOOP) {
			this.server.runAgain(call);
		}
		else if (this.connection.schedule(() -> EventLoopThread.run(call), 0) == null) { // the
																							// loop
																							// has
																							// ended
			call.run();
		}
	}

	/** Rejects a call that a thread has taken with too little time left. */
	void rejectLate(ServerCall call, long leftNanos) {
		// no formatter: under overload most calls may end here
		rejectLate(call,
				(leftNanos < 0) ? late(call)
						: CallLoggingMetrics.millis(leftNanos)
								+ " were left when a thread of the server took it, and its method takes "
								+ CallLoggingMetrics.millis(call.method.times.min) + " at least");
	}

	private static String late(ServerCall call) {
		return call.awaitedMemory ? LATE_MEMORY : LATE;
	}

	private void rejectLate(ServerCall call, String why) {
		this.server.counts.expired.increment();
		reject(call, RpcStatus.DEADLINE_EXCEEDED, why);
	}

	/**
	 * Returns true if a call whose response may need memory may run. Else it waits
	 * without a thread, or was rejected.
	 * @param mayWait false on the event loop
	 */
	boolean admits(ServerCall call, boolean mayWait) {
		return reserveMemory(call, mayWait) && (!mayWait || call.memory().begin());
	}

	/**
	 * Reserves memory for the response of a call before it runs. Without memory a call
	 * waits in the turn of its connection, without a thread, and is run again. A call
	 * with a small response runs at once if its client reads responses. A call on the
	 * event loop cannot wait and is rejected. A call that has waited waits again if the
	 * estimate has grown to more than {@link #MOST_GROWTH} times its reservation.
	 * @return true if the call may run
	 */
	private boolean reserveMemory(ServerCall call, boolean mayWait) {
		ResponseMemory memory = this.server.memory;
		MemoryBudget budget = memory.account();
		long bytes = memory.needed(call.method.results);
		if (bytes <= MOST_GROWTH * call.memory().reservedBytes()) {
			return true;
		}
		call.releaseMemory();
		boolean takes = this.connection.takesResults();
		if (budget.tryReserveOutgoing(bytes, takes)) {
			call.reserved(bytes, 0);
			return true;
		}
		if (mayWait) {
			if (bytes <= ResponseMemory.THREAD_OVERDRAFT && takes && !budget.isFarOverdrawn()) {
				return true;
			}
			call.awaitedMemory = true;
			call.started = false;
			memory.untilReserved(call, this.connection, takes, bytes);
			return false;
		}
		if (!budget.isOverdrawn() || (this.connection.unsent().get() == 0 && !budget.isFarOverdrawn())) {
			return true;
		}
		reject(call, RpcStatus.RESOURCE_EXHAUSTED,
				"rpc.server.memory.limit: all of the server's %d bytes are in use".formatted(budget.limit()));
		return false;
	}

	/** Ends a call whose arguments were dropped when its connection ended. */
	void finishAbandoned(ServerCall call) {
		finishAbandoned(call, ABANDONED);
	}

	private void finishAbandoned(ServerCall call, String why) {
		call.started = false;
		this.server.counts.cancelled.increment();
		if (call.oneWay) {
			reject(call, RpcStatus.CANCELLED, why);
		}
		else {
			finish(call, RpcStatus.CANCELLED);
		}
	}

	/** Ends a call that was removed from its queue before it ran. Never throws. */
	void endUnrun(ServerCall call) {
		try {
			if (call.cancelled) {
				this.server.counts.cancelled.increment();
				finish(call, RpcStatus.CANCELLED);
			}
			else {
				rejectLate(call, late(call));
			}
		}
		catch (Throwable ex) {
			endUnrunAfter(call, ex);
		}
	}

	private void endUnrunAfter(ServerCall call, Throwable cause) {
		try {
			unexpected(call, cause);
		}
		catch (Throwable ex) { // the other calls of the same sweep must end, too
			this.server.log.warn("Call without an end", call.method.descriptor,
					() -> call.method.descriptor + ": " + ex, null);
		}
	}

	/** Reserves memory for a response in an array, unless that is small. */
	void keepMemory(ServerCall call, int size) {
		if (this.server.memory.isEntered(size)) {
			call.memory().enter(size);
		}
		else {
			call.releaseMemory();
		}
	}

	/** Takes the array; the thread may wait for heap until the deadline of the call. */
	byte[] takeRequest(ServerCall call) {
		if (call.requestLength() > OutboundFrame.LARGE_BODY) {
			boolean onLoop = call.method.dispatch == Dispatch.EVENT_LOOP;
			WeakReference<ServerCall> reads = new WeakReference<>(call); // the thread may
																			// keep it
			ObjectHeap.waitUntil(onLoop ? ObjectHeap.NO_WAIT : call.startNanos + call.allowedNanos, () -> {
				ServerCall known = reads.get();
				return known == null || known.cancelled;
			});
		}
		return call.takeRequest();
	}

	/** Counts arguments that cannot be read and returns the message for the caller. */
	String unreadable(ServerCall call, Throwable cause) {
		countFailed(call, Serialization.READ);
		return ErrorResponse.unreadable(cause);
	}

	/**
	 * Returns the arguments of a method that takes a stream, and tells that it begins.
	 */
	@Nullable Object[] streamedArguments(ServerCall call, byte[] source) {
		if (call.sink instanceof StreamSink elements) {
			return elements.arguments(source, call.requestOffset(), call.requestLength());
		}
		throw new RpcException(RpcStatus.UNIMPLEMENTED, StreamType.ONLY_HTTP2, false);
	}

	/**
	 * Returns true if the answer follows later: what the method has returned brings it.
	 */
	boolean follows(ServerCall call, @Nullable Object result) {
		if (call.method.streams) {
			stream(call, result);
			return true;
		}
		if (LaterResult.of(call.method.method, result, call.context) instanceof CompletionStage<?> stage) {
			PendingResult.follow(call, stage);
			return true;
		}
		return false;
	}

	/** Answers with the elements of a stream, if the protocol carries them. */
	private void stream(ServerCall call, @Nullable Object stream) {
		if (call.sink instanceof StreamSink elements) {
			elements.stream(stream, call.responseAttachments());
		}
		else {
			call.fail(ErrorResponse.of(RpcStatus.UNIMPLEMENTED, StreamType.ONLY_HTTP2));
		}
	}

	/** Ends the response of a stream whose elements are all sent. */
	void streamed(ServerCall call, StreamSink elements) {
		OutputBuffer out = this.server.buffers.acquire();
		try {
			if (call.context != null) {
				call.context.attach(elements, this.connection.maxResponse(), out);
			}
			call.status = RpcStatus.OK;
			elements.complete();
		}
		catch (SerializationException ex) {
			unserializable(call, ex);
		}
		catch (Throwable ex) {
			unexpected(call, ex);
		}
		finally {
			this.server.buffers.release(out);
		}
	}

	/** Answers with a failure, because the result could not be serialized. */
	void unserializable(ServerCall call, RuntimeException cause) {
		MemoryShortageException shortage = call.memoryShortage();
		if (shortage == null) {
			countFailed(call, Serialization.WRITE);
		}
		call.fail(ErrorResponse.ofSerialization(cause, shortage));
	}

	private static void countFailed(ServerCall call, Serialization way) {
		CallRecorder recorder = call.invocation.recorder;
		if (recorder != null) {
			recorder.failed(way);
		}
	}

	/** Answers with a failure of an interceptor, the method or its stage. */
	void failed(ServerCall call, ServerInterceptorChain.@Nullable Run run, Throwable failure) {
		Throwable cause = Results.cause(failure);
		if (run != null && cause instanceof RpcException rejection && !run.isOfImplementation(failure)) {
			call.invoked |= !run.seal();
			answered(call, rejection);
		}
		else {
			thrown(call, cause);
		}
	}

	/**
	 * Answers with an {@link RpcException} of an interceptor or of the method. One that
	 * the application has created is the answer itself; one of a nested call says which.
	 * The method may have run, unlike after {@link #reject}.
	 */
	void answered(ServerCall call, RpcException answer) {
		if (call.responseStarted) {
			log(call, answer);
			return;
		}
		reportToInterceptors(call, answer);
		boolean isNested = answer.calledMethod() != null;
		ErrorResponse error = (answer instanceof CallRefusal refusal) ? refused(call, refusal) : isNested
				? ErrorResponse.ofNested(answer, isLate(call, answer), call.invoked, this.server.options.exposure)
				: ErrorResponse.ofApplication(answer, call.invoked);
		if (!call.oneWay && !isNested && !answer.replyAttachments().isEmpty()) {
			answer.replyAttachments().forEach(call.context().replyAttachments()::put);
		}
		failWith(call, error);
	}

	private ErrorResponse refused(ServerCall call, CallRefusal refusal) {
		call.invoked &= refusal.mayHaveExecuted();
		return this.refusals.answer(call.method.descriptor, () -> call.context().caller(), refusal, call.invoked);
	}

	/**
	 * Ends a call that has failed; for a one-way call the log is the only place that says
	 * so.
	 */
	private void failWith(ServerCall call, ErrorResponse error) {
		if (!call.oneWay) {
			call.fail(error);
			return;
		}
		if (!call.invoked) {
			reject(call, error.status(), error.message());
			return;
		}
		inScopes(call,
				(trace) -> this.server.log.warn("One-way call failed", List.of(call.method.descriptor, error.status()),
						() -> call.method.descriptor + ": " + error.status() + ": " + error.message(), null));
		finish(call, error.status());
	}

	private static void reportToInterceptors(ServerCall call, @Nullable Throwable thrown) {
		ServerInterceptorChain.Run run = call.interceptors();
		if (run != null) {
			run.failed(thrown);
		}
	}

	/**
	 * Answers with an exception of the method: with its own status if it is an
	 * {@link RpcException} or one of gRPC, as an object if the interface declares it,
	 * else as text.
	 * @param thrown null if the method gave no exception
	 */
	void thrown(ServerCall call, @Nullable Throwable thrown) {
		if (call.responseStarted) { // an interceptor or listener has thrown afterwards
			log(call, thrown);
			return;
		}
		if (call.cancelled) {
			reportToInterceptors(call, thrown);
			if (!ThrownCauses.isOfCancellation(thrown) && !call.method.descriptor.declares(thrown)) {
				logUndeclared(call, thrown);
			}
			finish(call, call.isTimeOver() ? RpcStatus.DEADLINE_EXCEEDED : RpcStatus.CANCELLED);
			return;
		}
		GrpcStatusAnswer status = GrpcStatusAnswer.of(ThrownCauses.bare(thrown));
		if (status != null) {
			reportToInterceptors(call, thrown);
			failWith(call, ErrorResponse.of(status));
			return;
		}
		RpcException answer = ThrownCauses.answer(thrown, call.isTimeOver());
		boolean isDeclared = answer != null && answer.getClass() != RpcException.class && answer.calledMethod() == null
				&& call.method.descriptor.declares(answer);
		if (answer != null && !isDeclared) {
			answered(call, answer);
			return;
		}
		reportToInterceptors(call, thrown);
		if (call.oneWay) {
			logUndeclared(call, thrown);
			finish(call, RpcStatus.APPLICATION);
		}
		else if (thrown == null || !answerDeclared(call, thrown)) {
			logUndeclared(call, thrown);
			call.fail(ErrorResponse.ofUndeclared(thrown, this.server.options.exposure));
		}
	}

	/**
	 * Returns true if the deadline of a call has passed, or was that of a nested call.
	 */
	private static boolean isLate(ServerCall call, RpcException nested) {
		boolean ended = nested.status() == RpcStatus.DEADLINE_EXCEEDED || nested.status() == RpcStatus.CANCELLED;
		long left = call.allowedNanos - (System.nanoTime() - call.startNanos);
		return left < (ended ? DEADLINE_TOLERANCE_NANOS : 0);
	}

	/** Returns false if the exception is not declared or cannot be serialized. */
	private boolean answerDeclared(ServerCall call, Throwable thrown) {
		OutputBuffer out = this.server.buffers.acquire();
		try {
			call.releaseMemory();
			out.overflow(call);
			attach(call, out);
			if (!call.invocation.codec.serializeException(thrown, out)) {
				return false;
			}
			call.answersFailure(ThrownCauses.text(thrown), "");
			call.send(RpcStatus.DECLARED, out);
			return true;
		}
		catch (SerializationException | MemoryShortageException ex) {
			if (ex instanceof SerializationException && call.memoryShortage() == null) {
				countFailed(call, Serialization.WRITE);
			}
			return false;
		}
		finally {
			this.server.buffers.release(out);
		}
	}

	/** Ends a call after a failure outside of the method, such as in getMessage(). */
	void unexpected(ServerCall call, Throwable cause) {
		if (!call.responseStarted && call.oneWay) {
			finish(call, RpcStatus.INTERNAL);
		}
		else if (!call.responseStarted) {
			failUnexpected(call, "the server could not answer because of " + cause.getClass().getName());
		}
		log(call, cause);
	}

	private void failUnexpected(ServerCall call, String message) {
		try {
			call.fail(call.invoked ? ErrorResponse.of(RpcStatus.INTERNAL, message)
					: ErrorResponse.notExecuted(RpcStatus.INTERNAL, message));
		}
		catch (Throwable ex) { // the client learns it from the end of the connection
			if (!call.responseStarted) {
				finish(call, RpcStatus.INTERNAL);
			}
			this.connection.closeNow();
			throw ex;
		}
	}

	/**
	 * Begins the response with an exception with its attachments. They may take half of
	 * it; if the required ones do not fit, none is sent and the cause is logged.
	 */
	private void attach(ServerCall call, OutputBuffer out) {
		Attachments attachments = call.responseAttachments();
		if (attachments == null) {
			return;
		}
		try {
			call.sink.attach(attachments, this.connection.maxResponse() / 2, out);
		}
		catch (SerializationException ex) {
			log(call, ex);
		}
	}

	private void logUndeclared(ServerCall call, @Nullable Throwable thrown) {
		inScopes(call, (trace) -> this.server.undeclared.add(call.invocation, thrown, this.connection.client(), trace));
	}

	/** Logs a failure that no response reports. */
	public void log(ServerCall call, @Nullable Throwable thrown) {
		inScopes(call, (trace) -> this.server.undeclared.log(call.method, thrown, this.connection.client(), trace));
	}

	/** Runs a task in the scopes of a call, with the id of its trace. */
	private static void inScopes(ServerCall call, Consumer<@Nullable String> task) {
		ServerCallContext context = call.context;
		if (context != null) {
			context.inScopes(() -> task.accept(context.traceId));
		}
		else {
			task.accept(null);
		}
	}

}
