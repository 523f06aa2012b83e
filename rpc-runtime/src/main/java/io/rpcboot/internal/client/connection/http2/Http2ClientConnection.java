package io.rpcboot.internal.client.connection.http2;

import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

import io.netty.buffer.ByteBuf;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.ContractCall;
import io.rpcboot.internal.client.call.ErrorReply;
import io.rpcboot.internal.client.call.ReplyReader;
import io.rpcboot.internal.client.call.PassedCall;
import io.rpcboot.internal.client.call.StreamCall;
import io.rpcboot.internal.client.connection.ClientConnection;
import io.rpcboot.internal.client.connection.ConnectionObserver;
import io.rpcboot.internal.client.connection.ContractComparisons;
import io.rpcboot.internal.client.contract.ServiceBinding;
import io.rpcboot.internal.client.runtime.ClientResources;
import io.rpcboot.internal.client.security.ConnectionSecurity;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.protocol.grpc.ContractField;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.http2.Http2FrameReader;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.internal.stream.OpenStreams;
import io.rpcboot.internal.transport.connection.CallTotals;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.InboundHandler;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.http2.Http2Handler;
import io.rpcboot.internal.transport.http2.Http2Output;
import io.rpcboot.internal.transport.http2.Http2Stream;
import io.rpcboot.internal.transport.http2.message.InboundMemory;
import io.rpcboot.internal.transport.http2.message.MessageStream;
import org.jspecify.annotations.Nullable;

/**
 * Client side of a connection to a gRPC server: opens a stream for each call, obeys the
 * limits of the server, and completes calls. {@link Http2ClientFrames} receives the
 * frames.
 */
final class Http2ClientConnection extends ClientConnection implements MessageStream.Owner, ContractComparisons.Source {

	/** Streams that may be open before the server tells its limit (RFC 9113, 6.5.2). */
	private static final int FIRST_STREAMS = 100;

	/** Highest number of a stream: then another connection takes the calls. */
	private static final int LAST_STREAM = 1 << 29;

	/** Consumed bytes of replies that wake the event loop to release them. */
	private static final int RELEASE_STEP = 32 * 1024;

	final Http2Output output;

	final RequestHeaders requests;

	/** Header fields of the response that is being read. */
	ResponseFields responses = new ResponseFields();

	final ReplyBuffer replies = new ReplyBuffer();

	private final ContractComparisons contracts;

	private final Function<ServiceBinding, List<String>> paths;

	private final ConnectionObserver owner;

	private final Http2Handler handler;

	private final InboundMemory memory;

	/** Streams that are open. */
	private final CallTable<Http2ClientStream> streams = new CallTable<>();

	/** Reply bytes that callers have consumed since the last release. Any thread. */
	private final AtomicLong consumedBytes = new AtomicLong();

	/** Streams that the server allows. Written by the event loop. */
	private volatile long maxStreams = FIRST_STREAMS;

	/**
	 * True once the server will leave; it does not tell which streams it still serves.
	 */
	private boolean leaves;

	final PingLimiter pings = new PingLimiter();

	Http2ClientConnection(Connection connection, ConnectionObserver owner, ClientResources client,
			ConnectionSecurity security, Function<ServiceBinding, List<String>> paths, ContractComparisons contracts) {
		super(connection, owner, client, security);
		this.owner = owner;
		this.paths = paths;
		this.contracts = contracts;
		this.output = new Http2Output(this.queue);
		this.requests = new RequestHeaders(this.output.writer, owner.authority().toString(), connection.isEncrypted(),
				client.options().applicationName, security.credentials());
		this.memory = new InboundMemory(client.memory().account(),
				(number) -> connection.execute(() -> admitMemory(number)), () -> 0);
		Http2ClientFrames frames = new Http2ClientFrames(this, client.options().maxAttachments);
		this.handler = new Http2Handler(connection, frames, (chunk) -> Http2FrameReader.client(chunk,
				ResponseHeaderResolver.INSTANCE, frames.limits.headerList(), System::nanoTime, frames));
	}

	@Override
	public InboundHandler handler() {
		return this.handler;
	}

	@Override
	protected OutboundFrame frame(ClientCall call) {
		return (call instanceof StreamCall || call instanceof ContractCall || call instanceof PassedCall)
				? special(call) : new Http2ClientStream(this, call);
	}

