package io.rpcboot.internal.client.call;

import java.time.Duration;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.logging.CallLoggingMetrics;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.protocol.Failure;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.transport.eventloop.NonBlockingThreads;
import io.rpcboot.internal.transport.frame.FrameBodies;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.CallRecorder.Serialization;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.UndeclaredException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The words of each way in which a call fails. */
public final class CallCompletion {

	private static final Logger logger = LoggerFactory.getLogger(CallLoggingMetrics.CLIENT);

	/** Made while there is memory for it. */
	private static final LazyRpcException NO_MEMORY = new LazyRpcException(RpcStatus.INTERNAL,
			() -> "there was no memory to say how a call has failed; it may have executed", true, null,
			Attachments.none());

	private CallCompletion() {
	}

	/** What is known of whether the method ran at the server. */
	private enum Execution {

		NONE("did not execute"),

		/** By who has the last word: it executes nowhere. */
		REFUSED("did not execute"), PERHAPS("may have executed"), CERTAIN("executed");

		private final String words;

		Execution(String words) {
			this.words = words;
		}

		boolean mayHave() {
			return this == PERHAPS || this == CERTAIN;
		}

		/** What an earlier attempt did counts, too. */
		Execution orPerhaps(boolean earlier) {
			return (!mayHave() && earlier) ? PERHAPS : this;
		}

	}

	/** End a call without an answer, if no other end was first. Any thread. */
	static void end(ClientCall call, RpcStatus status, String what) {
		end(call, status, what, Execution.PERHAPS, null, Attachments.none());
	}

	private static void end(ClientCall call, RpcStatus status, String what, Execution execution,
			@Nullable String remoteType, Attachments attachments) {
		if (call.method.usesBudget && execution != Execution.REFUSED) {
			call.mayHaveRun |= execution != Execution.NONE && call.state == ClientCall.SENT;
			if (call.reference.tryRetry(call, status, remoteType, attachments)) {
				return;
			}
		}
		int previous = call.claim();
		if (previous < 0) {
			return;
		}
		CallTransport target = call.connection;
		boolean sent = previous == ClientCall.SENT;
		// one that may have run was sent before, or is the second of two
		if (!sent && !call.mayHaveRun) {
			call.reference.counts.notSent(status, call.remainingNanos() <= 0);
		}
		LazyRpcException failure = failure(call, target, status, what,
				(sent ? execution : Execution.NONE).orPerhaps(call.mayHaveRun || call.hedge != null), remoteType,
				attachments);
		call.failure = failure;
		call.completed();
		logged(failure);
		if (target == null) {
			return;
		}
		if (sent && (status == RpcStatus.DEADLINE_EXCEEDED || status == RpcStatus.CANCELLED
				|| status == RpcStatus.UNAVAILABLE)) {
			target.cancelRemote(call);
		}
		else if (previous == ClientCall.QUEUED) {
			target.onAbandoned(call);
		}
	}

	/** A call that was claimed has its end, whatever there is memory for. */
	private static LazyRpcException failure(ClientCall call, @Nullable CallTransport connection, RpcStatus status,
			String what, Execution execution, @Nullable String remoteType, Attachments attachments) {
		try {
			return create(call, connection, status, what, execution, remoteType, attachments);
		}
		catch (OutOfMemoryError ex) {
			return NO_MEMORY;
		}
	}

	private static LazyRpcException create(ClientCall call, @Nullable CallTransport connection, RpcStatus status,
			String what, Execution execution, @Nullable String remoteType, Attachments attachments) {
		BoundMethod method = call.method;
		Endpoint endpoint = (connection != null) ? connection.endpoint() : null;
		long nanos = System.nanoTime() - call.startNanos;
		AttemptHistory attempts = call.attempts;
		int failed = (attempts != null) ? attempts.failed() : 0;
		String how = (failed == 0) ? what : "attempt " + (failed + 1) + ": " + what;
		return new LazyRpcException(status, () -> message(method, endpoint, status, how, nanos, execution),
				execution.mayHave(), remoteType, attachments);
	}

