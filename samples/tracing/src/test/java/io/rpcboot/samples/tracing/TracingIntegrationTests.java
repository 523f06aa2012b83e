package io.rpcboot.samples.tracing;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.metrics.history.NotedCall;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One trace: HTTP in, a call, a call that is answered later, a call on virtual threads.
 */
@Timeout(120)
@Tag("jdk25")
class TracingIntegrationTests {

	private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

	private static final String CALLER = "b7ad6b7169203331";

	private static final String PACKAGE = "io.rpcboot.samples.tracing.";

	private static final InMemorySpanExporter exporter = InMemorySpanExporter.create();

	private static Shop shop;

	private static Recorder lines;

	@SpringBootConfiguration(proxyBeanMethods = false)
	static class Spans {

		// at once, so that nothing has to be waited for but the end of spans
		@Bean
		SpanProcessor testSpanProcessor() {
			return SimpleSpanProcessor.create(exporter);
		}

	}

	@BeforeAll
	static void open() {
		shop = new Shop(Spans.class);
		lines = new Recorder("io.rpcboot.samples"); // the start of an application resets
													// loggers
	}

	@AfterAll
	static void close() {
		shop.close();
		lines.close();
	}

	@BeforeEach
	void reset() {
		exporter.reset();
		lines.clear();
	}

	private static HttpResponse<String> order(String item, String... headers) throws Exception {
		return get("/order/" + item, headers);
	}

