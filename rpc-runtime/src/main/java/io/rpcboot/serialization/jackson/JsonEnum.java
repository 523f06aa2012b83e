package io.rpcboot.serialization.jackson;

import java.util.HashMap;
import java.util.Map;

import io.rpcboot.RpcEnumDefault;
import io.rpcboot.serialization.types.EnumNode;
import io.rpcboot.serialization.types.PathException;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * An enum, by the names of its constants. One that only the writer has is the
 * {@link RpcEnumDefault} constant, else null.
 */
final class JsonEnum extends JsonType {

	/** By the writer's names. */
	private final Map<String, @Nullable Enum<?>> constants = new HashMap<>();

	JsonEnum(EnumNode node) {
		super(node.javaType());
		node.constants().forEach((each) -> this.constants.put(each.written().name(), each.value()));
	}

	@Override
	void write(JsonGenerator out, Object value) {
		out.writeString(((Enum<?>) value).name());
	}

	@Override
	@Nullable Object read(JsonInput in) {
		return ofName(in, JsonValue.string(in));
	}

	@Override
	String name(Object value) {
		return ((Enum<?>) value).name();
	}

	@Override
	@Nullable Object ofName(JsonInput in, String name) {
		if (!this.constants.containsKey(name)) {
			throw new PathException(
					"no constant of %s (expected: one of %s)".formatted(javaType().getName(), this.constants.keySet()));
		}
		return this.constants.get(name);
	}

}
