package io.rpcboot.internal.server.openapi;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;

/** Documents of servers that are never started. */
final class Documents {

	private Documents() {
	}

	static RpcServerBuilder builder(Class<?>... services) {
		RpcServerBuilder builder = RpcServer.builder().applicationName("shop");
		for (Class<?> each : services) {
			builder.service(ServiceDescriptor.of(each), Object::new);
		}
		return builder;
	}

	static String text(RpcServerBuilder builder) {
		try (RpcServer server = builder.build()) {
			return server.openApi();
		}
	}

	static JsonElement of(Class<?>... services) {
		return JsonParser.parseString(text(builder(services)));
	}

	/** Returns the element at a path of names and indexes. */
	static JsonElement at(JsonElement root, Object... path) {
		JsonElement element = root;
		for (Object each : path) {
			JsonElement next = (each instanceof Integer index) ? element.getAsJsonArray().get(index)
					: element.getAsJsonObject().get((String) each);
			if (next == null) {
				throw new AssertionError("no " + each + " in " + element);
			}
			element = next;
		}
		return element;
	}

	/** Returns the schema of a message. */
	static JsonElement schema(JsonElement document, String message) {
		return at(document, "components", "schemas", message);
	}

	/** Reads JSON, in which quotes may be missing. */
	static JsonElement json(String text) {
		return JsonParser.parseString(text);
	}

}