	private OutboundFrame special(ClientCall call) {
		return (call instanceof StreamCall streamed) ? new StreamedExchange(this, streamed)
				: (call instanceof ContractCall ask) ? new ContractQuery(this, ask)
						: new PassedExchange(this, (PassedCall) call);
	}

	/**
	 * Decides whether a stream opens now.
	 * @return WRITE once it is open; SKIP if its call goes elsewhere
	 */
	WriteDecision admit(Http2ClientStream stream, boolean writable) {
		ClientCall call = stream.call;
		if (call.isAbandoned()) {
			return WriteDecision.SKIP;
		}
		if (this.draining || (this.leaves && isUpload(call))) {
			call.reference.dispatchAgain(call, RedispatchReason.GO_AWAY);
			return WriteDecision.SKIP;
		}
		if (isBehindOthers(call)
				|| (this.shares != null && this.shares.isUsedUp(call.reference.resources().index, freeCalls()))) {
			return putBack(call, false);
		}
		if (freeCalls() <= 0 || !writable) {
			return putBack(call, true);
		}
		long remainingNanos = call.deadlineNanos() - this.queue.drainNanos();
		if (call.isAsynchronous() && remainingNanos <= 0) {
			call.expire();
			return WriteDecision.SKIP;
		}
		if (!call.markSent(this.lastCallId + 1, remainingNanos)) {
			return WriteDecision.SKIP;
		}
		this.lastCallId++;
		stream.open((int) (2 * this.lastCallId - 1));
		this.streams.put(stream);
		begins(call); // one-way calls, too: the server answers them
		if (this.lastCallId >= LAST_STREAM) {
			this.owner.onOld(true);
			this.drain.drainAfter(Long.MAX_VALUE);
		}
		return WriteDecision.WRITE;
	}

	/**
	 * Returns true for a call that is not sent elsewhere if the server does not serve it.
	 */
	private static boolean isUpload(ClientCall call) {
		return call instanceof PassedCall || (call instanceof StreamCall streamed && streamed.hasStreamedRequest());
	}

	@Override
	protected long freeCalls() {
		return this.life.isReady() ? this.maxStreams - this.streams.size() : 0;
	}

	@Override
	protected boolean canWrite() {
		return !this.draining && freeCalls() > 0 && this.queue.isWritable();
	}

	@Override
	protected boolean longCallsWait() {
		return this.output.window() <= 0;
	}

	/** Completes the call of a stream with a reply. */
	void complete(Http2ClientStream stream, RpcStatus outcome, @Nullable ReplyReader reader, byte[] reply, int length) {
		ClientCall call = take(stream);
		if (call == null) {
			afterAnswer();
			return;
		}
		if (!stream.isStreaming()) {
			answered(call, outcome);
		}
		if (this.recorded != null) {
			this.recorded.carried(call.method.recorder, call.length(), length);
		}
		this.memory.keep(length);
		if (!call.completeWithReply(outcome, reader, reply, 0, length, !this.replies.owns(reply))) {
			consumed(length);
		}
		afterAnswer();
	}

	/**
	 * Ends the call of a stream with an error.
	 * @param status counted for the server
	 */
	void end(Http2ClientStream stream, RpcStatus status, ErrorReply error) {
		ClientCall call = take(stream);
		if (call == null) {
			afterAnswer();
			return;
		}
		if (!stream.isStreaming()) {
			answered(call, status);
		}
		if (status == RpcStatus.UNAUTHENTICATED) {
			this.requests.unauthenticated(call, error.execution());
		}
		if (!error.execution().mayHave()) {
			notServed(call, error.message());
		}
		call.onError(error);
		afterAnswer();
	}

	/**
	 * Takes a call back that the server has refused, because it has another contract.
	 * @param told hash of that contract
	 */
	void contractRefused(Http2ClientStream stream, String told) {
		ClientCall call = take(stream);
		if (call != null && this.shares != null) {
			this.shares.ends(call.reference.resources().index);
		}
		afterAnswer();
		if (call instanceof ContractCall) {
			call.fail(RpcStatus.FAILED_PRECONDITION, "the server refuses to tell its contract");
		}
		else if (call != null) {
			this.contracts.refused(this, this.requests.binding(call), call, told);
		}
	}

