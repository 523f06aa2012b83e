package io.rpcboot.internal.transport.frame;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A body that is too long for the array of its frame: chunks of direct memory, written by
 * the serializer and handed to the socket without another copy. Every chunk is entered in
 * the account before it is allocated. The first chunk has room for the header of the
 * frame, so that a body of one chunk is one write.
 * <p>
 * For one thread until it is enqueued. It has owners: each gives it back once, the last
 * frees the memory.
 */
public final class ChunkedBody implements OutputBuffer.Overflow {

	private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private static final int SMALLEST_CHUNK = 8 * 1024;

	private static final int LARGEST_CHUNK = 256 * 1024;

	/** Before the body in the first chunk, in bytes; no body counts its headers. */
	public static final int HEADER_ROOM = 2 * FrameHeader.LENGTH + FrameHeader.DEADLINE_LENGTH;

	private final ByteBufAllocator allocator;

	private final MemoryBudget account;

	/** When waiting for memory ends, as {@link System#nanoTime()}. */
	private final long deadlineNanos;

	private final int overdraft;

	private final IntConsumer progress;

	private final List<ByteBuf> chunks = new ArrayList<>(2);

	private final AtomicInteger owners = new AtomicInteger(1);

	/** What the account has for this body. */
	private long entered;

	/** What of it no chunk takes yet. */
	private long unused;

	private int length;

	/** Bytes that are known to follow. */
	private int expected;

	/** Length of its longest value that is a byte array; 0 if there is none. */
	private int valueLength;

	/** Where that ends in the body. */
	private int valueEnd;

	private boolean privileged;

	/** Whether it was written, so that a write may still be reading the header. */
	private boolean written;

	private @Nullable MemoryShortageException shortage;

	/** Bytes at the beginning of the first chunk that are not sent. */
	private int skipped;

	/** What is sent in their place. */
	private byte[] start = OutboundFrame.NOTHING;

	/**
	 * Create an empty body with one owner.
	 * @param memory where chunks come from
	 * @param deadlineNanos when waiting for memory ends, as {@link System#nanoTime()}
	 * @param overdraft the longest body, in bytes, for which the serializing thread
	 * overdraws the account instead of waiting: 0 if it always waits,
	 * {@link Integer#MAX_VALUE} if it must not wait
	 * @param reserved what the account has for it already, in bytes
	 * @param progress told the length whenever it has grown, before memory is asked for
	 */
	public ChunkedBody(BodyAllocator memory, long deadlineNanos, int overdraft, long reserved, IntConsumer progress) {
		this.allocator = memory.allocator();
		this.account = memory.account();
		this.deadlineNanos = deadlineNanos;
		this.overdraft = overdraft;
		this.entered = reserved;
		this.unused = reserved;
		this.progress = progress;
	}

	/** Make the next chunk large enough, and remember where the longest value is. */
	@Override
	public void expect(int gathered, int range, boolean isValue) {
		this.expected = gathered + range;
		if (isValue && range > this.valueLength) {
			this.valueLength = range;
			this.valueEnd = this.length + gathered + range;
		}
	}

	/**
	 * Append bytes.
	 * @param source holds the bytes
	 * @param offset of the first byte
	 * @param length number of bytes
	 * @throws MemoryShortageException if there is no memory in time
	 */
	@Override
	public void write(byte[] source, int offset, int length) {
		this.length += length;
		this.progress.accept(this.length);
		int at = offset;
		int rest = length;
		while (rest > 0) {
			ByteBuf last = this.chunks.isEmpty() ? null : this.chunks.get(this.chunks.size() - 1);
			if (last == null || !last.isWritable()) {
				last = newChunk(Math.max(this.expected, rest));
			}
			int count = Math.min(rest, last.writableBytes());
			last.writeBytes(source, at, count);
			at += count;
			rest -= count;
			this.expected = Math.max(0, this.expected - count);
		}
	}

