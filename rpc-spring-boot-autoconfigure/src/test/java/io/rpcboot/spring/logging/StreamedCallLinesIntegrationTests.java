package io.rpcboot.spring.logging;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Line of the access log for a stream, at its end and with its elements. */
@Timeout(60)
class StreamedCallLinesIntegrationTests {

	private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(AccessLogInterceptor.LOGGER);

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent event) {
			StreamedCallLinesIntegrationTests.this.lines.add(event.getFormattedMessage());
		}

	};

	private RpcServer server;

	private RpcClient client;

	private Feeds feeds;

	@BeforeEach
	void start() {
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.logger.setLevel(Level.INFO);
		this.server = RpcServer.builder()
			.port(0)
			.interceptor(new AccessLogInterceptor(1))
			.service(Feeds.class, new FeedsImpl())
			.start();
		this.client = RpcClient.builder().build();
		this.feeds = this.client.reference(Feeds.class,
				ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", this.server.port())));
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.server.close();
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(null);
	}

	private String line() throws InterruptedException {
		String line = this.lines.poll(20, TimeUnit.SECONDS);
		assertThat(line).isNotNull();
		return line;
	}

	@Test
	void feed_hasOneLine_withElementsSent() throws Exception {
		assertThat(this.feeds.numbers(500).count().block()).isEqualTo(500);
		assertThat(line()).containsPattern(" method=numbers\\(int\\) status=OK millis=[0-9.]+ sent=500$");
		assertThat(this.lines).isEmpty();
	}

	@Test
	void upload_hasElementsReceived() throws Exception {
		assertThat(this.feeds.sum(Flux.range(0, 300))).isEqualTo(44_850);
		assertThat(line()).contains(" status=OK ").endsWith(" received=300");
	}

	@Test
	void exchange_hasBoth() throws Exception {
		assertThat(this.feeds.twice(Flux.range(0, 40)).count().block()).isEqualTo(80);
		assertThat(line()).contains(" status=OK ").endsWith(" received=40 sent=80");
	}

	@Test
	void failedFeed_hasStatusAndElementsBefore() throws Exception {
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.feeds.broken(7).blockLast());
		assertThat(line()).contains(" status=APPLICATION ").endsWith(" sent=7");
	}

	@Test
	void cancelledFeed_hasALineAtItsEnd() throws Exception {
		assertThat(this.feeds.endless().take(3).collectList().block()).containsExactly(0, 1, 2);
		assertThat(line()).contains(" status=CANCELLED ").containsPattern(" sent=[0-9]+$");
	}

	@Test
	void singleCall_hasNoElements() throws Exception {
		assertThat(this.feeds.echo("x")).isEqualTo("x");
		assertThat(line()).containsPattern(" status=OK millis=[0-9.]+$");
	}

	/** A contract. */
	public interface Feeds {

		Flux<Integer> numbers(int count);

		Flux<Integer> broken(int after);

		Flux<Integer> endless();

		int sum(Flux<Integer> numbers);

		Flux<Integer> twice(Flux<Integer> numbers);

		String echo(String text);

	}

	private static final class FeedsImpl implements Feeds {

		@Override
		public Flux<Integer> numbers(int count) {
			return Flux.range(0, count);
		}

		@Override
		public Flux<Integer> broken(int after) {
			return Flux.range(0, after).concatWith(Flux.error(new IllegalStateException("broken")));
		}

		@Override
		public Flux<Integer> endless() {
			return Flux.range(0, 3).concatWith(Flux.never());
		}

		@Override
		public int sum(Flux<Integer> numbers) {
			return numbers.reduce(0, Integer::sum).toFuture().join();
		}

		@Override
		public Flux<Integer> twice(Flux<Integer> numbers) {
			return numbers.flatMapIterable((each) -> List.of(each, each));
		}

		@Override
		public String echo(String text) {
			return text;
		}

	}

}
