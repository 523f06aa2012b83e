package io.rpcboot.internal.server.call;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.protocol.Failure;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.server.interceptor.ServerInterceptorChain;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.CallRecorder.Serialization;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.contract.ContractException;
import io.rpcboot.server.ExceptionExposure;
import org.jspecify.annotations.Nullable;

/** How a call at the server ends when it does not end with its result. */
final class ErrorResponses {

	/** Far below what a caller could still use. */
	private static final long CLOSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

	/** In place of a text that does not leave the process. */
	private static final String KEPT = "the server's log says why (expose-exceptions)";

	private ErrorResponses() {
	}

	/** It is certain that the method did not run. */
	static void refuse(ServerCall call, RpcStatus why, String message) {
		if (call.oneWay) {
			call.connection.dropped(List.of(call.method.descriptor, why),
					() -> call.method.descriptor + ": " + message);
			call.finishWithoutReply(why);
		}
		else {
			fail(call, why, FrameHeader.FLAG_NOT_EXECUTED, message, "");
		}
	}

	static void unreadable(ServerCall call, Throwable cause) {
		refuse(call, RpcStatus.INVALID_ARGUMENT, unreadableWords(call, cause));
	}

	static String unreadableWords(ServerCall call, Throwable cause) {
		boolean explained = cause instanceof SerializationException || cause instanceof ContractException;
		String why = explained ? String.valueOf(cause.getMessage()) : cause.getClass().getName();
		countFailed(call, Serialization.READ);
		return "the server cannot read the arguments: " + why;
	}

	/** An interceptor has refused the call, before or after it has run. */
	static void refused(ServerCall call, RpcException refusal) {
		if (call.responseStarted) {
			log(call, refusal);
			return;
		}
		boolean hasCode = refusal.status() != RpcStatus.OK && refusal.status() != RpcStatus.DECLARED;
		RpcStatus why = hasCode ? refusal.status() : RpcStatus.INTERNAL;
		failure(call, refusal);
		if (call.oneWay) {
			refuse(call, why, String.valueOf(refusal.getMessage()));
			return;
		}
		if (call.context != null) {
			refusal.replyAttachments().forEach(call.context.replyAttachments()::put);
		}
		fail(call, why, call.invoked ? 0 : FrameHeader.FLAG_NOT_EXECUTED | FrameHeader.FLAG_FINAL,
				String.valueOf(refusal.getMessage()), "");
	}

	private static void failure(ServerCall call, @Nullable Throwable thrown) {
		ServerCallContext context = call.context;
		ServerInterceptorChain.Run run = (context != null) ? context.run : null;
		if (run != null) {
			run.failed(thrown);
		}
	}

	static void resultNotCarried(ServerCall call, RuntimeException cause) {
		MemoryShortageException shortage = call.memoryShortage();
		if (shortage != null) {
			fail(call, RpcStatus.RESOURCE_EXHAUSTED, 0, "no memory for the result: " + shortage.getMessage(), "");
			return;
		}
		countFailed(call, Serialization.WRITE);
		String why = (cause instanceof MessageTooLargeException tooLarge)
				? "max-frame-size: it takes more than %d bytes; return less or raise it on both sides"
					.formatted(tooLarge.limit())
				: String.valueOf(cause.getMessage());
		fail(call, RpcStatus.INTERNAL, 0, "the result cannot be carried: " + why, "");
	}

	private static void countFailed(ServerCall call, Serialization way) {
		CallRecorder recorder = call.method.recorder;
		if (recorder != null) {
			recorder.failed(way);
		}
	}

	/** The method was called, and something was thrown. */
	static void invocationFailed(ServerCall call, Throwable failure) {
		thrown(call, (failure instanceof InvocationTargetException) ? failure.getCause() : failure);
	}

	/** The implementation threw: a declared exception goes as itself, another as text. */
	static void thrown(ServerCall call, @Nullable Throwable thrown) {
		if (call.responseStarted) { // by what comes after the answer: it is on its way
			log(call, thrown);
			return;
		}
		failure(call, thrown);
		if (call.cancelled) {
			unheard(call, thrown);
			call.finishWithoutReply(RpcStatus.CANCELLED);
		}
		else if (call.oneWay) {
			undeclared(call, thrown);
			call.finishWithoutReply(RpcStatus.APPLICATION);
		}
		else if (thrown instanceof RpcException nested && isOfDeadline(call, nested)) {
			boolean exposed = call.connection.server.options.exposure == ExceptionExposure.MESSAGE;
			fail(call, RpcStatus.DEADLINE_EXCEEDED, 0,
					"its time was over while it called further" + (exposed ? ": " + nested.getMessage() : ""), "");
		}
		else if (thrown == null || !answerDeclared(call, thrown)) {
			undeclared(call, thrown);
			failUndeclared(call, thrown);
		}
	}