	private ByteBuf newChunk(int wanted) {
		int size = Math.min(LARGEST_CHUNK, Math.max(SMALLEST_CHUNK, wanted));
		enter(size - Math.min(size, this.unused));
		this.unused -= size;
		int room = this.chunks.isEmpty() ? HEADER_ROOM : 0;
		ByteBuf chunk = this.allocator.directBuffer(room + size, room + size);
		chunk.setIndex(room, room);
		this.chunks.add(chunk);
		return chunk;
	}

	private void enter(long size) {
		if (size > 0 && !this.account.tryReserve(Direction.OUTGOING, size)) {
			enterLate(size);
		}
		this.entered += size;
		this.unused += size;
	}

	private void enterLate(long size) {
		// who holds a part and waits for more could wait for another who does the same
		this.privileged = this.privileged || (this.entered > 0 && this.account.privilege().compareAndSet(false, true));
		if (this.privileged || this.entered + size <= this.overdraft) {
			this.account.overdraw(Direction.OUTGOING, size);
			return;
		}
		try {
			if (reserve(size)) {
				return;
			}
			this.shortage = new MemoryShortageException(this.account.limit(), false);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.shortage = new MemoryShortageException(this.account.limit(), true);
		}
		throw this.shortage;
	}

	/** Who holds a part looks again and again whether it may go on over the limit. */
	private boolean reserve(long size) throws InterruptedException {
		while (this.entered > 0 && this.deadlineNanos - System.nanoTime() > PATIENCE_NANOS) {
			if (this.account.reserve(Direction.OUTGOING, size, System.nanoTime() + PATIENCE_NANOS)) {
				return true;
			}
			if (this.account.privilege().compareAndSet(false, true)) {
				this.privileged = true;
				this.account.overdraw(Direction.OUTGOING, size);
				return true;
			}
		}
		return this.account.reserve(Direction.OUTGOING, size, this.deadlineNanos);
	}

	/**
	 * Why the body could not be completed: serializers may have wrapped it.
	 * @return null if there was memory
	 */
	@Nullable MemoryShortageException shortage() {
		return this.shortage;
	}

	/** Nothing more is appended. */
	public void complete() {
		if (this.unused > 0) {
			this.account.release(Direction.OUTGOING, this.unused);
			this.entered -= this.unused;
			this.unused = 0;
		}
	}

	/**
	 * Become another owner. Any thread.
	 * @return false if the last owner has gone
	 */
	public boolean retain() {
		int before;
		do {
			before = this.owners.get();
			if (before == 0) {
				return false;
			}
		}
		while (!this.owners.compareAndSet(before, before + 1));
		return true;
	}

	/** Be an owner no longer. Any thread. */
	public void release() {
		if (this.owners.decrementAndGet() == 0) {
			complete();
			this.chunks.forEach(ByteBuf::release);
			this.account.release(Direction.OUTGOING, this.entered);
			if (this.privileged) {
				this.account.privilege().set(false); // not before its overdraft is gone
			}
		}
	}

	/** Whether {@link #written} was called: a write may still be reading the header. */
	public boolean isWritten() {
		return this.written;
	}

	/** Its header is put into the first chunk, and a write of it begins. Event loop. */
	public void written() {
		this.written = true;
	}

	/** See {@link FrameBodies#replaceStart}. */
	void replaceStart(int count, byte[] other) {
		this.skipped = count;
		this.start = other;
	}

	/** Where its longest value is, for {@link FrameType#PLACE}; 0 if it has none. */
	public long place() {
		return (this.valueLength > 0) ? FrameType.place(this.valueLength, this.length - this.valueEnd) : 0;
	}

	/** Where the first chunk begins. */
	public int skipped() {
		return this.skipped;
	}

	/** What comes between the header and the first chunk. */
	public byte[] start() {
		return this.start;
	}

	/** The chunks, of this body and not written yet; for an owner. */
	public List<ByteBuf> chunks() {
		return this.chunks;
	}

}
