package io.rpcboot.internal.protocol.http2;

import java.util.ArrayList;
import java.util.List;

/** Resolves a path to an object, and writes down what it was asked. */
public final class RecordingResolver implements HeaderResolver {

	static final int PATH = 1;

	static final int TIMEOUT = 2;

	final List<String> names = new ArrayList<>();

	final List<String> values = new ArrayList<>();

	@Override
	public int kindOf(String name) {
		this.names.add(name);
		return switch (name) {
			case ":path" -> PATH;
			case "grpc-timeout" -> TIMEOUT;
			default -> OTHER;
		};
	}

	@Override
	public Object resolve(int kind, String value) {
		this.values.add(value);
		return (kind == PATH) ? List.of(value) : null;
	}

}
