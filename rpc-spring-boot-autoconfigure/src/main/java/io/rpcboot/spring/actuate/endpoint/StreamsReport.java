package io.rpcboot.spring.actuate.endpoint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.rpcboot.Side;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.actuate.descriptor.StreamDescriptor;
import io.rpcboot.transport.StreamInfo;
import org.jspecify.annotations.Nullable;

/**
 * Report of the oldest open streams of server and clients. A stream has no clock for its
 * elements: rates come from two looks, of which the report keeps the listed streams.
 */
final class StreamsReport {

	/** Most streams of a side. */
	static final int MOST = 500;

	private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final RpcBeans beans;

	private final LongSupplier nanoTime;

	/** Last look that may be compared with; null before the second one. */
	private @Nullable Look before;

	/** Last look, compared with once it is old enough; null before the first one. */
	private @Nullable Look last;

	StreamsReport(RpcBeans beans, LongSupplier nanoTime) {
		this.beans = beans;
		this.nanoTime = nanoTime;
	}

	StreamDescriptor.All all() {
		RpcServer server = this.beans.server();
		List<RpcClient> clients = this.beans.clients();
		Map<Source, List<StreamInfo>> open = new HashMap<>();
		int count = 0;
		if (server != null) {
			open.put(new Source(Side.SERVER, 0), server.streams(MOST));
			count += server.openStreams();
		}
		for (int i = 0; i < clients.size(); i++) {
			open.put(new Source(Side.CLIENT, i), clients.get(i).streams(MOST));
			count += clients.get(i).openStreams();
		}
		return describe(open, count);
	}

	/** Describes the oldest streams of all sources, of which more may be open. */
	synchronized StreamDescriptor.All describe(Map<Source, List<StreamInfo>> open, int count) {
		Look now = new Look(this.nanoTime.getAsLong(), new HashMap<>());
		if (this.last != null && now.nanos - this.last.nanos >= LEAST_NANOS) {
			this.before = this.last;
			this.last = null;
		}
		List<StreamDescriptor> server = oldest(Side.SERVER, open, now);
		List<StreamDescriptor> client = oldest(Side.CLIENT, open, now);
		if (this.last == null) {
			this.last = now;
		}
		return new StreamDescriptor.All(server, client, Math.max(0, count - server.size() - client.size()));
	}

	private List<StreamDescriptor> oldest(Side side, Map<Source, List<StreamInfo>> open, Look now) {
		List<Seen> all = new ArrayList<>();
		open.forEach((source, streams) -> {
			if (source.side == side) {
				streams.forEach((each) -> all.add(new Seen(new Key(source, each.number()), each)));
			}
		});
		return all.stream()
			.sorted(Comparator.comparing((Seen each) -> each.stream.age()).reversed())
			.limit(MOST)
			.map((each) -> describe(each, now))
			.toList();
	}

	private StreamDescriptor describe(Seen seen, Look now) {
		now.streams.put(seen.key, seen.stream);
		StreamInfo earlier = (this.before != null) ? this.before.streams.get(seen.key) : null;
		long nanos = (this.before != null && earlier != null) ? now.nanos - this.before.nanos
				: seen.stream.age().toNanos();
		return StreamDescriptor.of(seen.key.source.side, seen.stream,
				perSecond(seen.stream.sent(), (earlier != null) ? earlier.sent() : null, nanos),
				perSecond(seen.stream.received(), (earlier != null) ? earlier.received() : null, nanos));
	}

	private static double perSecond(StreamInfo.@Nullable Elements elements, StreamInfo.@Nullable Elements earlier,
			long nanos) {
		if (elements == null || nanos <= 0) {
			return 0;
		}
		long passed = elements.count() - ((earlier != null) ? earlier.count() : 0);
		return passed * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
	}

	/**
	 * Server or one of the clients, whose streams have numbers of their own.
	 *
	 * @param side the side
	 * @param index index of the client, 0 for the server
	 */
	record Source(Side side, int index) {
	}

	/**
	 * Identity of a stream in this process.
	 *
	 * @param source where it is open
	 * @param number its number there
	 */
	private record Key(Source source, long number) {
	}

	/**
	 * Stream at the time of a look.
	 *
	 * @param key its identity
	 * @param stream its state
	 */
	private record Seen(Key key, StreamInfo stream) {
	}

	/**
	 * Streams as they were.
	 *
	 * @param nanos time of the look
	 * @param streams the listed ones
	 */
	private record Look(long nanos, Map<Key, StreamInfo> streams) {
	}

}
