package io.rpcboot.internal.transport.http2.message;

import java.util.Locale;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.internal.protocol.grpc.GrpcException;
import io.rpcboot.internal.protocol.grpc.MessagePrefix;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.protocol.http2.Http2Limits;
import io.rpcboot.internal.transport.http2.Http2Output;
import io.rpcboot.internal.transport.http2.Http2Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stream with prefixed messages in both directions: finds their bounds in DATA, and
 * reserves memory for them. Event loop only.
 */
public abstract class MessageStream extends Http2Stream implements InboundMemory.Request {

	/** Connection of the streams. */
	public interface Owner {

		/** Returns the memory of messages. */
		InboundMemory memory();

		/** Returns the longest message in bytes. */
		int maxMessage();

		/** Returns the side that receives. */
		Side side();

		/**
		 * Watches from now on that messages arrive with the least rate. A client does
		 * not, because its calls have deadlines.
		 */
		default void watchRate() {
		}

		/** Returns the time of the current read, as {@link System#nanoTime()}. */
		long readNanos();

		/**
		 * Counts the memory of a frame that is incomplete, see
		 * {@link InboundMemory#holds}.
		 * @throws Http2Exception in scope of the connection if there is no memory
		 */
		default void holds(int bytes, long number, boolean wasServed) {
			if (!memory().holds(bytes, number, wasServed)) {
				throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM,
						noMemory(this) + ", and a frame is incomplete");
			}
			if (bytes > 0) {
				watchRate();
			}
		}

	}

	private static final int WINDOW = Http2Limits.STREAM_WINDOW;

	/** Smallest space for a message that arrives in pieces, in bytes. */
	private static final int MIN_SPACE = 256;

	/** Space for a message, in bytes that have arrived; all of WINDOW from 16 KiB on. */
	private static final int SPACE_FACTOR = 4;

	/** True if the peer names an encoding of its messages. */
	private boolean encoded;

	/** Reserved bytes of messages. */
	private int taken;

	/** True while the messages in DATA are read. */
	private boolean reading;

	/** True if the window is to be restored at the end of DATA. */
	private boolean restores;

	/** Message that has not arrived completely, null between messages. */
	private @Nullable InboundMessage message;

	/** True if the message that arrives is all that the peer sends. */
	private boolean endsAtHalfClose;

	/** True if the message of this side is compressed. */
	private boolean compressed;

	/** True if the body is several messages, with their prefixes. */
	private boolean prefixed;

	/**
	 * Creates a stream that is not open yet.
	 * @param allowedNanos time allowed from now on; {@link Long#MAX_VALUE} without a
	 * deadline
	 */
	protected MessageStream(Owner owner, Http2Output output, long allowedNanos) {
		super(output, owner.readNanos(), allowedNanos);
	}

	/**
	 * Creates a stream that the peer has opened.
	 * @param streamId its id, an odd number
	 * @param allowedNanos time allowed from now on; {@link Long#MAX_VALUE} without a
	 * deadline
	 */
	@SuppressWarnings("this-escape")
	protected MessageStream(Owner owner, Http2Output output, int streamId, long allowedNanos) {
		this(owner, output, allowedNanos);
		open(streamId);
	}

	/**
	 * Sets what HEADERS tell of the messages.
	 * @param hasEncoding true if messages may be compressed
	 * @param length bytes of all DATA, -1 if unknown
	 */
	protected final void announced(boolean hasEncoding, long length) {
		this.encoded = hasEncoding;
		announced(length);
	}

	/**
	 * Takes the whole body as one message without a prefix, and sends one so. Once,
	 * behind {@link #announced}.
	 * @param length bytes of the body, -1 if its end tells
	 */
	protected final void withoutPrefix(boolean isCompressed, long length) {
		this.prefixed = true;
		if (length > owner().maxMessage()) {
			rejectTooLong(String.valueOf(length));
		}
		else if (length != 0) {
			InboundMessage body = new InboundMessage(owner().readNanos());
			body.withoutPrefix(isCompressed, (length > 0) ? (int) length : owner().maxMessage() + 1);
			this.message = body;
			this.endsAtHalfClose = length < 0;
		}
	}

	private void rejectTooLong(String length) {
		GrpcException why = GrpcException.tooLong(length, owner().maxMessage(), owner().side());
		reject(why.status(), String.valueOf(why.getMessage()));
	}

	@Override
	protected final int prefixLength() {
		return this.prefixed ? 0 : MessagePrefix.LENGTH;
	}

	/**
	 * Begins the next body of those that wait, which may be several messages.
	 * @return false if none waits
	 */
	protected final boolean nextBody(OutboundMessages messages) {
		byte[] next = messages.next();
		if (next == null) {
			return false;
		}
		this.prefixed = messages.isPrefixed();
		this.compressed = !this.prefixed && messages.isCompressed(next);
		nextBody(next);
		return true;
	}

	/** Begins a body that has its prefix, or needs none. */
	protected final void nextPrefixed(byte[] body) {
		this.prefixed = true;
		nextBody(body);
	}

	/** Begins this side without a message: HEADERS are alone. */
	protected final void withoutMessage() {
		this.prefixed = true;
	}

	@Override
	protected final void writePrefix(ByteBuf out, int from, int to) {
		int flag = this.compressed ? 1 : 0;
		if (to - from == MessagePrefix.LENGTH) {
			out.writeByte(flag).writeInt(this.length);
			return;
		}
		for (int at = from; at < to; at++) {
			out.writeByte((at == 0) ? flag : this.length >>> (Byte.SIZE * (MessagePrefix.LENGTH - 1 - at)));
		}
	}

	protected final boolean isCompressed() {
		return this.compressed;
	}

	/** Marks the message as compressed. */
	protected final void compressed() {
		this.compressed = true;
	}

	/** Returns the connection, which subclasses have in a field of its type. */
	protected abstract Owner owner();

	@Override
	protected void onBody(byte[] in, int from, int to) {
		int at = from;
		this.reading = true;
		while (at < to && !this.discards) {
			at = (this.message == null) ? begin(in, at, to) : resume(this.message, in, at, to);
		}
		this.reading = false;
		if (this.remoteClosed) {
			end();
		}
		else if (this.message != null) {
			continues(this.message);
		}
		if (this.restores) {
			restoreWindow();
		}
	}

	/** Lets the rest of a message arrive. */
	private void continues(InboundMessage arriving) {
		if (this.endsAtHalfClose) {
			if (receiveWindow() < WINDOW / 2) {
				raiseWindow(Math.min(remaining(), WINDOW));
			}
			return;
		}
		if (isReserved(arriving)) {
			raiseWindow(remaining());
		}
		this.restores |= lacksWindow(arriving);
	}

	/**
	 * Returns true if messages before a long one have taken a part of its window, which
	 * was given back too early to be raised then.
	 */
	private boolean lacksWindow(InboundMessage arriving) {
		return !this.discards && receiveWindow() == 0
				&& WINDOW - arriving.filled() - unconsumedBytes() > MessagePrefix.LENGTH;
	}

	private void end() {
		if (this.discards) {
			return;
		}
		InboundMessage arriving = this.message;
		if (arriving != null && !this.endsAtHalfClose) {
			reject(RpcStatus.INTERNAL, "the stream ends within a message");
			return;
		}
		if (arriving != null && arriving.filled() > 0) {
			complete(arriving);
		}
		onHalfClose();
	}

	/** Returns true if the rest of a message may arrive. */
	private boolean isReserved(InboundMessage arriving) {
		return arriving.hasPrefix() && (arriving.length() <= WINDOW || owner().memory().arriving() == this);
	}

	private int begin(byte[] in, int at, int end) {
		if (end - at >= MessagePrefix.LENGTH) {
			long length = InboundMessage.length(in, at);
			int start = at + MessagePrefix.LENGTH;
			if (length <= end - start) {
				if (admits(in, at) && reserves((int) length)) {
					boolean isLast = this.remoteClosed && start + length == end;
					onMessage(in[at] != 0, in, start, (int) length, isLast);
				}
				return start + (int) length;
			}
		}
		this.message = new InboundMessage(owner().readNanos());
		return resume(this.message, in, at, end);
	}

	/** Takes bytes of an incomplete message. Returns the index behind them. */
	private int resume(InboundMessage arriving, byte[] in, int from, int end) {
		int at = from;
		if (!arriving.hasPrefix()) {
			at += arriving.takePrefix(in, at, end - at);
			if (!arriving.hasPrefix()) {
				return at;
			}
			if (!admits(arriving.prefix(), 0)) {
				return end;
			}
		}
		int count = (int) Math.min(end - at, arriving.length() - arriving.filled());
		if (!hasSpace(arriving, count)) {
			return end;
		}
		arriving.take(in, at, count);
		if (arriving.isComplete()) {
			if (this.endsAtHalfClose) {
				rejectTooLong(owner().maxMessage() + " or more");
				return end;
			}
			complete(arriving);
		}
		return at + count;
	}

	private void complete(InboundMessage arrived) {
		this.message = null;
		owner().memory().leave(this);
		onMessage(arrived);
	}

	/**
	 * Makes space for bytes that have arrived, and for some more: a peer that announces a
	 * long message and sends little of it takes little memory.
	 * @return false if the stream was rejected
	 */
	private boolean hasSpace(InboundMessage arriving, int count) {
		int needed = arriving.filled() + count;
		if (needed <= arriving.capacity()) {
			return true;
		}
		int unasked = Math.max(WINDOW, needed + receiveWindow());
		long most = this.endsAtHalfClose ? arriving.length() : Math.min(unasked, arriving.length());
		int space = (int) Math.min(most, Math.max(MIN_SPACE, (long) SPACE_FACTOR * needed));
		boolean isLong = most < arriving.length();
		if (isLong && space > WINDOW / 2) {
			space = unasked; // it awaits the memory for all with this space
		}
		if (!reserves(space - arriving.capacity())) {
			return false;
		}
		arriving.allocate(space);
		if (isLong && space == unasked) {
			return owner().memory().await(this, space) || rejectForMemory();
		}
		owner().memory().arrives(this);
		owner().watchRate();
		return true;
	}

	/** Returns the longest message that the method takes, in bytes. */
	protected int longestMessage() {
		return Integer.MAX_VALUE;
	}

	/** Checks a prefix. Returns false if the stream was rejected. */
	private boolean admits(byte[] prefix, int offset) {
		try {
			int length = MessagePrefix.length(prefix, offset, owner().maxMessage(), owner().side());
			if (length > longestMessage()) {
				reject(RpcStatus.INVALID_ARGUMENT,
						"a message of %d bytes (expected: at most %d)".formatted(length, longestMessage()));
				return false;
			}
			MessagePrefix.isCompressed(prefix, offset, this.encoded);
			return true;
		}
		catch (GrpcException ex) {
			reject(ex.status(), String.valueOf(ex.getMessage()));
			return false;
		}
	}

	/** Reserves memory until the stream ends. Returns false if it was rejected. */
	public final boolean reserves(int bytes) {
		if (bytes > 0 && !owner().memory().take(bytes)) {
			return rejectForMemory();
		}
		this.taken += bytes;
		return true;
	}

	private boolean rejectForMemory() {
		refuse(RpcStatus.RESOURCE_EXHAUSTED, noMemory(owner()));
		return false;
	}

	private static String noMemory(Owner owner) {
		return "rpc.%s.memory.limit: all memory for messages is in use"
			.formatted(owner.side().name().toLowerCase(Locale.ROOT));
	}

	@Override
	public final int missingMemory() {
		return (this.message != null) ? (int) this.message.length() - this.message.capacity() : 0;
	}

	@Override
	public final void onMemory() {
		InboundMessage arriving = this.message;
		if (arriving != null) {
			this.taken += missingMemory(); // of the space that it has until now
			arriving.allocate((int) arriving.length());
			arriving.continues(System.nanoTime());
			raiseWindow(remaining());
		}
	}

	/** Returns the bytes of the message that have not arrived. */
	private int remaining() {
		return (this.message != null) ? (int) this.message.length() - this.message.filled() : 0;
	}

	/**
	 * Gives the window of a stream of messages back, at the end of DATA: the next message
	 * may begin in it. Of a long one this side keeps WINDOW bytes until it has memory, or
	 * more if the window was wider when it began.
	 */
	protected final void restoreWindow() {
		this.restores = this.reading;
		InboundMessage arriving = (this.message != null && this.message.hasPrefix()) ? this.message : null;
		int begun = (arriving != null) ? arriving.filled() : 0;
		int size = (arriving != null && arriving.length() > WINDOW) ? WINDOW : windowBytes();
		int missing = size - begun - unconsumedBytes();
		if (!this.reading && receiveWindow() < missing / 2 && !this.remoteClosed) {
			raiseWindow(missing);
		}
	}

	/**
	 * Returns the bytes that may arrive or wait for their consumer, {@code WINDOW} or
	 * more.
	 */
	protected int windowBytes() {
		return WINDOW;
	}

	/** Returns the bytes of messages that wait for their consumer. */
	protected int unconsumedBytes() {
		return 0;
	}

	/** Hands memory over to a message, which outlives the stream. */
	protected final void handOver(int bytes) {
		this.taken -= bytes;
	}

	@Override
	public final @Nullable InboundMessage message() {
		return this.message;
	}

	/** Returns true if the stream has memory although no message is arriving. */
	protected final boolean holdsMemory() {
		return this.taken > 0 && (this.message == null || this.message.capacity() == 0);
	}

	/** Releases the memory of all messages. */
	protected final void releaseMemory() {
		owner().memory().leave(this);
		owner().memory().release(this.taken);
		this.taken = 0;
		this.message = null;
	}

	/** Drops the message that is arriving: its rest is skipped. */
	protected final void dropMessage() {
		InboundMessage dropped = this.message;
		if (dropped != null) {
			this.message = null;
			owner().memory().leave(this);
			owner().memory().release(dropped.capacity());
			this.taken -= dropped.capacity();
		}
	}

	@Override
	public void onRemoved() {
		releaseMemory();
	}

	/**
	 * Receives a complete message.
	 * @param in holds the message until this method returns
	 * @param isLast true if it ends the stream
	 */
	protected abstract void onMessage(boolean compressed, byte[] in, int offset, int count, boolean isLast);

	/** Receives a complete message, which arrived in pieces. */
	protected abstract void onMessage(InboundMessage complete);

	/** Ends the messages of the peer. */
	protected abstract void onHalfClose();

}
