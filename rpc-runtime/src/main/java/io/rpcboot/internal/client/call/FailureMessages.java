package io.rpcboot.internal.client.call;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.logging.CallLoggingMetrics;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.UndeclaredException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages and exceptions of failed calls, made from values alone. Any thread. */
public final class FailureMessages {

	private static final Logger logger = LoggerFactory.getLogger(CallLoggingMetrics.CLIENT);

	private FailureMessages() {
	}

	/** Logs a failure at debug level and returns it. */
	static RpcException logged(RpcException failure) {
		if (logger.isDebugEnabled()) {
			logger.debug("{}", failure.getMessage());
		}
		return failure;
	}

	/**
	 * Returns the message of a failed call. Concatenates, because the JDK reads it for
	 * each future that depends on a failed one.
	 */
	static String failed(String method, @Nullable Endpoint endpoint, RpcStatus status, String what, long nanos,
			String execution) {
		return method + at(endpoint) + ": " + status + " after " + CallLoggingMetrics.seconds(nanos) + ": " + what
				+ Execution.BEFORE_WORDS + execution;
	}

	private static String at(@Nullable Endpoint endpoint) {
		return (endpoint != null) ? " at " + endpoint : "";
	}

	static String noReply(String timeout) {
		return "no reply within the timeout of " + timeout;
	}

	/** Returns the failure of a call that was not sent. */
	public static RpcException refused(MethodDescriptor method, RpcStatus status, String what,
			@Nullable Throwable cause) {
		return logged(new RpcException(status, "%s: %s: %s; it did not execute".formatted(method, status, what), false,
				null, cause, Map.of(), method.toString()));
	}

	/** Returns the failure of a call that must not wait for a permit. */
	public static RpcException tooManyPending(MethodDescriptor method, int limit) {
		return refused(method, RpcStatus.RESOURCE_EXHAUSTED,
				"rpc.client.max-pending-calls: %d calls are pending already".formatted(limit), null);
	}

	/** Returns the failure of a call that waited for a permit in vain. */
	public static RpcException noPermit(MethodDescriptor method, RpcStatus status, int limit) {
		return refused(method, status, noPermit(limit), null);
	}

	/** Returns the message of a call that waited for a permit in vain. */
	public static String noPermit(int limit) {
		return "rpc.client.max-pending-calls: all the time " + limit + " calls were pending already";
	}

	static RpcException argumentsNotSerialized(MethodDescriptor method, RuntimeException cause) {
		String what = (cause instanceof MessageTooLargeException tooLarge)
				? "rpc.client.max-frame-size: the arguments take more than %d bytes; send less, or raise it and rpc.server.max-frame-size"
					.formatted(tooLarge.limit())
				: "the arguments cannot be sent: " + Objects.requireNonNullElseGet(cause.getMessage(), cause::toString);
		return refused(method, RpcStatus.INVALID_ARGUMENT, what, cause);
	}

	/** Returns the message of a call that is larger than the server accepts. */
	public static String tooLarge(int attachments, int maxAttachments, int size, int maxSize) {
		if (attachments > maxAttachments) {
			return "rpc.server.max-attachments-size: the attachments take %d bytes, but the server accepts %s"
				.formatted(attachments, (maxAttachments > 0) ? "at most " + maxAttachments : "none");
		}
		return "rpc.server.max-frame-size: the arguments take %d bytes, but the server accepts at most %d"
			.formatted(size, maxSize);
	}

	/**
	 * Returns the failure of a call that threw what only the server's interface declares.
	 */
	static RpcException undeclared(MethodDescriptor method, @Nullable Endpoint endpoint, UndeclaredException thrown) {
		return new RpcException(RpcStatus.APPLICATION,
				"%s%s: %s: %s: %s; it executed".formatted(method, at(endpoint), RpcStatus.APPLICATION, thrown.type(),
						Objects.requireNonNullElse(thrown.getMessage(), "without a message")),
				true, thrown.type(), null, Map.of(), method.toString());
	}

	/**
	 * Returns the exception of an interceptor as the failure of a call. An own subclass
	 * of the application stays as it is.
	 */
	public static Throwable named(MethodDescriptor method, Throwable thrown) {
		if (thrown.getClass() != RpcException.class || !(thrown instanceof RpcException failure)
				|| failure.calledMethod() != null) {
			return thrown;
		}
		RpcException named = new RpcException(failure.status(),
				Objects.requireNonNullElseGet(failure.getMessage(), failure::toString), failure.mayHaveExecuted(),
				failure.remoteType(), failure.getCause(), failure.replyAttachments(), method.toString());
		named.setStackTrace(failure.getStackTrace());
		for (Throwable each : failure.getSuppressed()) {
			named.addSuppressed(each);
		}
		return named;
	}

	/** Returns the exception that a call throws for the one that its reply holds. */
	static Throwable thrown(MethodDescriptor method, @Nullable Endpoint endpoint, Throwable declared) {
		return (declared instanceof UndeclaredException undeclared) ? undeclared(method, endpoint, undeclared)
				: declared;
	}

	static RpcException replyNotReadable(MethodDescriptor method, @Nullable Endpoint endpoint, RuntimeException cause) {
		RpcStatus status = (cause.getCause() instanceof MemoryShortageException) ? RpcStatus.RESOURCE_EXHAUSTED
				: RpcStatus.INTERNAL;
		return logged(new RpcException(status,
				"%s%s: %s: the reply cannot be read: %s; it executed".formatted(method, at(endpoint), status,
						Objects.requireNonNullElseGet(cause.getMessage(), cause::toString)),
				true, null, cause, Map.of(), method.toString()));
	}

	static RpcException noResult(MethodDescriptor method) {
		return logged(new RpcException(RpcStatus.INTERNAL,
				"%s: %s: the response has no result; it may have executed".formatted(method, RpcStatus.INTERNAL), true,
				null, null, Map.of(), method.toString()));
	}

	/** Returns the failure of a stream with an element that is null. */
	static RpcException nullElement(MethodDescriptor method, @Nullable Endpoint endpoint, long index) {
		return logged(new RpcException(RpcStatus.INTERNAL,
				"%s%s: element %d of the stream is null (expected: a value)".formatted(method, at(endpoint), index),
				true, null, null, Map.of(), method.toString()));
	}

	/**
	 * Returns the failure of a call whose caller could not send its stream.
	 * @param elements number of elements that were sent
	 */
	static RpcException uploadFailed(MethodDescriptor method, @Nullable Endpoint endpoint, long elements,
			Throwable cause) {
		RpcStatus status = (cause instanceof RpcException known) ? known.status()
				: (cause instanceof SerializationException) ? RpcStatus.INVALID_ARGUMENT : RpcStatus.CANCELLED;
		return logged(new RpcException(status,
				"%s%s: %s: the caller's stream has failed after %d elements: %s; it may have executed".formatted(method,
						at(endpoint), status, elements,
						Objects.requireNonNullElseGet(cause.getMessage(), cause::toString)),
				true, null, cause, Map.of(), method.toString()));
	}

	/** Returns a duration as text, for example {@code 3 s} or {@code 200 ms}. */
	public static String text(Duration duration) {
		long millis = duration.toMillis();
		return (millis % 1000 == 0 && millis > 0) ? millis / 1000 + " s" : millis + " ms";
	}

}
