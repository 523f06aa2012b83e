package io.rpcboot.internal.serialization.protobuf.scalar;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import io.rpcboot.internal.serialization.protobuf.schema.WellKnownFile;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogate;
import io.rpcboot.internal.serialization.types.value.TextSurrogates;

/**
 * Types of all values that need no other type, by class.
 */
public final class ValueTypes {

	private static final Map<Class<?>, FieldType> ALL = all();

	private ValueTypes() {
	}

	public static FieldType of(Class<?> type) {
		return Objects.requireNonNull(ALL.get(type), type.getName());
	}

	/** Returns the type of a class that is written as another one. */
	public static FieldType of(ScalarSurrogate conversion, FieldType basis) {
		return (basis instanceof SingularType singular) ? new SurrogateType(conversion, singular)
				: new ConvertedType(conversion, basis);
	}

	private static Map<Class<?>, FieldType> all() {
		Map<Class<?>, FieldType> all = new HashMap<>();
		ScalarType.ALL.forEach((each) -> all.put(each.javaType(), each));
		all.put(Void.class, new VoidType());
		for (ScalarSurrogate each : TextSurrogates.all()) {
			FieldType basis = all.get(each.basis());
			all.put(each.javaType(),
					of(each, (basis != null) ? basis : new PrimitiveArrayType(each.basis().getComponentType())));
		}
		all.put(LocalDate.class, new DateType((SingularType) Objects.requireNonNull(all.get(LocalDate.class)), false));
		all.put(LocalDateTime.class,
				new DateType((SingularType) Objects.requireNonNull(all.get(LocalDateTime.class)), true));
		all.put(Instant.class, new TimeType(WellKnownFile.TIMESTAMP));
		all.put(Duration.class, new TimeType(WellKnownFile.DURATION));
		return Map.copyOf(all);
	}

}
