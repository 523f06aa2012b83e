package io.rpcboot.internal.relay.http2;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.protocol.http2.HeaderResolver;
import io.rpcboot.internal.server.access.CorsPolicy;
import io.rpcboot.internal.server.connection.http2.RequestHeaders.Head;

/** Header fields of requests. */
final class Heads {

	private static final HeaderResolver NONE = new HeaderResolver() {

		@Override
		public int kindOf(String name) {
			return OTHER;
		}

		@Override
		public Object resolve(int kind, String value) {
			return null;
		}

	};

	private Heads() {
	}

	/** Fields with names and values in turn, behind those that every request has. */
	static Head head(ContentType type, String path, String version, String... more) {
		List<HeaderField> fields = new ArrayList<>();
		add(fields, ":method", "POST", ":scheme", "http", ":path", path, ":authority", "relay:9090", "content-type",
				type.text(), "te", "trailers");
		add(fields, more);
		return new Head(type, path, version, null, Long.MAX_VALUE, fields, CorsPolicy.Asked.NOTHING);
	}

	static Head head(String path, String... more) {
		return head(ContentType.GRPC, path, null, more);
	}

	private static void add(List<HeaderField> fields, String... more) {
		for (int i = 0; i < more.length; i += 2) {
			fields.add(HeaderField.of(NONE, more[i], more[i + 1]));
		}
	}

}
