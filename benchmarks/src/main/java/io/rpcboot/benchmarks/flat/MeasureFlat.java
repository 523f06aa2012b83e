package io.rpcboot.benchmarks.flat;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.netty.util.internal.PlatformDependent;
import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/**
 * Measures what open streams hold: client and server are in this process, so heap and
 * direct memory are those of both. In each state of the streams single calls run at 1,000
 * a second, over the native protocol and over gRPC, these on the connection of the
 * streams.
 */
public final class MeasureFlat {

	private static final int ELEMENT = 1024;

	private static final int RATE = 1000;

	private static final int MIB = 1024 * 1024;

	/** Heap or direct memory that a state may gain from its first look to its last. */
	private static final int MOST_GROWTH_MIB = 8;

	private static final double MOST_P99 = 1.5;

	private static final int LOOKS = 4;

	private static final String LINE = "%-34s %22s %22s %12s %14s %14s%n";

	private final FlatOptions options;

	private final List<String> lines = new ArrayList<>();

	private final List<String> missed = new ArrayList<>();

	/** By state, the latencies of 99 of 100 calls in each run: native, gRPC. */
	private final Map<String, List<double[]>> latencies = new LinkedHashMap<>();

	private final AtomicLong elements = new AtomicLong();

	private final AtomicLong failures = new AtomicLong();

	private MeasureFlat(FlatOptions options) {
		this.options = options;
	}

	/**
	 * Runs it.
	 * @param args options, see the README of this module
	 * @throws Exception if a stream or a call fails
	 */
	public static void main(String[] args) throws Exception {
		if (List.of(args).contains("--help")) {
			System.out.println(FlatOptions.USAGE);
			return;
		}
		FlatOptions options = FlatOptions.parse(args);
		Files.createDirectories(options.output());
		new MeasureFlat(options).measure();
	}

	/** Opens the streams of a state. */
	private interface State {

		List<Taker> open(Feed feed);

	}

	private Map<String, State> states() {
		int many = this.options.streams();
		Map<String, State> all = new LinkedHashMap<>();
		all.put("no stream", (feed) -> List.of());
		all.put("one, read at 1,000/s", (feed) -> List.of(taker(feed, RATE)));
		all.put("one, frozen", (feed) -> List.of(taker(feed, 0)));
		all.put(many + " at 10/s, one of them slow", (feed) -> {
			List<Taker> open = takers(many - 1, () -> {
				Taker next = new Taker(Long.MAX_VALUE);
				feed.every(100, ELEMENT).subscribe(next);
				return next;
			});
			open.add(taker(feed, 1));
			return open;
		});
		all.put(many + " idle", (feed) -> takers(many, () -> {
			Taker next = new Taker(Long.MAX_VALUE);
			feed.silent().subscribe(next);
			return next;
		}));
		return all;
	}