	@Override
	public void ask(ClientCall refused, BiConsumer<@Nullable String, String> then) {
		ContractCall query = new ContractCall(refused, (reply, failure) -> {
			String text = null;
			String problem = (failure != null) ? String.valueOf(failure.getMessage()) : "";
			try {
				text = (reply != null) ? ContractField.text(reply) : null;
			}
			catch (GrpcException ex) {
				problem = "its reply is no message of protobuf";
			}
			then.accept(text, problem);
		});
		if (!query.sendTo(this)) {
			query.fail(RpcStatus.UNAVAILABLE, "the connection was lost");
		}
	}

	/** Stream of a call that asks for the contract of a service. */
	private static final class ContractQuery extends Http2ClientStream {

		ContractQuery(Http2ClientConnection connection, ContractCall call) {
			super(connection, call);
		}

		@Override
		protected void writeHeaders(ByteBuf out) {
			this.connection.requests.writeQuery(out, this.streamId, this.call);
		}

	}

	/** Counts a one-way call whose deadline has ended it, and that has not run. */
	private void notServed(ClientCall call, String why) {
		if (call.isOneWay() && call.isAbandoned() && call.failure == null) {
			this.client.counts().oneWayNotServed(call.method.descriptor, why);
		}
	}

	/** Removes a stream. Returns its call, null if it has ended. */
	private @Nullable ClientCall take(Http2ClientStream stream) {
		if (this.streams.remove(stream.id()) == null) {
			return null;
		}
		stream.onRemoved();
		stream.ended();
		this.replies.ended(stream);
		this.output.blocked.unblock(stream);
		streamEnded();
		return stream.isStreaming() ? stream.call : this.pending.remove(stream.id());
	}

	/**
	 * Counts a call out whose response has begun: its stream stays open.
	 * @param allowedNanos time from the start of the call, {@link Long#MAX_VALUE} for any
	 * @param timer receives the timer of the deadline
	 * @return false if another connection has the call meanwhile
	 */
	boolean streams(Http2ClientStream stream, long allowedNanos, Consumer<Future<?>> timer) {
		ClientCall call = this.pending.remove(stream.id());
		if (call == null) {
			return false;
		}
		answered(call, RpcStatus.OK);
		if (allowedNanos != Long.MAX_VALUE) {
			timer.accept(this.connection.loop()
				.schedule(call::expire, allowedNanos - (System.nanoTime() - call.startNanos), TimeUnit.NANOSECONDS));
		}
		return true;
	}

	/** Returns true if the call of a stream is here: pending, or its reply has begun. */
	boolean has(Http2ClientStream stream) {
		return stream.isStreaming() || this.pending.get(stream.id()) == stream.call;
	}

	/** Forgets a stream that was reset. */
	void forget(Http2ClientStream stream) {
		this.streams.remove(stream.id());
		abandon(stream);
		streamEnded();
		afterAnswer();
	}

	@Override
	protected boolean hasOpenStreams() {
		return this.streams.size() > 0;
	}

	/** Lets another stream take the place of one that has ended. */
	private void streamEnded() {
		if (this.shares != null) {
			this.shares.allowed(Integer.MAX_VALUE, freeCalls());
		}
		if (this.needsNoWakeUp) {
			this.queue.pull();
		}
	}

	private void afterAnswer() {
		if (this.draining) {
			this.drain.closeWhenDrained();
		}
	}

	/** Opens the connection: its socket is connected. */
	void opened() {
		if (endsWithoutTls()) {
			return;
		}
		this.owner.bindings().forEach(this::bind);
		this.life.opened();
	}

	/** Begins a read. */
	void reads(long nanos) {
		this.readNanos = nanos;
	}

	/** Ends a read. */
	void readsNoMore() {
		readCompleted();
		if (this.consumedBytes.get() >= RELEASE_STEP) {
			releaseConsumed();
		}
	}

	/**
	 * Adopts SETTINGS of the server; the first ones end the handshake.
	 * @return number of streams whose window has changed
	 */
	int settings(Http2Settings settings) {
		this.maxStreams = settings.get(Http2Settings.MAX_CONCURRENT_STREAMS,
				this.life.isReady() ? this.maxStreams : Integer.MAX_VALUE);
		int difference = this.output.onSettings(settings);
		if (difference != 0) {
			this.streams.forEach((stream) -> stream.changeWindow(difference));
		}
		if (!this.life.isReady()) {
			this.life.ready("");
			this.owner.onReady();
		}
		this.queue.pull();
		return (difference != 0) ? this.streams.size() : 0;
	}

