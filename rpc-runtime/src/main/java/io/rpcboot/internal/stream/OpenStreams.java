package io.rpcboot.internal.stream;

import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.transport.StreamInfo;

/**
 * Open streams of several messages at a client or a server, the oldest first. At a server
 * they have a limit of their own, because an idle feed costs memory and no thread: calls
 * in flight are counted without them. Any thread.
 */
public final class OpenStreams {

	private final int most;

	private final AtomicInteger open = new AtomicInteger();

	private final AtomicLong opened = new AtomicLong();

	private final ConcurrentNavigableMap<Long, Stream> byNumber = new ConcurrentSkipListMap<>();

	/** Open stream, for display. Any thread. */
	public interface Stream {

		/** Returns the current state. */
		StreamInfo describe(long number);

	}

	/**
	 * Creates an empty table.
	 * @param most most open streams
	 */
	public OpenStreams(int most) {
		this.most = most;
	}

	/**
	 * Adds a stream.
	 * @return its number for {@link #closed}, from 1; 0 if there are too many
	 */
	public long open(Stream stream) {
		if (this.open.incrementAndGet() > this.most) {
			this.open.decrementAndGet();
			return 0;
		}
		long number = this.opened.incrementAndGet();
		this.byNumber.put(number, stream);
		return number;
	}

	/** Removes a stream whose call has ended. Twice does nothing. */
	public void closed(long number) {
		if (this.byNumber.remove(number) != null) {
			this.open.decrementAndGet();
		}
	}

	/** Returns the number of open streams. */
	public int count() {
		return this.open.get();
	}

	/** Returns the oldest streams, at most a number of them. */
	public List<StreamInfo> oldest(int atMost) {
		return this.byNumber.entrySet()
			.stream()
			.limit(atMost)
			.map((each) -> each.getValue().describe(each.getKey()))
			.toList();
	}

}
