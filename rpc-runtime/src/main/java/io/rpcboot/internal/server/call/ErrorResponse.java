package io.rpcboot.internal.server.call;

import java.util.Objects;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.server.ExceptionExposure;
import org.jspecify.annotations.Nullable;

/**
 * Error response of a call. Immutable.
 *
 * @param status the status, never OK or DECLARED
 * @param run knowledge of whether the method ran
 * @param isFinal true if the client does not repeat the call, and the answer says nothing
 * about this server: an interceptor refused the call, a call that the method made failed,
 * or the method has answered with a status of gRPC
 * @param message text for the caller
 * @param type class name of an undeclared exception, empty without one
 * @param details Base64 of a {@code google.rpc.Status}, empty without one
 */
public record ErrorResponse(RpcStatus status, Run run, boolean isFinal, String message, String type, String details) {

	/** Knowledge of whether the method of a failed call ran. */
	public enum Run {

		/** It certainly did not. */
		NO,

		/** Code in front of it has refused the call, or code behind it. */
		MAYBE,

		/** It was invoked. */
		YES

	}

	/** Name of the attachment, and of the field of gRPC, with the details. */
	public static final String DETAILS = GrpcStatusAnswer.DETAILS;

	/** Message of an exception that has none; its type is in the response. */
	private static final String NO_MESSAGE = "without a message";

	/** Message in place of a text that stays in the process. */
	private static final String HIDDEN = "its text and stack trace are in the server's log (rpc.server.expose-exceptions=message sends the text)";

	/** Returns the response to a call whose method certainly did not run. */
	static ErrorResponse notExecuted(RpcStatus status, String message) {
		return new ErrorResponse(status, Run.NO, false, message, "", "");
	}

	/**
	 * Returns the response to a call whose caller may not make it, here and elsewhere.
	 */
	static ErrorResponse refused(RpcStatus status, String message, Run run) {
		return new ErrorResponse(status, run, run == Run.NO, message, "", "");
	}

	/** Returns the response that a method has given by a status exception of gRPC. */
	static ErrorResponse of(GrpcStatusAnswer answer) {
		return new ErrorResponse(answer.status(), Run.YES, true, answer.message(), "", answer.details());
	}

	/** Returns the response to a call whose method may have run. */
	static ErrorResponse of(RpcStatus status, String message) {
		return new ErrorResponse(status, Run.YES, false, message, "", "");
	}

	/**
	 * Returns the response for an exception that the application has created.
	 * @param invoked true if the method may have run
	 */
	static ErrorResponse ofApplication(RpcException thrown, boolean invoked) {
		boolean hasStatus = thrown.status() != RpcStatus.OK && thrown.status() != RpcStatus.DECLARED;
		return new ErrorResponse(hasStatus ? thrown.status() : RpcStatus.INTERNAL, invoked ? Run.YES : Run.NO, !invoked,
				Objects.requireNonNullElseGet(thrown.getMessage(), thrown::toString), "", "");
	}

	/**
	 * Returns the response for the failure of a nested call.
	 * @param late true if the deadline of the call has passed
	 * @param invoked true if the method may have run
	 */
	static ErrorResponse ofNested(RpcException failure, boolean late, boolean invoked, ExceptionExposure exposure) {
		String what = switch (exposure) {
			case MESSAGE -> failure.calledMethod() + ": " + failure.status() + " [" + failure.getMessage() + "]";
			case TYPE -> failure.calledMethod() + ": " + failure.status();
			case NOTHING -> "another service";
		};
		return new ErrorResponse(late ? RpcStatus.DEADLINE_EXCEEDED : RpcStatus.UNAVAILABLE, invoked ? Run.YES : Run.NO,
				true, (late ? "its time was over while it called " : "while it called ") + what, "", "");
	}

	/**
	 * Returns the response for an exception that the interface does not declare.
	 * @param thrown null if the stage failed without an exception
	 */
	static ErrorResponse ofUndeclared(@Nullable Throwable thrown, ExceptionExposure exposure) {
		String type = (thrown == null || exposure == ExceptionExposure.NOTHING) ? "" : thrown.getClass().getName();
		String message = (thrown == null || exposure != ExceptionExposure.MESSAGE) ? HIDDEN
				: Objects.requireNonNullElse(thrown.getMessage(), NO_MESSAGE);
		return new ErrorResponse(RpcStatus.APPLICATION, Run.YES, false, message, type, "");
	}

	/**
	 * Returns the response in place of a result that could not be serialized.
	 * @param shortage the shortage of memory that was the cause, null without one
	 */
	static ErrorResponse ofSerialization(RuntimeException cause, @Nullable MemoryShortageException shortage) {
		if (shortage != null) {
			return of(RpcStatus.RESOURCE_EXHAUSTED, "no memory for the result: " + shortage.getMessage());
		}
		if (cause instanceof MessageTooLargeException tooLarge) {
			return of(RpcStatus.INTERNAL,
					"rpc.server.max-frame-size: the result takes more than %d bytes; return less, or raise it and rpc.client.max-frame-size"
						.formatted(tooLarge.limit()));
		}
		return of(RpcStatus.INTERNAL,
				"the result cannot be sent: " + Objects.requireNonNullElseGet(cause.getMessage(), cause::toString));
	}

	/** Returns the status for arguments that could not be deserialized. */
	static RpcStatus statusOfUnreadable(Throwable cause) {
		if (cause instanceof RpcException known) {
			return known.status();
		}
		return (cause.getCause() instanceof MemoryShortageException) ? RpcStatus.RESOURCE_EXHAUSTED
				: RpcStatus.INVALID_ARGUMENT;
	}

	/** Returns the message for arguments that could not be deserialized. */
	static String unreadable(Throwable cause) {
		boolean explained = cause instanceof SerializationException || cause instanceof ContractException
				|| cause instanceof RpcException;
		return "the server cannot read the arguments: " + (explained
				? Objects.requireNonNullElseGet(cause.getMessage(), cause::toString) : cause.getClass().getName());
	}

}