	/**
	 * Leaves the server.
	 * @param last number of the last stream that it serves, {@link Long#MAX_VALUE} if it
	 * still takes streams
	 */
	void leave(long last, String reason) {
		this.connection.goesAway();
		this.life.endsBecause(reason);
		this.streams.forEach(Http2ClientStream::onDrain);
		if (last == Long.MAX_VALUE) {
			this.leaves = true;
			this.owner.onOld(false);
			return;
		}
		this.owner.onDraining(reason, this.lastCallId > 0);
		this.streams.removeIf((stream) -> stream.id() > last).forEach((stream) -> {
			notServed(stream.call, "the server ends the connection and has not run it");
			abandon(stream);
			stream.lost("the server ends the connection");
		});
		this.drain.drainAfter(last);
	}

	private void abandon(Http2ClientStream stream) {
		stream.reset = true;
		stream.ended();
		stream.onRemoved();
		this.output.blocked.unblock(stream);
	}

	/** Ends with the connection. */
	void closed(@Nullable Throwable cause) {
		this.streams.removeIf((stream) -> true).forEach(Http2Stream::onConnectionClosed);
		this.memory.close();
		this.life.closed(cause, () -> {
		});
	}

	/** Ends the connection for a reason, behind all frames. */
	void endAfterFlush(String reason) {
		this.life.endsBecause(reason);
		this.drain.drainAfter(Long.MAX_VALUE);
		this.output.afterFlush(this.connection::close);
		this.connection.loop().schedule(this.connection::close, 1, TimeUnit.SECONDS);
	}

	/** Returns the stream with a number, null if it has ended. */
	@Nullable Http2ClientStream stream(int number) {
		return this.streams.get(number);
	}

	/** Returns the number of the last stream. */
	long lastStream() {
		return this.lastCallId;
	}

	@Override
	public void consumed(long bytes) {
		long all = this.consumedBytes.addAndGet(bytes);
		if (all >= RELEASE_STEP && all - bytes < RELEASE_STEP) {
			this.connection.execute(this::releaseConsumed);
		}
	}

	private void releaseConsumed() {
		this.memory.release((int) this.consumedBytes.getAndSet(0));
	}

	private void admitMemory(long number) {
		InboundMemory.Request stream = this.memory.admit(number);
		if (stream != null) {
			stream.onMemory();
		}
	}

	OpenStreams openStreams() {
		return this.client.streams();
	}

	MemoryBudget budget() {
		return this.client.memory().account();
	}

	@Override
	public InboundMemory memory() {
		return this.memory;
	}

	@Override
	public int maxMessage() {
		return this.client.options().maxFrameSize;
	}

	@Override
	public Side side() {
		return Side.CLIENT;
	}

	@Override
	public long readNanos() {
		return this.readNanos;
	}

	@Override
	public void cancelRemote(ClientCall call) {
		this.connection.execute(() -> {
			Http2ClientStream stream = this.streams.get(call.id());
			if (stream == null || stream.call != call || !has(stream)) {
				return;
			}
			if (!stream.isStreaming()) {
				this.drain.cancelled(call);
			}
			cancel(stream.id());
		});
	}

	@Override
	protected void cancel(long id) {
		Http2ClientStream stream = this.streams.remove(id);
		if (stream != null) {
			stream.cancel();
			abandon(stream);
			streamEnded();
			this.queue.pull();
			afterAnswer();
		}
	}

	@Override
	public void onAbandoned(ClientCall call) {
		this.queue.pull();
	}

	@Override
	public void bind(ServiceBinding binding) {
		this.requests.add(binding, this.paths.apply(binding), this.contracts.told(binding));
	}

	@Override
	protected boolean wantsProbe() {
		return this.streams.size() > 0;
	}

	@Override
	public boolean probe() {
		if (this.pings.tryAcquire(System.nanoTime())) {
			this.output.control((writer, out) -> writer.ping(out, 1));
			return true;
		}
		return this.pings.isUnanswered();
	}

	@Override
	protected void onKeepAlive() {
		releaseConsumed();
	}

	@Override
	public long sentBytes() {
		return this.output.sent();
	}

	@Override
	public CallTotals totals() {
		return new CallTotals(this.lastCallId + Math.max(0, this.maxStreams - this.streams.size()), this.lastCallId,
				this.output.sent() + this.output.window(), this.output.sent(), this.pending.size(), 0,
				this.memory.reserved());
	}

	@Override
	public String peer() {
		return this.peer;
	}

}
