package io.rpcboot.internal.serialization.protostuff.composite;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.scalar.ConvertedNumber;
import io.rpcboot.internal.serialization.protostuff.scalar.ScalarType;
import io.rpcboot.internal.serialization.protostuff.scalar.ValueType;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.graph.StructNode.Part;
import io.rpcboot.internal.serialization.types.kind.StructField;

/**
 * Composes method handles that write and read the fields of a class. A handle composed of
 * constants is compiled as one piece after about a hundred calls, so a class with a dozen
 * fields costs one indirect call, and primitives are never boxed.
 */
final class FieldHandles {

	private static final MethodType WRITER = MethodType.methodType(void.class, ProtostuffOutput.class, Object.class);

	private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);

	private static final MethodType READER = MethodType.methodType(void.class, ProtostuffInput.class, Object.class);

	private static final MethodType TAKER = MethodType.methodType(Object.class, ProtostuffInput.class);

	/**
	 * Maximum number of fields in one handle. Larger handles are not compiled as one
	 * piece.
	 */
	private static final int COMPOSED = 16;

	private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

	private FieldHandles() {
	}

	/**
	 * Returns a handle {@code (ProtostuffOutput, Object)void} that writes a field of an
	 * instance.
	 */
	static MethodHandle writer(StructField field, int number, ValueType type) {
		if (!(type instanceof ScalarType scalar) || !field.rawType().isPrimitive()) {
			MethodHandle write = find(ValueSlot.class, "write", WRITER).bindTo(slot(number, field, type));
			return MethodHandles.collectArguments(write, 1, field.getter().asType(GETTER));
		}
		MethodHandle write = find(ProtostuffOutput.class, scalar.writer,
				MethodType.methodType(void.class, int.class, scalar.carrier));
		write = MethodHandles.insertArguments(write, 1, number);
		return MethodHandles.collectArguments(write, 1,
				field.getter().asType(MethodType.methodType(scalar.carrier, Object.class)));
	}

	/**
	 * Returns a handle {@code (ProtostuffInput, Object)void} that reads a field into an
	 * instance, or into an array of values.
	 */
	static MethodHandle reader(Part part, StructField field, MethodHandle setter, ValueType type) {
		MethodHandle set = MethodHandles.collectArguments(setter, 1, typedTaker(part, field, type));
		return MethodHandles.permuteArguments(set, READER, 1, 0);
	}

	/**
	 * Returns a handle {@code (Object, rawType)void} that sets an element of an array of
	 * values.
	 */
	static MethodHandle elementSetter(StructField field) {
		return MethodHandles.insertArguments(MethodHandles.arrayElementSetter(Object[].class), 1, field.index())
			.asType(MethodType.methodType(void.class, Object.class, field.rawType()));
	}

	/**
	 * Returns a handle that reads the value of a field; null or zero if the field is not
	 * next.
	 */
	private static MethodHandle typedTaker(Part part, StructField field, ValueType type) {
		MethodType typed = MethodType.methodType(field.rawType(), ProtostuffInput.class);
		int number = part.written().number();
		if (type instanceof ScalarType scalar && field.rawType().isPrimitive()) {
			MethodHandle take = find(ProtostuffInput.class, scalar.taker,
					MethodType.methodType(scalar.carrier, int.class));
			return MethodHandles.explicitCastArguments(
					MethodHandles.insertArguments(take, 1, WireFormat.makeTag(number, scalar.wireType())), typed);
		}
		ValueType taken = (type instanceof ConvertedNumber converted) ? converted.ofField() : type;
		return MethodHandles
			.explicitCastArguments(find(ValueSlot.class, "take", TAKER).bindTo(slot(number, field, taken)), typed);
	}

	private static ValueSlot slot(int number, StructField field, ValueType type) {
		return new ValueSlot(number, "." + field.member().name(), type, null);
	}

	/**
	 * Returns a handle {@code (ProtostuffInput, Object)void} that skips the fields with
	 * numbers from {@code first} to {@code last}, which only the writer has.
	 */
	static MethodHandle skipper(int first, int last) {
		MethodHandle skip = find(ProtostuffInput.class, "skip",
				MethodType.methodType(void.class, int.class, int.class));
		return MethodHandles.dropArguments(MethodHandles.insertArguments(skip, 1, first, last), 1, Object.class);
	}

	/** Returns handles that call all of the given ones, in their order. */
	static MethodHandle[] compose(List<MethodHandle> handles) {
		List<MethodHandle> composed = new ArrayList<>();
		for (int i = 0; i < handles.size(); i += COMPOSED) {
			composed.add(sequence(handles.subList(i, Math.min(handles.size(), i + COMPOSED))));
		}
		return composed.toArray(MethodHandle[]::new);
	}

	private static MethodHandle sequence(List<MethodHandle> handles) {
		if (handles.size() == 1) {
			return handles.get(0);
		}
		int half = handles.size() / 2;
		return MethodHandles.foldArguments(sequence(handles.subList(half, handles.size())),
				sequence(handles.subList(0, half)));
	}

	private static MethodHandle find(Class<?> type, String name, MethodType methodType) {
		try {
			return LOOKUP.findVirtual(type, name, methodType);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
