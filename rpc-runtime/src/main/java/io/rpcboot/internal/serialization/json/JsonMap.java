package io.rpcboot.internal.serialization.json;

import java.util.LinkedHashMap;
import java.util.Map;

import io.rpcboot.internal.serialization.types.graph.Node.MapNode;
import io.rpcboot.internal.serialization.types.kind.Order;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonToken;

/**
 * Map: an object if every key has a text form, else an array of pairs, each an array of
 * key and value. A sorted map in reversed order is an array of
 * {@value JsonCollection#REVERSED} and the map.
 */
record JsonMap(MapNode node, JsonType key, JsonType value) implements JsonType {

	/**
	 * Maximum length of the name of a property, in characters. Jackson reads at most
	 * 50,000.
	 */
	private static final int MAX_NAME = 10_000;

	@Override
	public void write(JsonOutput out, Object map) {
		JsonType.requireInstance(map, this.node.javaType());
		boolean reversed = this.node.kind().isReversed(map);
		if (reversed) {
			out.writeStartArray();
			out.writeString(JsonCollection.REVERSED);
		}
		writeEntries(out, (Map<?, ?>) map);
		if (reversed) {
			out.writeEndArray();
		}
	}

	private void writeEntries(JsonOutput out, Map<?, ?> map) {
		Map<String, @Nullable Object> named = named(map);
		if (named == null) {
			out.writeStartArray();
			for (Map.Entry<?, ?> each : map.entrySet()) {
				out.enter();
				out.writeStartArray();
				writePart(out, this.key, each.getKey(), each.getKey());
				writePart(out, this.value, each.getValue(), each.getKey());
				out.writeEndArray();
				out.leave();
			}
			out.writeEndArray();
			return;
		}
		out.writeStartObject();
		named.forEach((name, each) -> {
			out.enter();
			out.writeName(name);
			writePart(out, this.value, each, name);
			out.leave();
		});
		out.writeEndObject();
	}

	private static void writePart(JsonOutput out, JsonType type, @Nullable Object part, @Nullable Object key) {
		try {
			type.writeNullable(out, part);
		}
		catch (RuntimeException ex) {
			throw JsonStreams.at(PathException.entry(key), ex);
		}
	}

	/** Returns the values by names of properties; null if a key has no name. */
	private @Nullable Map<String, @Nullable Object> named(Map<?, ?> map) {
		Map<String, @Nullable Object> named = new LinkedHashMap<>();
		for (Map.Entry<?, ?> each : map.entrySet()) {
			String name = nameOf(each.getKey());
			if (name == null || name.length() > MAX_NAME || !JsonOutput.isWellFormed(name)) {
				return null;
			}
			named.put(name, each.getValue());
		}
		return (named.size() == map.size()) ? named : null;
	}

	private @Nullable String nameOf(@Nullable Object key) {
		try {
			return (key != null) ? this.key.name(key) : null;
		}
		catch (RuntimeException ex) {
			throw JsonStreams.at(PathException.entry(key), ex);
		}
	}

	@Override
	public Object read(JsonInput in) {
		if (in.currentToken() == JsonToken.START_OBJECT) {
			return readEntries(in, true, false);
		}
		in.require(JsonToken.START_ARRAY);
		if (in.nextToken() != JsonToken.VALUE_STRING) {
			return readEntries(in, false, false);
		}
		if (!in.text().equals(JsonCollection.REVERSED)) {
			throw new PathException("a string (expected: pairs of key and value)");
		}
		boolean named = in.nextToken() == JsonToken.START_OBJECT;
		if (!named) {
			in.require(JsonToken.START_ARRAY);
			in.nextToken();
		}
		Object map = readEntries(in, named, true);
		in.next(JsonToken.END_ARRAY);
		return map;
	}

	/** Reads entries, from the start of an object or the first pair of an array. */
	private Object readEntries(JsonInput in, boolean named, boolean reversed) {
		long start = in.budget().size();
		Map<@Nullable Object, @Nullable Object> map = this.node.begin(in.budget(),
				reversed ? Order.REVERSED : Order.PLAIN);
		JsonToken end = named ? JsonToken.END_OBJECT : JsonToken.END_ARRAY;
		int count = 0;
		for (JsonToken token = named ? in.nextToken() : in.currentToken(); token != end; token = in.nextToken()) {
			in.enter();
			Object key = null;
			try {
				this.node.beginKey(in.budget());
				key = named ? namedKey(in, in.key()) : readKey(in);
				this.node.endKey(in.budget());
				in.nextToken();
				this.node.put(map, count++, key, this.value.readNullable(in), in.budget());
				if (!named) {
					in.next(JsonToken.END_ARRAY);
				}
			}
			catch (RuntimeException ex) {
				throw JsonStreams.at(PathException.entry(key), ex);
			}
			in.leave();
		}
		return this.node.finish(map, count, in.budget(), start);
	}

	private @Nullable Object namedKey(JsonInput in, String name) {
		if (!this.key.hasNames()) {
			throw new PathException(
					"a property '%s' (expected: pairs of %s and value)".formatted(name, this.node.key().javaType()));
		}
		return this.key.ofName(in, name);
	}

	private @Nullable Object readKey(JsonInput in) {
		in.require(JsonToken.START_ARRAY);
		in.nextToken();
		return this.key.readNullable(in);
	}

}
