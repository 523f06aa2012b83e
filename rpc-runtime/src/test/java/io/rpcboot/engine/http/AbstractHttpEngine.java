package io.rpcboot.engine.http;

import io.rpcboot.engine.fixture.AbstractServerEngine;

/** A server with clients of HTTP/1.1. */
abstract class AbstractHttpEngine extends AbstractServerEngine {

	static final String SERVICE = "/io.rpcboot.engine.fixture.Calls/";

	/** Returns a new connection; starts a server if there is none. */
	HttpPeer connect() {
		HttpPeer peer = new HttpPeer(port());
		atEnd(peer::close);
		return peer;
	}

	/** Calls a method on a new connection. */
	HttpPeer.Response call(String method, String json, String... fields) {
		return connect().post(SERVICE + method, json, fields).read();
	}

}
