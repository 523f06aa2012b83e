package io.rpcboot.internal.transport.http2.message;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.protocol.grpc.MessagePrefix;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one stream that wait to be sent, with their memory until they are written.
 * Short ones leave together, as one body that fits one frame. Event loop only.
 */
public final class OutboundMessages {

	/** Longest body of several messages. */
	private static final int LONGEST = Http2Settings.DEFAULT_MAX_FRAME_SIZE;

	/**
	 * Memory of a message beside its bytes: the head of an array, places in two queues.
	 */
	private static final int OVERHEAD = 64;

	private final MemoryBudget budget;

	/** Bytes of the connection that are not written. */
	private final AtomicLong unsent;

	private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();

	/** Memory of all messages that are not written. */
	private long reserved;

	/** Memory of the body that is being written. */
	private long taken;

	/** True if that body is several messages, with their prefixes. */
	private boolean isPrefixed;

	/** True if messages that begin as those of gzip are compressed. */
	private boolean mayBeCompressed;

	/**
	 * Creates an empty queue.
	 * @param unsent counts the memory, too
	 */
	public OutboundMessages(MemoryBudget budget, AtomicLong unsent) {
		this.budget = budget;
		this.unsent = unsent;
	}

	/**
	 * Adds a message.
	 * @param message not changed afterwards
	 * @return false if there is no memory for it
	 */
	public boolean add(byte[] message) {
		long size = size(message);
		if (!this.budget.tryReserve(Direction.OUTGOING, size)) {
			return false;
		}
		addReserved(message);
		return true;
	}

	/** Adds a message whose {@link #size} is reserved. */
	public void addReserved(byte[] message) {
		long size = size(message);
		this.reserved += size;
		this.unsent.addAndGet(size);
		this.waiting.add(message);
	}

	/** Takes messages that begin as those of gzip for compressed ones from now on. */
	public void marksCompressed() {
		this.mayBeCompressed = true;
	}

	/** Returns true if a message is compressed. */
	boolean isCompressed(byte[] message) {
		return this.mayBeCompressed && Gzip.isCompressed(message, 0, message.length);
	}

	/** Returns the memory of a message until it is written, in bytes. */
	public static long size(byte[] message) {
		return (long) message.length + OVERHEAD;
	}

	/** Returns the number of messages whose turn has not come. */
	public int size() {
		return this.waiting.size();
	}

	/**
	 * Takes the next body, once that before it is written: a message, or several short
	 * ones that are in front.
	 * @return null if no message waits
	 */
	byte @Nullable [] next() {
		byte[] first = this.waiting.poll();
		byte[] second = this.waiting.peek();
		this.isPrefixed = first != null && second != null && prefixed(first) + prefixed(second) <= LONGEST;
		if (first == null || !this.isPrefixed) {
			this.taken = (first != null) ? size(first) : 0;
			return first;
		}
		return together(first);
	}

	/**
	 * Takes the next body with the prefixes of its messages.
	 * @return null if no message waits
	 */
	public byte @Nullable [] nextPrefixed() {
		byte[] next = next();
		if (next == null || this.isPrefixed) {
			return next;
		}
		byte[] body = new byte[prefixed(next)];
		put(next, body, 0);
		return body;
	}

	private byte[] together(byte[] first) {
		this.taken = size(first);
		int length = prefixed(first);
		int count = 0;
		for (byte[] each : this.waiting) {
			if (length + prefixed(each) > LONGEST) {
				break;
			}
			length += prefixed(each);
			count++;
		}
		byte[] body = new byte[length];
		int at = put(first, body, 0);
		for (int i = 0; i < count; i++) {
			byte[] next = this.waiting.remove();
			this.taken += size(next);
			at = put(next, body, at);
		}
		return body;
	}

	private static int prefixed(byte[] message) {
		return MessagePrefix.LENGTH + message.length;
	}

	private int put(byte[] message, byte[] body, int at) {
		MessagePrefix.write(body, at, isCompressed(message), message.length);
		System.arraycopy(message, 0, body, at + MessagePrefix.LENGTH, message.length);
		return at + prefixed(message);
	}

	/** Returns true if the last body has the prefixes of its messages. */
	boolean isPrefixed() {
		return this.isPrefixed;
	}

	/**
	 * Gives the memory of the last body back: it is written.
	 * @return the memory in bytes
	 */
	public long written() {
		long bytes = this.taken;
		this.taken = 0;
		release(bytes);
		return bytes;
	}

	/** Drops the messages whose turn has not come. */
	public void dropWaiting() {
		this.waiting.clear();
		release(this.reserved - this.taken);
	}

	/** Drops all messages. */
	public void clear() {
		dropWaiting();
		written();
	}

	private void release(long bytes) {
		if (bytes > 0) {
			this.reserved -= bytes;
			this.unsent.addAndGet(-bytes);
			this.budget.release(Direction.OUTGOING, bytes);
		}
	}

}