	private static void undeclared(ServerCall call, @Nullable Throwable thrown) {
		call.connection.server.undeclared.add(call.method, thrown, traceId(call));
	}

	private static @Nullable String traceId(ServerCall call) {
		ServerCallContext context = call.context;
		return (context != null) ? context.traceId : null;
	}

	private static void failUndeclared(ServerCall call, @Nullable Throwable thrown) {
		ExceptionExposure exposed = call.connection.server.options.exposure;
		String type = (thrown == null || exposed == ExceptionExposure.NOTHING) ? "" : thrown.getClass().getName();
		String message = (thrown == null || exposed != ExceptionExposure.MESSAGE) ? KEPT
				: String.valueOf(thrown.getMessage());
		fail(call, RpcStatus.APPLICATION, 0, message, type);
	}

	/**
	 * A call that this one has made may end a moment before it: its time is measured from
	 * its own start.
	 */
	private static boolean isOfDeadline(ServerCall call, RpcException nested) {
		boolean ended = nested.status() == RpcStatus.DEADLINE_EXCEEDED || nested.status() == RpcStatus.CANCELLED;
		return ended && call.allowedNanos - (System.nanoTime() - call.startNanos) < CLOSE_NANOS;
	}

	/** The caller no longer waits, but what it has waited for may have failed. */
	private static void unheard(ServerCall call, @Nullable Throwable thrown) {
		if (!(thrown instanceof CancellationException) && !call.method.descriptor.declares(thrown)) {
			undeclared(call, thrown);
		}
	}

	private static boolean answerDeclared(ServerCall call, Throwable thrown) {
		OutputBuffer.Pool buffers = call.connection.buffers;
		OutputBuffer out = buffers.acquire();
		try {
			call.forgetAnswer();
			out.overflow(call);
			byte[] section = attachments(call, call.connection.maxResponse);
			out.write(section, 0, section.length);
			int attached = (section.length > 0) ? FrameHeader.FLAG_ATTACHMENTS : 0;
			if (!call.method.codec.serializeException(thrown, out)) {
				return false;
			}
			call.send(RpcStatus.DECLARED, FrameHeader.FLAG_DECLARED_EXCEPTION | attached, out);
			return true;
		}
		catch (SerializationException | MemoryShortageException ex) {
			if (ex instanceof SerializationException && call.memoryShortage() == null) {
				countFailed(call, Serialization.WRITE);
			}
			return false;
		}
		finally {
			buffers.release(out);
		}
	}

	/** Code of the application that threw where nobody expects it, as in getMessage(). */
	static void unexpected(ServerCall call, Throwable cause) {
		if (!call.responseStarted) {
			endUnexpected(call, cause);
		}
		log(call, cause);
	}

	private static void endUnexpected(ServerCall call, Throwable cause) {
		if (call.oneWay) {
			call.finishWithoutReply(RpcStatus.INTERNAL);
			return;
		}
		try {
			int flags = call.invoked ? 0 : FrameHeader.FLAG_NOT_EXECUTED;
			fail(call, RpcStatus.INTERNAL, flags,
					"the server could not answer because of " + cause.getClass().getName(), "");
		}
		catch (Throwable ex) { // no memory for it: the end of the connection says so
			if (!call.responseStarted) {
				call.finishWithoutReply(RpcStatus.INTERNAL);
			}
			call.connection.closeNow();
			throw ex;
		}
	}

	private static void fail(ServerCall call, RpcStatus why, int flags, String message, String type) {
		boolean granted = FrameType.needsGrant(FrameType.RESPONSE, flags);
		int most = granted ? call.connection.maxResponse : FrameType.MAX_CONTROL_BODY;
		byte[] section = attachments(call, most);
		byte[] body = Failure.fitting(message, type, most - section.length).encode();
		byte[] all = Arrays.copyOf(section, section.length + body.length);
		System.arraycopy(body, 0, all, section.length, body.length);
		call.send(why, (section.length > 0) ? flags | FrameHeader.FLAG_ATTACHMENTS : flags, all);
	}

	/** A failure goes without them if they do not fit. */
	private static byte[] attachments(ServerCall call, int most) {
		ServerCallContext context = call.context;
		try {
			return (context != null) ? context.section(most / 2) : new byte[0];
		}
		catch (SerializationException ex) {
			log(call, ex);
			return new byte[0];
		}
	}

	static void log(ServerCall call, @Nullable Throwable thrown) {
		call.connection.server.undeclared.log(call.method, thrown, traceId(call));
	}

}
