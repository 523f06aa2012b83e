package io.rpcboot.server;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.Failure;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.internal.transport.Admission;
import io.rpcboot.internal.transport.WriteQueue;
import io.rpcboot.serialization.MessageTooLargeException;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * One call at the server: the task that runs it and the frame that answers it. Stop
 * before: worker pool; stop after: write queue.
 */
final class ServerCall extends WriteQueue.Frame implements Runnable {

	private static final byte[] EMPTY = new byte[0];

	private final ServerConnection connection;

	private final ServerMethod method;

	private final boolean oneWay;

	private final int requestSize;

	private final int offset;

	private final long startNanos;

	private final long allowedNanos;

	private volatile boolean cancelled;

	private volatile @Nullable Future<?> running;

	private boolean answered;

	private RpcStatus status = RpcStatus.OK;

	ServerCall(ServerConnection connection, ServerMethod method, boolean oneWay, long callId, byte[] body, int offset,
			long allowedNanos) {
		super(FrameType.RESPONSE, body);
		this.connection = connection;
		this.method = method;
		this.oneWay = oneWay;
		this.callId = callId;
		this.requestSize = body.length;
		this.offset = offset;
		this.startNanos = System.nanoTime();
		this.allowedNanos = allowedNanos;
	}

	/** Run the call. Worker thread. */
	@Override
	public void run() {
		guarded(this::execute);
	}

	/** Whatever the application's code throws where nobody expects it: the call ends. */
	private void guarded(Runnable step) {
		try {
			step.run();
		}
		catch (Throwable ex) {
			if (!this.answered) {
				fail(RpcStatus.INTERNAL, 0, "the server could not answer because of " + ex.getClass().getName(), "");
			}
			this.connection.logUndeclared(this.method.descriptor(), ex);
		}
	}

	private void execute() {
		if (this.cancelled) {
			end(RpcStatus.CANCELLED);
			return;
		}
		if (System.nanoTime() - this.startNanos > this.allowedNanos) {
			refuse(RpcStatus.DEADLINE_EXCEEDED, "its time was over before a thread of the server took it");
			return;
		}
		@Nullable Object[] arguments;
		try {
			arguments = this.method.codec()
				.deserializeArguments(this.body, this.offset, this.body.length - this.offset);
		}
		catch (SerializationException ex) {
			refuse(RpcStatus.INVALID_ARGUMENT, "the server cannot read the arguments: " + ex.getMessage());
			return;
		}
		catch (RuntimeException | StackOverflowError ex) {
			refuse(RpcStatus.INVALID_ARGUMENT, "the server cannot read the arguments: " + ex.getClass().getName());
			return;
		}
		try {
			Object result = this.method.descriptor().method().invoke(this.method.implementation().get(), arguments);
			if (this.method.descriptor().style() == Style.FUTURE && result instanceof CompletionStage<?> stage) {
				answerWhenComplete(stage);
			}
			else {
				answer(result);
			}
		}
		catch (InvocationTargetException ex) {
			answerException(ex.getCause());
		}
		catch (Throwable ex) {
			answerException(ex);
		}
	}

	private void answerWhenComplete(CompletionStage<?> stage) {
		if (stage instanceof Future<?> future) {
			this.running = future;
			if (this.cancelled) {
				cancelRunning();
			}
		}
		stage.whenComplete((result, failure) -> guarded(() -> {
			if (failure == null) {
				answer(result);
			}
			else {
				answerException((failure instanceof CompletionException && failure.getCause() != null)
						? failure.getCause() : failure);
			}
		}));
	}

	private void answer(@Nullable Object result) {
		if (this.oneWay) {
			end(RpcStatus.OK);
			return;
		}
		OutputBuffer out = this.connection.buffers().acquire();
		try {
			this.method.codec().serializeResult(result, out);
			send(RpcStatus.OK, 0, out);
		}
		catch (SerializationException ex) {
			fail(RpcStatus.INTERNAL, 0, "the result cannot be carried: " + explain(ex), "");
		}
		finally {
			this.connection.buffers().release(out);
		}
	}