	/** The line of a call that has failed. */
	private static RpcException logged(RpcException failure) {
		if (logger.isDebugEnabled()) {
			logger.debug("{}", failure.getMessage());
		}
		return failure;
	}

	/** The JDK asks for it for each future that depends on a failed one: no formatter. */
	private static String message(BoundMethod method, @Nullable Endpoint endpoint, RpcStatus status, String what,
			long nanos, Execution execution) {
		return method.name() + ((endpoint != null) ? " at " + endpoint : "") + ": " + status + " after "
				+ CallLoggingMetrics.seconds(nanos) + ": " + what + "; it " + execution.words;
	}

	/** The answer of another one counts, which has its end whatever becomes of this. */
	static void superseded(ClientCall hedge) {
		try {
			hedge.fail(RpcStatus.CANCELLED, "another answer came first");
		}
		catch (Error ex) {
			logger.warn("A hedged call was not cancelled", ex);
		}
	}

	/**
	 * A response that is neither a result nor a declared exception. Unless it says that
	 * the method did not run, the server has run it.
	 */
	public static void apply(ErrorReply reply, int code, int flags, ClientCall call) {
		Failure failure = reply.failure();
		RpcStatus known = RpcStatus.ofCode(code);
		RpcStatus status = (known != null) ? known : RpcStatus.INTERNAL;
		boolean notExecuted = (flags & FrameHeader.FLAG_NOT_EXECUTED) != 0;
		boolean elsewhere = (flags & FrameHeader.FLAG_FINAL) == 0 && call.reference.onlyAt() == null
				&& switch (status) {
					case UNAVAILABLE, FAILED_PRECONDITION, NOT_FOUND -> true;
					case RESOURCE_EXHAUSTED -> call.reference.mayTryElsewhere(call);
					default -> false;
				};
		if (notExecuted && elsewhere) {
			call.reference.dispatchAgain(call, RedispatchReason.REFUSED);
			return;
		}
		String what = failure.type().isEmpty() ? failure.message() : failure.type() + ": " + failure.message();
		Execution none = ((flags & FrameHeader.FLAG_FINAL) != 0) ? Execution.REFUSED : Execution.NONE;
		end(call, status, what, notExecuted ? none : Execution.CERTAIN,
				failure.type().isEmpty() ? null : failure.type(), reply.attachments());
	}

	public static String noReply(ClientCall call) {
		CallMetadata context = call.context;
		if (context != null) {
			return noReply(context.allowed());
		}
		String known = call.method.noReply;
		if (known == null) {
			known = noReply(text(Duration.ofNanos(call.method.timeoutNanos)));
			call.method.noReply = known;
		}
		return known;
	}

	private static String noReply(String timeout) {
		return "no reply within the timeout of " + timeout;
	}

	/** A blocking call on a thread that may be one that must not wait. */
	public static void refuseIfNonBlocking(MethodDescriptor method) {
		String kind = NonBlockingThreads.kindOfCaller();
		if (kind != null) {
			throw refused(method, RpcStatus.INTERNAL,
					("a blocking call on thread %s, which is %s and must not"
							+ " wait; call from another thread or let the method return a CompletableFuture")
						.formatted(Thread.currentThread().getName(), kind),
					null);
		}
	}

	public static RpcException tooManyPending(MethodDescriptor method, int limit) {
		return refused(method, RpcStatus.RESOURCE_EXHAUSTED,
				"max-pending-calls: %d calls are under way already".formatted(limit), null);
	}