	private static List<Taker> takers(int count, Supplier<Taker> each) {
		List<Taker> open = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			open.add(each.get());
		}
		return open;
	}

	/** A subscriber that takes a number of elements a second of a feed that has all. */
	private Taker taker(Feed feed, int rate) {
		Taker next = new Taker(1);
		next.rate = rate;
		feed.endless(ELEMENT).subscribe(next);
		return next;
	}

	/** Subscriber that counts. */
	private final class Taker extends BaseSubscriber<byte[]> {

		private final long first;

		/** Elements a second that it asks for; 0 for none. */
		private int rate;

		Taker(long first) {
			this.first = first;
		}

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			subscription.request(this.first);
		}

		@Override
		protected void hookOnNext(byte[] element) {
			MeasureFlat.this.elements.incrementAndGet();
		}

		@Override
		protected void hookOnError(Throwable ex) {
			ex.printStackTrace();
			MeasureFlat.this.failures.incrementAndGet();
		}

	}

	private void measure() throws Exception {
		say(String.format(Locale.ROOT, LINE, "streams of 1 KB elements", "heap MB", "direct MB", "elements/s",
				"p99 us native", "p99 us gRPC"));
		try (RpcServer server = RpcServer.builder().port(0).service(Feed.class, new Feed.Served()).start();
				RpcClient client = RpcClient.builder().build()) {
			ReferenceOptions at = ReferenceOptions.defaults()
				.withEndpoints(new Endpoint("127.0.0.1", server.port()))
				.withTimeout(Duration.ofSeconds(20));
			Feed simple = client.reference(Feed.class, at);
			Feed grpc = client.reference(Feed.class, at.withProtocol(Protocol.GRPC));
			run("warm-up", Objects.requireNonNull(states().get("one, read at 1,000/s")), simple, grpc,
					Math.min(10, this.options.seconds()));
			this.latencies.clear();
			this.lines.clear();
			this.missed.clear();
			for (int run = 0; run < this.options.runs(); run++) {
				for (Map.Entry<String, State> each : states().entrySet()) {
					run(each.getKey(), each.getValue(), simple, grpc, this.options.seconds());
				}
			}
		}
		judgeLatencies();
		Files.write(this.options.output().resolve("flat.txt"), this.lines);
		if (!this.missed.isEmpty()) {
			throw new IllegalStateException(String.join("\n", this.missed));
		}
	}

	private void run(String name, State state, Feed simple, Feed grpc, int seconds) throws InterruptedException {
		this.elements.set(0);
		List<Taker> open = state.open(grpc);
		AtomicBoolean over = new AtomicBoolean();
		Thread asking = new Thread(() -> ask(open, over), "asks");
		asking.start();
		SingleCalls ofNative = new SingleCalls(simple, seconds);
		SingleCalls ofGrpc = new SingleCalls(grpc, seconds);
		long begin = System.nanoTime();
		long[] heap = new long[LOOKS];
		long[] direct = new long[LOOKS];
		for (int look = 0; look < LOOKS; look++) {
			long until = begin + TimeUnit.SECONDS.toNanos(seconds) * (look + 1) / LOOKS;
			while (System.nanoTime() < until) {
				LockSupport.parkNanos(until - System.nanoTime());
			}
			heap[look] = usedHeap();
			direct[look] = usedDirect();
		}
		double perSecond = this.elements.get() / ((System.nanoTime() - begin) / 1e9);
		double[] p99 = { ofNative.p99(), ofGrpc.p99() };
		over.set(true);
		asking.join();
		open.forEach(BaseSubscriber::cancel);
		this.latencies.computeIfAbsent(name, (key) -> new ArrayList<>()).add(p99);
		say(String.format(Locale.ROOT, LINE, name, text(heap), text(direct), Math.round(perSecond), Math.round(p99[0]),
				Math.round(p99[1])));
		judge(name + ": heap", heap);
		judge(name + ": direct memory", direct);
		if (this.failures.getAndSet(0) > 0) {
			this.missed.add(name + ": a stream has failed");
		}
	}

	/** Asks for the elements of those that take a number a second. */
	private static void ask(List<Taker> open, AtomicBoolean over) {
		long tick = 0;
		while (!over.get()) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
			tick++;
			for (Taker each : open) {
				if (each.rate >= 100) {
					each.request(each.rate / 100);
				}
				else if (each.rate > 0 && tick % (100 / each.rate) == 0) {
					each.request(1);
				}
			}
		}
	}

	private static long usedHeap() {
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	private static long usedDirect() {
		long pooled = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
			.stream()
			.mapToLong(BufferPoolMXBean::getMemoryUsed)
			.sum();
		return pooled + Math.max(0, PlatformDependent.usedDirectMemory());
	}

	private static String text(long[] bytes) {
		return Arrays.stream(bytes)
			.mapToObj((each) -> String.format(Locale.ROOT, "%.1f", (double) each / MIB))
			.reduce((a, b) -> a + " " + b)
			.orElseThrow();
	}

	private void judge(String what, long[] looks) {
		long growth = looks[looks.length - 1] - looks[0];
		if (growth > (long) MOST_GROWTH_MIB * MIB) {
			this.missed
				.add("%s has grown by %d MB (expected: at most %d)".formatted(what, growth / MIB, MOST_GROWTH_MIB));
		}
	}

	/** Compares the medians of the runs with those without a stream. */
	private void judgeLatencies() {
		double[] without = medians(Objects.requireNonNull(this.latencies.get("no stream")));
		this.latencies.forEach((name, runs) -> {
			double[] of = medians(runs);
			say(String.format(Locale.ROOT, "%s: p99 of single calls, of that without streams: native %.2f, gRPC %.2f",
					name, of[0] / without[0], of[1] / without[1]));
			if (Math.max(of[0] / without[0], of[1] / without[1]) > MOST_P99) {
				this.missed.add("%s: p99 of single calls (expected: at most %.1f of that without streams)"
					.formatted(name, MOST_P99));
			}
		});
	}

	private static double[] medians(List<double[]> runs) {
		double[] all = new double[2];
		for (int i = 0; i < all.length; i++) {
			int index = i;
			double[] sorted = runs.stream().mapToDouble((each) -> each[index]).sorted().toArray();
			all[i] = sorted[sorted.length / 2];
		}
		return all;
	}

	private void say(String line) {
		System.out.print(line.endsWith("\n") ? line : line + "\n");
		this.lines.add(line.stripTrailing());
	}

}
