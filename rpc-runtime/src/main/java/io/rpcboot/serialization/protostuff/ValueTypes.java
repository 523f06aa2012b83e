package io.rpcboot.serialization.protostuff;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import io.protostuff.WireFormat;
import io.protostuff.runtime.Delegate;

import io.rpcboot.serialization.types.Numbers;
import io.rpcboot.serialization.types.PathException;
import io.rpcboot.serialization.types.ReadBudget;
import io.rpcboot.serialization.types.SimpleForm;
import io.rpcboot.serialization.types.SimpleForms;

import org.jspecify.annotations.Nullable;

/**
 * How each value that needs no other type is written and read, by its class.
 */
final class ValueTypes {

	private static final Map<Class<?>, ValueType> BUILT_IN = builtIn();

	private ValueTypes() {
	}

	/**
	 * The built-in types, and the delegates that are given for more or in their place.
	 */
	static Map<Class<?>, ValueType> of(Collection<Delegate<?>> delegates) {
		Map<Class<?>, ValueType> all = new HashMap<>(BUILT_IN);
		delegates.forEach((each) -> all.put(each.typeClass(), new DelegateType(each)));
		return all;
	}

	private static Map<Class<?>, ValueType> builtIn() {
		Map<Class<?>, ValueType> all = new HashMap<>();
		all.put(String.class, new StringType());
		all.put(byte[].class, new BytesType());
		all.put(Void.class, new VoidType());
		for (ScalarType each : ScalarType.ALL) {
			all.put(each.primitive, each);
			all.put(Numbers.box(each.primitive), each);
		}
		BuiltInTypes.all().forEach((each) -> all.put(each.javaType(), each));
		for (SimpleForm each : SimpleForms.all()) {
			all.put(each.javaType(),
					new FormType(each,
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
		void write(ProtostuffOutput out, int number, Object value) {
			Text.write(out, number, (String) value);
		}

		@Override
		Object read(ProtostuffInput in) {
			return Text.read(in);
		}

		@Override
		@Nullable Object takeField(ProtostuffInput in, int number) {
			return Text.take(in, WireFormat.makeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED));
		}

	}

	/** The type of {@code Result<Void>}: only null. */
	private static final class VoidType extends ValueType {

		VoidType() {
			super(WireFormat.WIRETYPE_VARINT);
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			throw new PathException("%s for java.lang.Void (expected: null)".formatted(value.getClass().getName()));
		}

		@Override
		Object read(ProtostuffInput in) {
			throw new PathException("a value for java.lang.Void (expected: null)");
		}

	}

	/** A class of the JDK as a simpler value. */
	private static final class FormType extends ValueType {

		/** Three objects. What takes more is charged where it is read. */
		private static final int WEIGHT = 72;

		private final SimpleForm form;

		private final ValueType basis;

		FormType(SimpleForm form, ValueType basis) {
			super(basis.wireType(), (basis instanceof ScalarType) ? ReadBudget.BOX : WEIGHT);
			this.form = form;
			this.basis = basis;
		}

		@Override
		void write(ProtostuffOutput out, int number, Object value) {
			this.basis.write(out, number, this.form.write(value));
		}

		@Override
		Object read(ProtostuffInput in) {
			return this.form.read(Objects.requireNonNull(this.basis.read(in)), in);
		}

	}

}
