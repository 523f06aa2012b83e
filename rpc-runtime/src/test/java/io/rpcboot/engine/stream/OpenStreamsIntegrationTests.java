package io.rpcboot.engine.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.rpcboot.ServiceId;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.stream.Feeds.Tick;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.StreamInfo;
import io.rpcboot.transport.StreamInfo.Elements;
import io.rpcboot.transport.StreamInfo.WaitsFor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

/** Open streams as both sides describe them: who waits for whom. */
@Timeout(60)
class OpenStreamsIntegrationTests {

	private static final int LENGTH = 1000;

	private RpcServer server;

	private RpcClient client;

	private Feeds feeds;

	private Uploads uploads;

	@BeforeEach
	void start() {
		this.server = RpcServer.builder()
			.port(0)
			.service(Feeds.class, new FeedsImpl())
			.service(Uploads.class, new UploadsImpl())
			.start();
		this.client = RpcClient.builder().build();
		ReferenceOptions grpc = ReferenceStates.at(this.server).withProtocol(Protocol.GRPC);
		this.feeds = this.client.reference(Feeds.class, grpc);
		this.uploads = this.client.reference(Uploads.class, grpc);
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.server.close();
	}

	private static StreamInfo await(Supplier<List<StreamInfo>> streams, Predicate<StreamInfo> expected) {
		List<StreamInfo> last = new ArrayList<>();
		Eventually.until("the stream is as expected", () -> {
			last.clear();
			last.addAll(streams.get());
			return last.size() == 1 && expected.test(last.get(0));
		});
		return last.get(0);
	}

	private StreamInfo atServer(Predicate<StreamInfo> expected) {
		return await(() -> this.server.streams(10), expected);
	}

	private StreamInfo atClient(Predicate<StreamInfo> expected) {
		return await(() -> this.client.streams(10), expected);
	}

	private static boolean waits(@Nullable Elements elements, WaitsFor what) {
		return elements != null && elements.waitsFor() == what;
	}

	private void awaitNone() {
		Eventually.until("no stream is open", () -> this.server.openStreams() == 0 && this.client.openStreams() == 0);
		assertThat(this.server.streams(10)).isEmpty();
		assertThat(this.client.streams(10)).isEmpty();
	}

	@Test
	void idleFeed_waitsForItsProducer() {
		var subscription = this.feeds.silent().subscribe();
		StreamInfo served = atServer((each) -> waits(each.sent(), WaitsFor.PRODUCER));
		assertThat(served.service()).isEqualTo(ServiceId.of(Feeds.class));
		assertThat(served.method()).isEqualTo("silent()");
		assertThat(served.remote()).startsWith("127.0.0.1:").isEqualTo(this.server.connections().get(0).remote());
		assertThat(served.age()).isPositive().isLessThan(Duration.ofMinutes(1));
		assertThat(served.sent()).isEqualTo(new Elements(0, 0, WaitsFor.PRODUCER));
		assertThat(served.received()).isNull();
		StreamInfo called = atClient((each) -> waits(each.received(), WaitsFor.PEER));
		assertThat(called.remote()).isEqualTo("127.0.0.1:" + this.server.port());
		assertThat(called.method()).isEqualTo("silent()");
		assertThat(called.sent()).isNull();
		assertThat(this.server.openStreams()).isOne();
		subscription.dispose();
		awaitNone();
	}

	@Test
	void slowSubscriber_isNamedOnBothSides() {
		BaseSubscriber<byte[]> slow = new BaseSubscriber<>() {

			@Override
			protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
				subscription.request(3);
			}

		};
		this.feeds.blobs(1_000_000, LENGTH).subscribe(slow);
		StreamInfo called = atClient((each) -> waits(each.received(), WaitsFor.CONSUMER));
		StreamInfo served = atServer((each) -> waits(each.sent(), WaitsFor.WINDOW));
		Elements sent = served.sent();
		assertThat(sent).isNotNull();
		assertThat(sent.count()).isBetween(50L, 1000L);
		assertThat(sent.bytes()).isBetween(sent.count() * LENGTH, sent.count() * (LENGTH + 10));
		called = atClient((each) -> each.received() != null && each.received().count() > 50);
		assertThat(called.received().count()).isLessThanOrEqualTo(sent.count());
		slow.cancel();
		awaitNone();
	}

	@Test
	void deafMethod_isNamedOnBothSides() {
		var answer = this.uploads.deaf(Flux.range(0, 1_000_000).map((each) -> new byte[LENGTH]));
		StreamInfo served = atServer((each) -> waits(each.received(), WaitsFor.CONSUMER));
		assertThat(served.sent()).isNull();
		StreamInfo called = atClient((each) -> waits(each.sent(), WaitsFor.WINDOW));
		assertThat(called.received()).isNull();
		assertThat(called.sent().count()).isGreaterThan(50);
		answer.cancel(false);
		awaitNone();
	}

	@Test
	void bothDirections_areCounted() {
		Sinks.Many<Tick> lines = Sinks.many().unicast().onBackpressureBuffer();
		var answers = this.uploads.echo(lines.asFlux()).subscribe();
		for (int i = 0; i < 5; i++) {
			lines.tryEmitNext(Tick.of(i)).orThrow();
		}
		StreamInfo called = atClient((each) -> each.received().count() == 5 && waits(each.received(), WaitsFor.PEER)
				&& waits(each.sent(), WaitsFor.PRODUCER));
		StreamInfo served = atServer((each) -> each.sent().count() == 5 && waits(each.sent(), WaitsFor.PRODUCER)
				&& waits(each.received(), WaitsFor.PEER));
		assertThat(called.sent().count()).isEqualTo(5);
		assertThat(called.sent().bytes()).isPositive().isEqualTo(served.received().bytes());
		assertThat(served.sent().bytes()).isEqualTo(called.received().bytes());
		lines.tryEmitComplete().orThrow();
		awaitNone();
		assertThat(answers.isDisposed()).isTrue();
	}

	@Test
	void firstElement_isCounted_inTheMessageOfTheParameters() {
		Sinks.Many<String> lines = Sinks.many().unicast().onBackpressureBuffer();
		var chat = this.uploads.chat("Ann", lines.asFlux()).subscribe();
		lines.tryEmitNext("one").orThrow();
		StreamInfo served = atServer((each) -> each.received() != null && each.received().count() == 1);
		assertThat(served.method()).startsWith("chat(java.lang.String");
		assertThat(served.received().bytes()).isPositive();
		chat.dispose();
		awaitNone();
	}

	@Test
	void oldest_areFirst_andListIsBounded() {
		List<reactor.core.Disposable> open = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			open.add(this.feeds.silent().subscribe());
		}
		Eventually.until("4 streams are open", () -> this.server.openStreams() == 4);
		List<StreamInfo> oldest = this.server.streams(3);
		assertThat(oldest).extracting(StreamInfo::number).containsExactly(1L, 2L, 3L);
		assertThat(this.client.streams(2)).extracting(StreamInfo::number).containsExactly(1L, 2L);
		open.get(0).dispose();
		Eventually.until("the first has ended", () -> this.server.openStreams() == 3);
		assertThat(this.server.streams(1)).extracting(StreamInfo::number).containsExactly(2L);
		open.forEach(reactor.core.Disposable::dispose);
		awaitNone();
	}

	@Test
	void lostConnection_leavesNoStreamBehind() {
		this.feeds.silent().subscribe((each) -> {
		}, (failure) -> {
		});
		atServer((each) -> true);
		this.server.close();
		awaitNone();
	}

}
