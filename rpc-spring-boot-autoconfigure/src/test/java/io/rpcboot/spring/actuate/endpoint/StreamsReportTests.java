package io.rpcboot.spring.actuate.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.spring.actuate.descriptor.StreamDescriptor;
import io.rpcboot.spring.actuate.endpoint.StreamsReport.Source;
import io.rpcboot.transport.StreamInfo;
import io.rpcboot.transport.StreamInfo.Elements;
import io.rpcboot.transport.StreamInfo.WaitsFor;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Rates and order of open streams. */
class StreamsReportTests {

	private static final Source SERVER = new Source(Side.SERVER, 0);

	private static final int MOST_BYTES = 370 * 1024;

	private final AtomicLong clock = new AtomicLong();

	private final StreamsReport report = new StreamsReport(new RpcBeans(new DefaultListableBeanFactory()),
			this.clock::get);

	private static StreamInfo stream(long number, Duration age, long sent) {
		return new StreamInfo(number, ServiceId.parse("com.acme.stock.Quotes"), "quotes(java.lang.String)",
				"10.100.100.5:40000", age, new Elements(sent, 10 * sent, WaitsFor.PRODUCER), null);
	}

	private StreamDescriptor.Elements look(Duration age, long sent) {
		return this.report.describe(Map.of(SERVER, List.of(stream(1, age, sent))), 1).server().get(0).sent();
	}

	private void pass(long millis) {
		this.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	@Test
	void rate_isMeanOfLife_atFirst() {
		StreamDescriptor.Elements sent = look(Duration.ofSeconds(10), 50);
		assertThat(sent).isEqualTo(new StreamDescriptor.Elements(50, 500, 5, WaitsFor.PRODUCER));
		assertThat(look(Duration.ZERO, 0).perSecond()).isZero();
	}

	@Test
	void rate_isOfTheTime_sinceTheLastLook() {
		look(Duration.ofSeconds(10), 50);
		pass(5000);
		assertThat(look(Duration.ofSeconds(15), 550).perSecond()).isEqualTo(100);
		pass(5000);
		assertThat(look(Duration.ofSeconds(20), 550).perSecond()).as("it has stopped").isZero();
	}

	@Test
	void rate_isOfASecondOrMore_ifLooksAreNear() {
		look(Duration.ofSeconds(10), 0);
		pass(2000);
		look(Duration.ofSeconds(12), 100);
		pass(10);
		assertThat(look(Duration.ofMillis(12_010), 101).perSecond()).isBetween(50.0, 50.5);
		pass(990);
		assertThat(look(Duration.ofSeconds(13), 110).perSecond()).isEqualTo(10);
	}

	@Test
	void rate_isMeanOfLife_ofStreamsOfAnotherClientWithTheSameNumber() {
		this.report.describe(Map.of(new Source(Side.CLIENT, 0), List.of(stream(1, Duration.ofSeconds(1), 10_000))), 1);
		pass(5000);
		StreamDescriptor.All all = this.report
			.describe(Map.of(new Source(Side.CLIENT, 1), List.of(stream(1, Duration.ofSeconds(2), 10))), 1);
		assertThat(all.client()).singleElement().satisfies((each) -> assertThat(each.sent().perSecond()).isEqualTo(5));
	}

	@Test
	void oldestStreams_areListed_othersCounted() {
		List<StreamInfo> first = LongStream.rangeClosed(1, StreamsReport.MOST)
			.mapToObj((number) -> stream(number, Duration.ofSeconds(1000 - number), 1L << 40))
			.toList();
		List<StreamInfo> second = List.of(stream(1, Duration.ofHours(1), 7));
		StreamDescriptor.All all = this.report.describe(
				Map.of(SERVER, first, new Source(Side.CLIENT, 0), first, new Source(Side.CLIENT, 1), second), 200_000);
		assertThat(all.server()).hasSize(StreamsReport.MOST).first().satisfies((each) -> {
			assertThat(each.side()).isEqualTo("server");
			assertThat(each.number()).isEqualTo(1);
			assertThat(each.peer()).isEqualTo("10.100.100.5:40000");
			assertThat(each.ageMillis()).isEqualTo(999_000);
			assertThat(each.received()).isNull();
		});
		assertThat(all.client()).hasSize(StreamsReport.MOST)
			.first()
			.satisfies((each) -> assertThat(each.ageMillis()).isEqualTo(3_600_000));
		assertThat(all.leftOut()).isEqualTo(200_000 - 2 * StreamsReport.MOST);
		assertThat(JsonMapper.shared().writeValueAsBytes(all)).hasSizeLessThan(MOST_BYTES);
	}

}