	/**
	 * The arguments did not become bytes: there was no memory, or they cannot be carried.
	 */
	public static RpcException notSerialized(ClientCall call, RuntimeException cause) {
		MethodDescriptor method = call.method.descriptor;
		MemoryShortageException shortage = (cause instanceof MemoryShortageException itself) ? itself
				: FrameBodies.shortageOf(call);
		if (shortage == null) {
			countFailed(call, Serialization.WRITE);
			return argumentsNotCarried(method, cause);
		}
		RpcStatus status = (call.remainingNanos() > 0) ? RpcStatus.RESOURCE_EXHAUSTED : RpcStatus.DEADLINE_EXCEEDED;
		return noMemory(call, shortage.isInterrupted() ? RpcStatus.CANCELLED : status, shortage);
	}

	private static RpcException noMemory(ClientCall call, RpcStatus status, MemoryShortageException shortage) {
		call.reference.counts.notSent(status, false);
		return refused(call.method.descriptor, status, "no memory for the arguments: " + shortage.getMessage(), null);
	}

	public static RpcException noRoom(MethodDescriptor method, RpcStatus status, int limit) {
		return refused(method, status, noRoom(limit), null);
	}

	public static String noRoom(int limit) {
		return "max-pending-calls: all the time " + limit + " calls were under way already";
	}

	private static RpcException argumentsNotCarried(MethodDescriptor method, RuntimeException cause) {
		if (!(cause instanceof MessageTooLargeException tooLarge)) {
			return refused(method, RpcStatus.INVALID_ARGUMENT, "the arguments cannot be carried: " + cause.getMessage(),
					cause);
		}
		return refused(method, RpcStatus.INVALID_ARGUMENT,
				"max-frame-size: the arguments take more than %d bytes; send less or raise it on both sides"
					.formatted(tooLarge.limit()),
				cause);
	}

	/** The server does not take a call of this size, or so many attachments. */
	public static String largerThanServerAccepts(ClientCall call, int size, int limit, int attachments) {
		int attached = (call.context != null) ? call.context.attachmentsLength() : 0;
		if (attached > attachments) {
			return "max-attachments-size: the attachments take %d bytes, but the server accepts %s".formatted(attached,
					(attachments > 0) ? "at most " + attachments : "none");
		}
		return "max-frame-size: the arguments take %d bytes, but the server accepts at most %d".formatted(size, limit);
	}

	/** An exception that only the server's version of the interface declares is text. */
	static Throwable thrown(ClientCall call, Throwable read) {
		if (!(read instanceof UndeclaredException undeclared)) {
			return read;
		}
		return new RpcException(
				RpcStatus.APPLICATION, "%s%s: %s: %s: %s; it executed".formatted(call.method.descriptor, at(call),
						RpcStatus.APPLICATION, undeclared.type(), undeclared.getMessage()),
				true, undeclared.type(), null);
	}

	/** A call has failed before it could begin. */
	public static void recordUnsent(BoundMethod method, RpcStatus status, long startNanos) {
		if (method.recorder != null) {
			method.recorder.record(status, System.nanoTime() - startNanos, "");
		}
	}

	private static void countFailed(ClientCall call, Serialization way) {
		CallRecorder recorder = call.method.recorder;
		if (recorder != null) {
			recorder.failed(way);
		}
	}

	static RpcException replyNotReadable(ClientCall call, RuntimeException cause) {
		countFailed(call, Serialization.READ);
		return logged(new RpcException(RpcStatus.INTERNAL, "%s%s: %s: the reply cannot be read: %s; it executed"
			.formatted(call.method.descriptor, at(call), RpcStatus.INTERNAL, cause.getMessage()), true, null, cause));
	}

	private static String at(ClientCall call) {
		CallTransport connection = call.answeredBy.connection;
		return (connection != null) ? " at " + connection.endpoint() : "";
	}

	public static RpcException refused(MethodDescriptor method, RpcStatus status, String what,
			@Nullable Throwable cause) {
		return logged(new RpcException(status, "%s: %s: %s; it did not execute".formatted(method, status, what), false,
				null, cause));
	}

	public static String text(Duration duration) {
		long millis = duration.toMillis();
		return (millis % 1000 == 0 && millis > 0) ? millis / 1000 + " s" : millis + " ms";
	}

}
