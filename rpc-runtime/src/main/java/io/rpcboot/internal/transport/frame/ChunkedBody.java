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
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A large body in chunks of direct memory. The serializer writes the chunks and the
 * socket sends them without another copy. Every chunk is reserved in the memory budget
 * before it is allocated. The first chunk begins with space for the header of the frame,
 * so that a body of one chunk is one write.
 * <p>
 * Reference-counted: each owner releases the body once, and the last release frees the
 * memory. One thread at a time until the frame is enqueued.
 */
public final class ChunkedBody implements OutputBuffer.Overflow {

	/** Time between two tries to get the privilege to overdraw. */
	private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private static final int SMALLEST_CHUNK = 8 * 1024;

	private static final int LARGEST_CHUNK = 256 * 1024;

	/** Room before the body in the first chunk, in bytes: the longest header. */
	public static final int HEADER_ROOM = 64;

	private final ByteBufAllocator allocator;

	private final MemoryBudget account;

	/** Deadline of waiting for memory, as {@link System#nanoTime()}. */
	private final long deadlineNanos;

	private final int overdraft;

	private final IntConsumer progress;

	private final List<ByteBuf> chunks = new ArrayList<>(2);

	private final AtomicInteger owners = new AtomicInteger(1);

	/** Bytes that are reserved for this body. */
	private long entered;

	/** Reserved bytes that no chunk uses yet. */
	private long unused;

	private int length;

	/** Announced bytes that are not written yet. */
	private int expected;

	/** True if this body holds the privilege to overdraw the budget. */
	private boolean privileged;

	/** True after the first write, which may still be reading the header. */
	private boolean written;

	private @Nullable MemoryShortageException shortage;

	/** Number of bytes at the beginning of the first chunk that are not sent. */
	private int skipped;

	/** Bytes that are sent instead of the skipped bytes. */
	private byte[] start = OutboundFrame.NOTHING;

	/**
	 * Creates an empty body with one owner.
	 * @param memory allocates the chunks
	 * @param deadlineNanos deadline of waiting for memory, as {@link System#nanoTime()}
	 * @param overdraft longest body in bytes for which the serializing thread overdraws
	 * the budget instead of waiting: 0 if it always waits, {@link Integer#MAX_VALUE} if
	 * it must not wait
	 * @param reserved bytes that are reserved for the body already
	 * @param progress receives each new length before memory for it is reserved
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

	/**
	 * Sizes the next chunk, and tells the new length before a byte of it is copied: calls
	 * that begin meanwhile know how much memory they need.
	 */
	@Override
	public void expect(int gathered, int range) {
		this.expected = gathered + range;
		this.progress.accept(this.length + this.expected);
	}

	/**
	 * Appends bytes.
	 * @param source holds the bytes
	 * @param offset index of the first byte
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
		// avoids a deadlock between two partly reserved bodies
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

	/** Waits for memory; a partly reserved body also tries to get the privilege. */
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
	 * Returns why the body is incomplete. The serializer may have wrapped the exception.
	 * @return null if there was memory
	 */
	public @Nullable MemoryShortageException shortage() {
		return this.shortage;
	}

	/** Ends the writing and releases unused memory. */
	public void complete() {
		if (this.unused > 0) {
			this.account.release(Direction.OUTGOING, this.unused);
			this.entered -= this.unused;
			this.unused = 0;
		}
	}

	/**
	 * Adds an owner. Any thread.
	 * @return false if the body is released already
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

	/** Removes an owner. Any thread. */
	public void release() {
		if (this.owners.decrementAndGet() == 0) {
			complete();
			this.chunks.forEach(ByteBuf::release);
			this.account.release(Direction.OUTGOING, this.entered);
			if (this.privileged) {
				this.account.privilege().set(false); // after its overdraft is released
			}
		}
	}

	/** Returns true if a write may still be reading the header in the first chunk. */
	public boolean isWritten() {
		return this.written;
	}

	/** Marks the body as written. Event loop only. */
	public void written() {
		this.written = true;
	}

	/**
	 * Replaces the first bytes. Before a write.
	 * @param count number of bytes that are not sent; at most those of the first chunk
	 * @param other sent instead, at most {@code count} bytes
	 */
	public void replaceStart(int count, byte[] other) {
		this.skipped = count;
		this.start = other;
	}

	/** Returns how many bytes of the first chunk are not sent. */
	public int skipped() {
		return this.skipped;
	}

	/** Returns the bytes between the header and the first chunk. */
	public byte[] start() {
		return this.start;
	}

	/**
	 * Copies a range. Owners only.
	 * @param from index of its first byte in the body
	 * @param count number of bytes
	 */
	public void copyTo(ByteBuf out, int from, int count) {
		int start = from;
		int rest = count;
		int index = HEADER_ROOM; // of the body in the first chunk
		for (ByteBuf chunk : this.chunks) {
			int size = chunk.writerIndex() - index;
			if (start < size && rest > 0) {
				int copied = Math.min(rest, size - start);
				out.writeBytes(chunk, index + start, copied);
				rest -= copied;
				start += copied;
			}
			start -= size;
			index = 0;
		}
	}

	/** Returns the chunks of this body. Owners only. */
	public List<ByteBuf> chunks() {
		return this.chunks;
	}

}
