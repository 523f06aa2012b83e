package io.rpcboot.engine.stream;

import java.util.ArrayList;
import java.util.List;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.engine.fixture.AbstractServerEngine;
import io.rpcboot.engine.fixture.http2.GrpcBytes;
import io.rpcboot.engine.fixture.http2.GrpcExchange;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.server.ServiceOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Open streams have limits of their own, and single calls go on beside them. */
class StreamLimitsIntegrationTests extends AbstractServerEngine {

	private static final String FEEDS = "/io.rpcboot.engine.stream.Feeds/";

	private static final int RESOURCE_EXHAUSTED = 8;

	@Override
	protected RpcServerBuilder builder() {
		return super.builder().service(Feeds.class, new FeedsImpl());
	}

	private Http2Peer connect() {
		Http2Peer peer = Http2Peer.connect(port(), new Http2Settings());
		atEnd(peer::close);
		return peer;
	}

	/** Opens a feed whose elements do not come. */
	private static GrpcExchange open(Http2Peer peer) {
		GrpcExchange feed = peer.open(GrpcBytes.request(FEEDS + "Silent"), false);
		peer.data(feed, GrpcBytes.message(), true);
		return feed;
	}

	private List<GrpcExchange> open(Http2Peer peer, int count) {
		List<GrpcExchange> feeds = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			feeds.add(open(peer));
		}
		awaitStreams(count);
		return feeds;
	}

	private void awaitStreams(int count) {
		Eventually.until(count + " streams are open", () -> this.accounts.of(Gauge.STREAMS) == count);
	}

	private static void assertServes(Http2Peer peer) throws Exception {
		GrpcExchange call = peer.open(GrpcBytes.request(FEEDS + "Echo"), false);
		peer.data(call, GrpcBytes.message(GrpcBytes.text("x")), true);
		assertThat(call.text()).isEqualTo("x");
	}

	@Test
	void feeds_takeNoPlaceOfCalls() throws Exception {
		start(builder().maxInFlightCalls(4).maxCallsPerConnection(2));
		Http2Peer peer = connect();
		open(peer, 1);
		for (int i = 1; i <= 90; i++) {
			awaitStreams(i);
			assertServes(peer); // the client has learnt that it may open more
			if (i < 90) {
				open(peer);
			}
		}
		for (int i = 0; i < 5; i++) {
			assertServes(peer);
		}
		awaitInFlight(90);
	}

	@Test
	void limitOfServer_isNamed_andPlacesAreGivenBack() throws Exception {
		start(builder().maxStreams(3));
		Http2Peer first = connect();
		Http2Peer second = connect();
		List<GrpcExchange> feeds = open(first, 3);
		GrpcExchange refused = open(second);
		assertThat(refused.status()).isEqualTo(RESOURCE_EXHAUSTED);
		assertThat(refused.message()).contains("rpc.server.limits.streams: 3 streams");
		assertThat(refused.field("rpc-executed")).isEqualTo("false");
		assertServes(second);
		first.reset(feeds.get(0), Http2Error.CANCEL);
		awaitStreams(2);
		open(second);
		awaitStreams(3);
		first.close();
		awaitStreams(1);
	}

	@Test
	void limitOfConnection_isNamed() throws Exception {
		start(builder().maxStreamsPerConnection(2));
		Http2Peer peer = connect();
		open(peer, 2);
		GrpcExchange refused = open(peer);
		assertThat(refused.status()).isEqualTo(RESOURCE_EXHAUSTED);
		assertThat(refused.message()).contains("rpc.server.limits.streams-per-connection: 2 streams");
		assertServes(peer);
		open(connect());
		awaitStreams(3);
	}

	@Test
	void limitOfService_isNamed_andHoldsForItAlone() throws Exception {
		ServiceOptions two = ServiceOptions.defaults().withMaxStreams(2);
		start(super.builder().service(ServiceDescriptor.of(Feeds.class), FeedsImpl::new, two)
			.service(Uploads.class, new UploadsImpl()));
		Http2Peer peer = connect();
		List<GrpcExchange> feeds = open(peer, 2);
		GrpcExchange refused = open(connect());
		assertThat(refused.status()).isEqualTo(RESOURCE_EXHAUSTED);
		assertThat(refused.message())
			.contains("rpc.server.services[io.rpcboot.engine.stream.Feeds].max-streams: 2 streams of the service");
		assertThat(refused.field("rpc-executed")).isEqualTo("false");
		assertServes(peer);
		GrpcExchange upload = peer.open(GrpcBytes.request("/io.rpcboot.engine.stream.Uploads/Silent"), false);
		awaitStreams(3);
		assertThat(ofService("Feeds")).isEqualTo(2);
		assertThat(ofService("Uploads")).isEqualTo(1);
		peer.reset(feeds.get(0), Http2Error.CANCEL);
		peer.reset(upload, Http2Error.CANCEL);
		awaitStreams(1);
		assertThat(ofService("Feeds")).isEqualTo(1);
		open(peer);
		awaitStreams(2);
		peer.close();
		awaitStreams(0);
		assertThat(ofService("Feeds")).isZero();
		assertThat(ofService("Uploads")).isZero();
	}

	private int ofService(String name) {
		return this.server.services()
			.stream()
			.filter((each) -> each.service().name().endsWith("." + name))
			.mapToInt(ServiceInfo::openStreams)
			.sum();
	}

	/** A stream that the server refuses does not count for its service. */
	@Test
	void streamBeyondLimitOfServer_isNotCountedForItsService() throws Exception {
		start(builder().maxStreams(1));
		Http2Peer peer = connect();
		open(peer, 1);
		assertThat(open(peer).status()).isEqualTo(RESOURCE_EXHAUSTED);
		assertThat(ofService("Feeds")).isEqualTo(1);
	}

	@Test
	void client_learnsThatItMayOpenMore() {
		Http2Peer peer = connect();
		for (int i = 1; i <= 9; i++) {
			for (int j = 0; j < 90; j++) {
				open(peer);
			}
			awaitStreams(90 * i);
		}
		assertThat(peer.frames()).noneMatch((each) -> each.contains("RST_STREAM"));
	}

	@Test
	void abandonedStreams_areCountedOut() {
		Http2Peer peer = connect();
		List<GrpcExchange> feeds = open(peer, 5);
		feeds.forEach((each) -> peer.reset(each, Http2Error.CANCEL));
		awaitStreams(0);
		awaitInFlight(0);
	}

}
