package io.rpcboot.engine.stream;

import java.util.List;
import java.util.Objects;

import io.netty.handler.codec.http2.Http2Error;
import io.rpcboot.context.Attachments;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.AbstractServerEngine;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.server.RpcServerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

/** Header fields that precede the messages of a stream. */
class StreamHeadersIntegrationTests extends AbstractServerEngine {

	private static final String SERVICE = "/io.rpcboot.engine.stream.StreamHeadersIntegrationTests.Reports/";

	private final Sinks.Many<String> later = Sinks.many().unicast().onBackpressureBuffer();

	/** Methods that attach to their response. */
	public interface Reports {

		/** Attaches before it returns, and once its elements are taken. */
		Flux<String> rows(int count);

		/** Attaches, and has elements later. */
		Flux<String> waiting();

		/** Attaches more than a response may have. */
		Flux<String> full();

		/** Attaches, and fails before it returns. */
		Flux<String> failing();

	}

	private final class ReportsImpl implements Reports {

		private Attachments attach(String name, String value) {
			return Objects.requireNonNull(RpcContext.current()).replyAttachments().put(name, value);
		}

		@Override
		public Flux<String> rows(int count) {
			Attachments attachments = attach("source", "archive").put("kept", "1");
			return Flux.range(0, count)
				.map((each) -> "row " + each)
				.doOnComplete(() -> attachments.put("rows", String.valueOf(count)).put("kept", "2"));
		}

		@Override
		public Flux<String> waiting() {
			attach("source", "live");
			return StreamHeadersIntegrationTests.this.later.asFlux();
		}

		@Override
		public Flux<String> full() {
			attach("source", "x".repeat(100_000));
			return Flux.just("row");
		}

		@Override
		public Flux<String> failing() {
			attach("source", "none");
			throw new IllegalStateException("no report");
		}

	}

	@Override
	protected RpcServerBuilder builder() {
		return super.builder().service(Reports.class, new ReportsImpl());
	}

	private Http2Peer connect() {
		Http2Peer peer = Http2Peer.connect(port());
		atEnd(peer::close);
		return peer;
	}

	private static GrpcExchange open(Http2Peer peer, String method, byte[] request) {
		GrpcExchange call = peer.open(GrpcBytes.request(SERVICE + method), false);
		peer.data(call, GrpcBytes.message(request), true);
		return call;
	}

	private static String field(GrpcExchange call, int block, String name) {
		CharSequence value = call.headers.get(block).get(name);
		return (value != null) ? value.toString() : null;
	}

	/** A feed may have no element for hours. */
	@Test
	void headers_arrive_beforeTheFirstElement() throws Exception {
		GrpcExchange call = open(connect(), "Waiting", new byte[0]);
		Eventually.until("HEADERS have arrived", () -> !call.headers.isEmpty());
		assertThat(field(call, 0, "content-type")).isEqualTo("application/grpc");
		assertThat(field(call, 0, "source")).isEqualTo("live");
		assertThat(call.end).isNotDone();
		this.later.tryEmitNext("first").orThrow();
		this.later.tryEmitComplete().orThrow();
		assertThat(call.status()).isZero();
		assertThat(GrpcBytes.messages(call.data())).containsExactly(GrpcBytes.text("first"));
		assertThat(call.headers).hasSize(2);
		assertThat(call.field("source")).isNull();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 3, 1000 })
	void attachments_precedeElements_andLaterOnesFollow(int count) throws Exception {
		GrpcExchange call = open(connect(), "Rows", GrpcBytes.number(count));
		assertThat(call.status()).isZero();
		assertThat(GrpcBytes.messages(call.data())).hasSize(count);
		assertThat(List.of(field(call, 0, "source"), field(call, 0, "kept"))).containsExactly("archive", "1");
		assertThat(field(call, 0, "rows")).isNull();
		assertThat(call.field("rows")).isEqualTo(String.valueOf(count));
		assertThat(call.field("source")).isNull();
		assertThat(call.field("kept")).isEqualTo("2");
	}

	@Test
	void attachments_followFailure_ofMethod() throws Exception {
		GrpcExchange call = open(connect(), "Failing", new byte[0]);
		assertThat(call.status()).isEqualTo(2);
		assertThat(call.field("source")).isEqualTo("none");
	}

	@Test
	void tooManyAttachments_failStream() throws Exception {
		GrpcExchange call = open(connect(), "Full", new byte[0]);
		assertThat(call.status()).isEqualTo(13);
		assertThat(call.message()).contains("max-attachments-size");
		assertThat(field(call, 0, "source")).isNull();
	}

	@Test
	void client_mayLeave_whileItHasHeadersAlone() {
		Http2Peer peer = connect();
		GrpcExchange call = open(peer, "Waiting", new byte[0]);
		Eventually.until("HEADERS have arrived", () -> !call.headers.isEmpty());
		peer.reset(call, Http2Error.CANCEL);
		awaitInFlight(0);
	}

}
