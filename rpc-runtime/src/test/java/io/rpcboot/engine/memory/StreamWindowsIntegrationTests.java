package io.rpcboot.engine.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Accounts;
import io.rpcboot.engine.fixture.LeakWatch;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.stream.Feeds;
import io.rpcboot.engine.stream.FeedsImpl;
import io.rpcboot.engine.stream.Uploads;
import io.rpcboot.engine.stream.UploadsImpl;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/** Memory of elements that wait for their subscribers, in the window of each stream. */
@Timeout(120)
class StreamWindowsIntegrationTests {

	private static final int ELEMENT = 4096;

	/** Window of a stream that has not widened. */
	private static final int WINDOW = 65 * 1024;

	/** Memory that a connection may keep although it is free, and an element. */
	private static final int KEPT = 64 * 1024 + ELEMENT;

	private static final int MIB = 1024 * 1024;

	/** Elements that a stream takes before it stops. */
	private static final int MANY = 20_000;

	private final Accounts accounts = new Accounts();

	private final LeakWatch leaks = new LeakWatch();

	@AfterEach
	void noBufferIsLeft() {
		this.accounts.awaitEmpty();
		this.leaks.assertNoLeak();
		this.leaks.close();
	}

	/** Takes a number of elements, then none. */
	private static final class Freezes extends BaseSubscriber<byte[]> {

		private final int takes;

		private final AtomicLong taken = new AtomicLong();

		private volatile boolean failed;

		Freezes(int takes) {
			this.takes = takes;
		}

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
			subscription.request(this.takes);
		}

		@Override
		protected void hookOnNext(byte[] element) {
			this.taken.incrementAndGet();
		}

		@Override
		protected void hookOnError(Throwable ex) {
			this.failed = true;
		}

		boolean isFrozen() {
			return this.failed || this.taken.get() == this.takes;
		}

	}

	private RpcServer server() {
		return RpcServer.builder().port(0).metrics(this.accounts).service(Feeds.class, new FeedsImpl()).start();
	}

	private RpcClient client(int limit, int maxFrameSize) {
		return RpcClient.builder()
			.metrics(this.accounts)
			.maxFrameSize(maxFrameSize)
			.memory(MemoryOptions.defaults().withLimit(limit))
			.build();
	}

	/** Opens streams that freeze; returns the bytes that wait for them. */
	private long waitingBytes(RpcClient client, RpcServer server, int streams, int takes) {
		Feeds remote = client.reference(Feeds.class, ReferenceStates.at(server).withProtocol(Protocol.GRPC));
		List<Freezes> all = new ArrayList<>();
		for (int i = 0; i < streams; i++) {
			Freezes next = new Freezes(takes);
			remote.blobs(Integer.MAX_VALUE, ELEMENT).subscribe(next);
			all.add(next);
		}
		Eventually.until("all are frozen", () -> all.stream().allMatch(Freezes::isFrozen));
		long[] last = { -1 };
		Eventually.until("nothing arrives any more", () -> {
			long before = last[0];
			last[0] = this.accounts.of(Gauge.CLIENT_MEMORY_INCOMING);
			return last[0] == before && before >= (long) streams * (WINDOW - 2 * ELEMENT);
		});
		assertThat(all).noneMatch((each) -> each.failed);
		all.forEach(BaseSubscriber::cancel);
		return last[0];
	}

	@Test
	void fastStream_hasWiderWindow() {
		try (RpcServer server = server(); RpcClient client = client(256 * MIB, 8 * MIB)) {
			assertThat(waitingBytes(client, server, 1, 1)).isLessThan(WINDOW + KEPT);
			assertThat(waitingBytes(client, server, 1, MANY)).isBetween(3L * WINDOW, 8L * WINDOW + KEPT);
		}
	}

	/** A window that is wider than a part of the account could use it up. */
	@Test
	void smallAccount_hasSmallestWindows() {
		try (RpcServer server = server(); RpcClient client = client(MIB, 100_000)) {
			assertThat(waitingBytes(client, server, 1, MANY)).isLessThan(WINDOW + KEPT);
		}
	}

	/** More of a long message than the first window arrives before it has memory. */
	@Test
	void longElements_passWideWindow() {
		UploadsImpl uploads = new UploadsImpl();
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.metrics(this.accounts)
			.service(Uploads.class, uploads)
			.start(); RpcClient client = client(256 * MIB, 8 * MIB)) {
			Uploads remote = client.reference(Uploads.class,
					ReferenceStates.at(server).withProtocol(Protocol.GRPC).withTimeout(Duration.ofMinutes(1)));
			Flux<byte[]> elements = Flux.range(0, 5 * MANY).map(StreamWindowsIntegrationTests::ofManyLengths);
			long expected = IntStream.range(0, 5 * MANY).mapToLong((index) -> ofManyLengths(index).length).sum();
			assertThat(remote.bytes(elements).join()).isEqualTo(expected);
		}
	}

	private static byte[] ofManyLengths(int index) {
		return new byte[switch (index % 5000) {
			case 4000 -> 100_000;
			case 4001 -> 300_000;
			case 4003 -> 600_000;
			case 4004 -> 2 * MIB;
			default -> ELEMENT;
		}];
	}

	@Test
	void thousandFrozenStreams_holdOneWindowEach() {
		try (RpcServer server = server(); RpcClient client = client(256 * MIB, 8 * MIB)) {
			assertThat(waitingBytes(client, server, 1000, 1)).isLessThan(1000L * (WINDOW + ELEMENT));
		}
	}

}
