package io.rpcboot.engine.grpc;

import io.netty.handler.codec.http2.Http2Settings;
import io.rpcboot.engine.fixture.AbstractServerEngine;
import io.rpcboot.engine.fixture.http2.Http2Peer;
import io.rpcboot.fixture.Eventually;

/** A server with clients of gRPC. */
abstract class AbstractGrpcEngine extends AbstractServerEngine {

	/** Returns a new connection; starts a server if there is none. */
	Http2Peer connect(Http2Settings settings) {
		return closing(Http2Peer.connect(port(), settings));
	}

	Http2Peer connect() {
		return connect(new Http2Settings());
	}

	Http2Peer closing(Http2Peer peer) {
		atEnd(peer::close);
		return peer;
	}

	/** Waits until a line is logged that contains a text. */
	void awaitLogged(String text) {
		Eventually.until("logged: %s; lines: %s".formatted(text, this.log.messages()),
				() -> this.log.messages().stream().anyMatch((each) -> each.contains(text)));
	}

}
