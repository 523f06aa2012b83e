package io.rpcboot.samples.streams;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcCallback;
import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.samples.streams.Quotes.Quote;
import io.rpcboot.samples.streams.StreamsIntegrationTests.Measurements.Summary;
import io.rpcboot.samples.streams.StreamsIntegrationTests.Oracle.Answer;
import io.rpcboot.samples.streams.StreamsIntegrationTests.Oracle.Question;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.util.retry.Retry;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the snippets of docs/streams.md. */
@SpringBootTest(properties = "rpc.server.port=0", classes = StreamsIntegrationTests.Application.class)
public class StreamsIntegrationTests {

	private static final int PART = 16 * 1024;

	@Autowired
	private Ticker ticker;

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ DefaultQuotes.class, Ticker.class })
	static class Application {

	}

	/** A download. */
	public interface Reports {

		Stream<byte[]> export(String customer);

	}

	/** A download that has to end. */
	public interface HastyReports {

		// @formatter:off
		@RpcMethod(timeout = "1m")
		Stream<byte[]> export(String customer);
		// @formatter:on

	}

	/** A feed that goes on where it was. */
	public interface Journal {

		Flux<Entry> entries(long after);

		/**
		 * An entry.
		 *
		 * @param number from 1 on
		 */
		record Entry(long number) {
		}

	}

	@Test
	void feed_sendsQuotes() {
		assertThat(this.ticker.first("ACME", 3)).containsExactly(quote(0), quote(1), quote(2));
	}

	private static Quote quote(long price) {
		return new Quote("ACME", BigDecimal.valueOf(price));
	}

	@Test
	void download_isWritten(@TempDir Path directory) throws IOException {
		Path file = directory.resolve("report");
		Reports offered = (customer) -> LongStream.range(0, 1000).mapToObj((part) -> new byte[PART]);
		try (RpcServer server = RpcServer.builder().port(0).service(Reports.class, offered).start();
				RpcClient client = RpcClient.builder().build()) {
			write(client.reference(Reports.class, at(server)), file);
		}
		assertThat(file).hasSize(1000L * PART);
	}

	private static void write(Reports reports, Path file) throws IOException {
		try (Stream<byte[]> parts = reports.export("acme"); OutputStream out = Files.newOutputStream(file)) {
			for (Iterator<byte[]> each = parts.iterator(); each.hasNext();) {
				out.write(each.next());
			}
		}
	}

	private static ReferenceOptions at(RpcServer server) {
		return ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", server.port()));
	}

	/** An upload. */
	public interface Measurements {

		CompletableFuture<Summary> record(String device, Flux<Double> values);

		/**
		 * Summary of an upload.
		 *
		 * @param count number of the values
		 */
		record Summary(String device, long count, double max) {
		}

	}

	private static final class DefaultMeasurements implements Measurements {

		@Override
		public CompletableFuture<Summary> record(String device, Flux<Double> values) {
			return values.collect(Collectors.summarizingDouble((value) -> value))
				.map((all) -> new Summary(device, all.getCount(), all.getMax()))
				.toFuture();
		}

	}

	@Test
	void upload_isSummed() {
		Measurements offered = new DefaultMeasurements();
		try (RpcServer server = RpcServer.builder().port(0).service(Measurements.class, offered).start();
				RpcClient client = RpcClient.builder().build()) {
			Measurements measurements = client.reference(Measurements.class, at(server));
			Summary summary = measurements.record("boiler", Flux.just(61.5, 62.0, 64.5)).join();
			assertThat(summary).isEqualTo(new Summary("boiler", 3, 64.5));
		}
	}

	/** A chat. */
	public interface Oracle {

		Flux<Answer> ask(Flux<Question> questions);

		/** A question. */
		record Question(String text) {
		}

		/** An answer. */
		record Answer(String text) {
		}

	}

	private static final class DefaultOracle implements Oracle {

		@Override
		public Flux<Answer> ask(Flux<Question> questions) {
			return questions.map((question) -> new Answer(question.text().toUpperCase(Locale.ROOT)));
		}

	}

	@Test
	void chat_answersEachQuestion() {
		Oracle offered = new DefaultOracle();
		try (RpcServer server = RpcServer.builder().port(0).service(Oracle.class, offered).start();
				RpcClient client = RpcClient.builder().build()) {
			Oracle oracle = client.reference(Oracle.class, at(server));
			assertThat(oracle.ask(Flux.just(new Question("why"), new Question("when")))
				.map(Answer::text)
				.collectList()
				.block()).containsExactly("WHY", "WHEN");
		}
	}

	/** A service that tells of its progress. */
	// @formatter:off
	public interface Builds {

		Report build(String id, @RpcCallback Progress progress);

	}
	// @formatter:on

	/** Result of a build. */
	public record Report(String id, int done) {
	}

	/** A callback. */
	public interface Progress {

		void percent(int done);

		boolean goOn(String step);

	}

	private static final class DefaultBuilds implements Builds {

		@Override
		public Report build(String id, Progress progress) {
			int done = 0;
			while (done < 100 && progress.goOn("step " + done / 25)) {
				done += 25;
				progress.percent(done);
			}
			return new Report(id, done);
		}

	}

	/** Shows a progress, as a bar of Swing does. */
	private static final class Bar {

		private final List<Integer> values = new ArrayList<>();

		void setValue(int value) {
			this.values.add(value);
		}

	}

	@Test
	void callback_isTold_untilItStops() {
		Bar bar = new Bar();
		AtomicBoolean stopped = new AtomicBoolean();
		try (RpcServer server = RpcServer.builder().port(0).service(Builds.class, new DefaultBuilds()).start();
				RpcClient client = RpcClient.builder().build()) {
			Builds builds = client.reference(Builds.class, at(server));
			assertThat(build(builds, bar, stopped)).isEqualTo(new Report("acme", 100));
			assertThat(bar.values).containsExactly(25, 50, 75, 100);
			stopped.set(true);
			assertThat(build(builds, bar, stopped)).isEqualTo(new Report("acme", 0));
		}
	}

	private static Report build(Builds builds, Bar bar, AtomicBoolean stopped) {
		Report report = builds.build("acme", new Progress() {

			@Override
			public void percent(int done) {
				bar.setValue(done);
			}

			@Override
			public boolean goOn(String step) {
				return !stopped.get();
			}

		});
		return report;
	}

	/** Each of its streams breaks after ten entries. */
	@Test
	void feed_goesOnWhereItWas() {
		AtomicInteger calls = new AtomicInteger();
		Journal offered = (after) -> {
			calls.incrementAndGet();
			return Flux.range(1, 10)
				.map((each) -> new Journal.Entry(after + each))
				.concatWith((after >= 40) ? Flux.empty()
						: Flux.error(new RpcException(RpcStatus.UNAVAILABLE, "broken", true)));
		};
		try (RpcServer server = RpcServer.builder().port(0).service(Journal.class, offered).start();
				RpcClient client = RpcClient.builder().build()) {
			List<Journal.Entry> entries = all(client.reference(Journal.class, at(server))).collectList().block();
			assertThat(entries).map(Journal.Entry::number)
				.containsExactlyElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
			assertThat(calls).hasValue(5);
		}
	}

	Flux<Journal.Entry> all(Journal journal) {
		AtomicLong last = new AtomicLong();
		return Flux.defer(() -> journal.entries(last.get()))
			.doOnNext((entry) -> last.set(entry.number()))
			.retryWhen(Retry.backoff(10, Duration.ofMillis(50)));
	}

}