	private static HttpResponse<String> get(String path, String... headers) throws Exception {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + shop.port() + path))
			.timeout(Duration.ofSeconds(30));
		for (int i = 0; i < headers.length; i += 2) {
			request.header(headers[i], headers[i + 1]);
		}
		return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	private static List<SpanData> spans(int count) {
		await().atMost(Duration.ofSeconds(20)).until(() -> exporter.getFinishedSpanItems().size() >= count);
		return exporter.getFinishedSpanItems();
	}

	private static SpanData span(List<SpanData> spans, String name, SpanKind kind) {
		return spans.stream()
			.filter((span) -> span.getName().equals(name) && span.getKind() == kind)
			.reduce((one, other) -> {
				throw new AssertionError("two spans " + name);
			})
			.orElseThrow(() -> new AssertionError(
					"no span " + name + " in " + spans.stream().map(SpanData::getName).toList()));
	}

	private static String attribute(SpanData span, String key) {
		return span.getAttributes().get(AttributeKey.stringKey(key));
	}

	@Test
	void trace_spansAllApplications() throws Exception {
		order("tea"); // connected
		spans(9);
		reset();
		HttpResponse<String> response = order("tea", "traceparent", "00-" + TRACE + "-" + CALLER + "-01", "baggage",
				"tenant=acme");
		assertThat(response.body()).isEqualTo("shelf 7");
		List<SpanData> spans = spans(9);
		assertThat(spans).hasSize(9).allMatch((span) -> span.getTraceId().equals(TRACE));
		SpanData http = span(spans, "http get /order/{item}", SpanKind.SERVER);
		SpanData atFront = span(spans, PACKAGE + "OrderService/order", SpanKind.CLIENT);
		SpanData atOrders = span(spans, PACKAGE + "OrderService/order", SpanKind.SERVER);
		SpanData toStock = span(spans, PACKAGE + "StockService/reserve", SpanKind.CLIENT);
		SpanData atStock = span(spans, PACKAGE + "StockService/reserve", SpanKind.SERVER);
		SpanData toWarehouse = span(spans, PACKAGE + "WarehouseService/find", SpanKind.CLIENT);
		SpanData atWarehouse = span(spans, PACKAGE + "WarehouseService/find", SpanKind.SERVER);
		assertThat(http.getParentSpanId()).isEqualTo(CALLER);
		assertChain(http, atFront, atOrders, toStock, atStock, toWarehouse, atWarehouse);
		SpanData told = span(spans, PACKAGE + "StockService/ordered", SpanKind.CLIENT);
		SpanData heard = span(spans, PACKAGE + "StockService/ordered", SpanKind.SERVER);
		assertThat(told.getParentSpanId()).isEqualTo(atOrders.getSpanId());
		assertThat(heard.getParentSpanId()).isEqualTo(told.getSpanId());
		assertThat(spans).allMatch((span) -> span.getStatus().getStatusCode() != StatusCode.ERROR);
		assertThat(attribute(atOrders, "rpc.system.name")).isEqualTo("rpcboot");
		assertThat(attribute(atOrders, "rpc.method")).isEqualTo(PACKAGE + "OrderService/order");
		assertThat(attribute(atOrders, "rpc.status_code")).isEqualTo("OK");
		assertThat(attribute(atOrders, "network.peer.address")).isEqualTo("127.0.0.1");
		assertThat(attribute(atOrders, "network.peer.port")).isNotBlank();
		assertThat(attribute(atFront, "server.address")).isEqualTo("127.0.0.1");
		assertThat(attribute(atFront, "server.port")).isNotBlank();
		assertThat(attribute(atFront, "error.type")).isNull();
	}

	/** Each is the parent of the next one, and lasts as long at least. */
	private static void assertChain(SpanData... spans) {
		for (int i = 1; i < spans.length; i++) {
			assertThat(spans[i].getParentSpanId()).as(spans[i].getName()).isEqualTo(spans[i - 1].getSpanId());
			assertThat(spans[i].getEndEpochNanos() - spans[i].getStartEpochNanos()).as(spans[i].getName())
				.isPositive()
				.isLessThanOrEqualTo(spans[i - 1].getEndEpochNanos() - spans[i - 1].getStartEpochNanos());
		}
	}

	@Test
	void logLines_haveTraceAndBaggage() throws Exception {
		order("tea", "traceparent", "00-" + TRACE + "-" + CALLER + "-01", "baggage", "tenant=acme");
		List<SpanData> spans = spans(9);
		await().until(() -> lines.events().stream().anyMatch((line) -> line.getMessage().equals("it was ordered")));
		assertThat(lines.events()).hasSizeGreaterThanOrEqualTo(5)
			.allSatisfy((line) -> assertThat(line.getMDCPropertyMap()).containsEntry("traceId", TRACE)
				.containsEntry("tenant", "acme"));
		assertSpan("an order is requested", span(spans, "http get /order/{item}", SpanKind.SERVER));
		assertSpan("an order has arrived", span(spans, PACKAGE + "OrderService/order", SpanKind.SERVER));
		assertSpan("it was ordered", span(spans, PACKAGE + "StockService/ordered", SpanKind.SERVER));
		assertSpan("it is reserved", span(spans, PACKAGE + "StockService/reserve", SpanKind.SERVER));
		ILoggingEvent last = assertSpan("it is looked up",
				span(spans, PACKAGE + "WarehouseService/find", SpanKind.SERVER));
		if (Runtime.version().feature() >= 21) {
			assertThat(last.getThreadName()).startsWith("rpc-virtual-");
		}
		reset();
		order("tea");
		spans(9);
		assertThat(lines.events()).as("never in the next call")
			.allSatisfy((line) -> assertThat(line.getMDCPropertyMap()).doesNotContainKey("tenant")
				.doesNotContainValue(TRACE));
	}

	private static ILoggingEvent assertSpan(String message, SpanData span) {
		ILoggingEvent line = lines.line(message);
		assertThat(line.getMDCPropertyMap()).containsEntry("spanId", span.getSpanId());
		return line;
	}

	@Test
	void failure_isErrorUnlessExceptionIsDeclared() throws Exception {
		assertThat(order("unknown").body()).isEqualTo("nowhere");
		List<SpanData> declared = spans(9);
		SpanData found = span(declared, PACKAGE + "WarehouseService/find", SpanKind.SERVER);
		assertThat(attribute(found, "rpc.status_code")).isEqualTo("DECLARED");
		assertThat(declared).allMatch((span) -> span.getStatus().getStatusCode() != StatusCode.ERROR);
		reset();
		assertThat(order("broken").statusCode()).isEqualTo(500);
		List<SpanData> failed = spans(9);
		for (SpanKind side : List.of(SpanKind.CLIENT, SpanKind.SERVER)) {
			SpanData broken = span(failed, PACKAGE + "WarehouseService/find", side);
			assertThat(broken.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
			assertThat(attribute(broken, "error.type")).isEqualTo("APPLICATION");
		}
		String trace = failed.get(0).getTraceId();
		RpcHistory history = shop.application(Warehouse.class).getBean(RpcHistory.class);
		await().until(() -> !history.failed().isEmpty());
		assertThat(history.failed()).extracting(NotedCall::traceId).contains(trace);
		assertThat(get("/actuator/rpc/calls").body()).contains("\"traceId\":\"" + trace + "\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "garbage", "00-00000000000000000000000000000000-0000000000000000-01", "00-" + TRACE,
			"ff-" + TRACE + "-" + CALLER + "-01", "\u00ff\u0001" })
	void invalidTraceHeader_startsNewTrace(String traceparent) throws Exception {
		Endpoint endpoint = new Endpoint("127.0.0.1",
				shop.application(Warehouse.class).getBean(RpcServer.class).port());
		try (RpcClient client = RpcClient.builder().build()) {
			WarehouseService warehouse = client.reference(WarehouseService.class,
					ReferenceOptions.defaults().withEndpoints(endpoint));
			CallOptions options = CallOptions.with("traceparent", traceparent)
				.and("tracestate", "\r\n=,,=" + traceparent)
				.and("baggage", "tenant=%0d%0a;;,=,%zz=" + traceparent);
			assertThat(options.call(() -> warehouse.find("tea"))).isEqualTo("shelf 7");
		}
		SpanData span = spans(1).get(0);
		assertThat(span.getParentSpanContext().isValid()).isFalse();
		assertThat(span.getTraceId()).matches("[0-9a-f]{32}").isNotEqualTo(TRACE);
	}

	@Test
	void observationHistograms_haveExemplars() throws Exception {
		order("tea");
		spans(9);
		for (Class<?> application : List.of(Front.class, Warehouse.class)) {
			PrometheusMeterRegistry registry = shop.application(application).getBean(PrometheusMeterRegistry.class);
			await().untilAsserted(() -> assertThat(registry.scrape("application/openmetrics-text")).containsPattern(
					"rpc_(client|server)_call_duration_seconds_bucket\\{.*# \\{.*trace_id=\"[0-9a-f]{32}\""));
			assertThat(registry.scrape())
				.contains("rpc_" + ((application == Front.class) ? "client" : "server") + "_calls_seconds_count");
		}
	}

}
