package io.rpcboot.internal.serialization.protostuff.scalar;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.value.Numbers;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogate;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogates;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Types of all values that need no other type, by class.
 */
public final class ValueTypes {

	public static final Map<Class<?>, ValueType> ALL = all();

	private ValueTypes() {
	}

	private static Map<Class<?>, ValueType> all() {
		Map<Class<?>, ValueType> all = new HashMap<>();
		all.put(String.class, new StringType());
		all.put(byte[].class, new BytesType());
		all.put(Void.class, new VoidType());
		for (ScalarType each : ScalarType.ALL) {
			all.put(each.primitive(), each);
			all.put(Numbers.box(each.primitive()), each);
		}
		BuiltInTypes.all().forEach((each) -> all.put(each.javaType(), each));
		for (ScalarSurrogate each : ScalarSurrogates.all()) {
			all.put(each.javaType(),
					new SurrogateType(each,
							(each.basis().isArray() && each.basis() != byte[].class)
									? new PrimitiveArrayType(each.basis().getComponentType())
									: Objects.requireNonNull(all.get(each.basis()))));
		}
		return Map.copyOf(all);
	}

	private static final class StringType extends ValueType {

		StringType() {
			super(WireFormat.WIRETYPE_LENGTH_DELIMITED, 0);
		}

		@Override
		public void write(ProtostuffOutput out, int number, Object value) {
			out.writeText(number, (String) value);
		}

		@Override
		public Object read(ProtostuffInput in) {
			return in.readText();
		}

		@Override
		public @Nullable Object takeField(ProtostuffInput in, int number) {
			return in.takeText(WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED));
		}

	}

	/** Type of {@code Result<Void>}, whose only value is null. */
	private static final class VoidType extends ValueType {

		VoidType() {
			super(WireFormat.WIRETYPE_VARINT);
		}

		@Override
		public void write(ProtostuffOutput out, int number, Object value) {
			throw new PathException("%s for java.lang.Void (expected: null)".formatted(value.getClass().getTypeName()));
		}

		@Override
		public Object read(ProtostuffInput in) {
			throw new PathException("a value for java.lang.Void (expected: null)");
		}

	}

}