	private void answerException(@Nullable Throwable thrown) {
		if (this.cancelled) {
			end(RpcStatus.CANCELLED);
			return;
		}
		if (this.oneWay) {
			this.connection.logUndeclared(this.method.descriptor(), thrown);
			end(RpcStatus.APPLICATION);
			return;
		}
		if (thrown == null || !answerDeclared(thrown)) {
			this.connection.logUndeclared(this.method.descriptor(), thrown);
			fail(RpcStatus.APPLICATION, 0, (thrown != null) ? String.valueOf(thrown.getMessage()) : "",
					(thrown != null) ? thrown.getClass().getName() : "");
		}
	}

	private boolean answerDeclared(Throwable thrown) {
		OutputBuffer out = this.connection.buffers().acquire();
		try {
			if (!this.method.codec().serializeException(thrown, out)) {
				return false;
			}
			send(RpcStatus.APPLICATION, FrameHeader.FLAG_DECLARED_EXCEPTION, out);
			return true;
		}
		catch (SerializationException ex) {
			return false;
		}
		finally {
			this.connection.buffers().release(out);
		}
	}

	private void send(RpcStatus outcome, int flagsOfReply, OutputBuffer out) {
		if (out.length() > this.connection.maxResponse()) {
			throw new MessageTooLargeException(this.connection.maxResponse());
		}
		send(outcome, flagsOfReply, out.toByteArray());
	}

	/** It is certain that the method did not run. */
	void refuse(RpcStatus why, String message) {
		if (this.oneWay) {
			end(why);
		}
		else {
			fail(why, FrameHeader.FLAG_NOT_EXECUTED, message, "");
		}
	}

	private void fail(RpcStatus why, int flagsOfReply, String message, String type) {
		send(why, flagsOfReply, Failure.fitting(message, type, this.connection.maxResponse()).encode());
	}

	private void send(RpcStatus outcome, int flagsOfReply, byte[] reply) {
		this.status = outcome;
		this.code = (outcome == RpcStatus.OK) ? 0 : outcome.code();
		this.flags = flagsOfReply;
		this.body = reply;
		enqueue();
	}

	/** Only once: a frame in two queues would break both. */
	private void enqueue() {
		this.answered = true;
		this.method.calls().increment();
		this.connection.enqueue(this);
	}

	/** Nothing is answered; the connection still has to learn that the call is over. */
	private void end(RpcStatus outcome) {
		this.status = outcome;
		this.type = 0;
		this.body = EMPTY;
		enqueue();
	}

	@Override
	protected Admission begin(boolean writable) {
		if (!writable) {
			return Admission.HOLD;
		}
		this.connection.release(this);
		this.method.recorder().record(this.status, System.nanoTime() - this.startNanos);
		if (this.type == 0 || this.cancelled) {
			this.connection.callEnded();
			return Admission.SKIP;
		}
		return Admission.WRITE;
	}

	@Override
	protected boolean wantsOutcome() {
		return true;
	}

	@Override
	protected void outcome(boolean written) {
		this.connection.callEnded();
	}

	@Override
	protected void rejected() {
		this.method.recorder().record(RpcStatus.CANCELLED, System.nanoTime() - this.startNanos);
		this.connection.callEnded();
	}

	/** The caller no longer waits. */
	void cancel() {
		this.cancelled = true;
		if (this.running != null) {
			this.connection.runLater(this::cancelRunning);
		}
	}

	/** On a worker, for what depends on the future is the application's code. */
	private void cancelRunning() {
		Future<?> future = this.running;
		try {
			if (future != null) {
				future.cancel(true);
			}
		}
		catch (RuntimeException ex) {
			this.connection.logUndeclared(this.method.descriptor(), ex);
		}
	}

	private static String explain(SerializationException failure) {
		return (failure instanceof MessageTooLargeException tooLarge)
				? "max-frame-size: it takes more than %d bytes; return less or raise it on both sides"
					.formatted(tooLarge.limit())
				: String.valueOf(failure.getMessage());
	}

	int requestSize() {
		return this.requestSize;
	}

	long id() {
		return this.callId;
	}

}
