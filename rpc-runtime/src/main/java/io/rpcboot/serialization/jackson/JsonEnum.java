package io.rpcboot.serialization.jackson;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.RpcEnumDefault;
import io.rpcboot.serialization.contract.ContractMember;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/**
 * An enum, by the names of its constants. One that only the writer has is the
 * {@link RpcEnumDefault} constant, else null.
 */
final class JsonEnum extends JsonType {

	/** By the writer's names. */
	private final Map<String, @Nullable Enum<?>> constants = new HashMap<>();

	/**
	 * Create a type.
	 * @param own the constants in the own contract
	 * @param written the constants in the writer's contract
	 */
	JsonEnum(Class<?> type, List<ContractMember> own, List<ContractMember> written) {
		super(type);
		Enum<?>[] all = (Enum<?>[]) type.getEnumConstants();
		Enum<?> unknown = unknown(all);
		for (ContractMember each : written) {
			ContractMember found = JsonTypes.find(own, each);
			this.constants.put(each.name(), (found != null) ? all[found.number()] : unknown);
		}
	}

	private static @Nullable Enum<?> unknown(Enum<?>[] constants) {
		for (Enum<?> each : constants) {
			try {
				if (each.getDeclaringClass().getField(each.name()).isAnnotationPresent(RpcEnumDefault.class)) {
					return each;
				}
			}
			catch (NoSuchFieldException ex) {
				throw new IllegalStateException("every constant is a field", ex);
			}
		}
		return null;
	}

	@Override
	void write(JsonGenerator out, Object value) {
		out.writeString(((Enum<?>) value).name());
	}

	@Override
	@Nullable Object read(JsonParser in) {
		return ofName(JsonValue.string(in));
	}

	@Override
	String name(Object value) {
		return ((Enum<?>) value).name();
	}

	@Override
	@Nullable Object ofName(String name) {
		if (!this.constants.containsKey(name)) {
			throw new JsonFailure(
					"no constant of %s (expected: one of %s)".formatted(javaType().getName(), this.constants.keySet()));
		}
		return this.constants.get(name);
	}

}
