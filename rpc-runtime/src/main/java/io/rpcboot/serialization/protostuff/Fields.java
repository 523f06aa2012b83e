package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.ContractMember;
import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * Composes the handles of fields. A handle that is composed of constants is compiled as
 * one piece after its first hundred calls, so a class with a dozen fields costs one
 * indirect call and primitives are never boxed.
 */
final class Fields {

	static final MethodType WRITER = MethodType.methodType(void.class, ProtostuffOutput.class, Object.class);

	static final MethodType READER = MethodType.methodType(void.class, ProtostuffInput.class, Object.class);

	private static final MethodType TAKER = MethodType.methodType(Object.class, ProtostuffInput.class);

	private static final MethodType SETTER = MethodType.methodType(void.class, Object.class, Object.class);

	/** As many fields are composed into one handle; more would not be compiled as one. */
	private static final int COMPOSED = 16;

	private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

	private Fields() {
	}

	/**
	 * Create a field that can be null.
	 * @param getter {@code (Object)Object}
	 * @param setter {@code (Object, Object)void}
	 */
	static Field reference(int number, String name, ValueType type, MethodHandle getter, MethodHandle setter) {
		ReferenceAccess access = new ReferenceAccess(type, number, name);
		MethodHandle write = bind(access, "write", WRITER);
		MethodHandle take = bind(access, "take", TAKER);
		return new Field(new ContractMember(number, name, type.ref()), MethodHandles.collectArguments(write, 1, getter),
				reader(setter, take), take, setter, (other, written, translator) -> reference(other, name,
						type.translate(written, translator), getter, setter));
	}

	/**
	 * Create a field of a primitive type.
	 * @param getter {@code (Object)type}
	 * @param setter {@code (Object, type)void}
	 */
	static Field primitive(int number, String name, Class<?> type, MethodHandle getter, MethodHandle setter) {
		Primitive primitive = Primitive.of(type);
		MethodHandle write = MethodHandles.insertArguments(
				findStatic(NumberOutput.class, primitive.writer,
						MethodType.methodType(void.class, ProtostuffOutput.class, int.class, primitive.carrier)),
				1, number);
		write = MethodHandles.collectArguments(write, 1,
				getter.asType(MethodType.methodType(primitive.carrier, Object.class)));
		MethodHandle take = MethodHandles.insertArguments(
				findStatic(NumberInput.class, primitive.taker,
						MethodType.methodType(primitive.carrier, ProtostuffInput.class, int.class)),
				1, WireFormat.makeTag(number, primitive.wireType));
		take = MethodHandles.explicitCastArguments(take, MethodType.methodType(type, ProtostuffInput.class));
		return new Field(new ContractMember(number, name, TypeRef.of(type.getName())), write, reader(setter, take),
				take.asType(TAKER), setter.asType(SETTER),
				(other, written, translator) -> written.name().equals(type.getName())
						? primitive(other, name, type, getter, setter)
						: converted(other, name, type, written, translator, setter));
	}

	/** A field of a primitive type that the writer declares as another type or a box. */
	private static Field converted(int number, String name, Class<?> type, TypeRef written, Translator translator,
			MethodHandle setter) {
		TypeRef own = TypeRef.of(type.getName());
		ValueType converted = ConvertedNumber.of(ScalarTypes.of(type), own, written, translator);
		MethodHandle take = bind(new ReferenceAccess(converted, number, name), "take", TAKER);
		MethodHandle orZero = findStatic(Fields.class, "orZero",
				MethodType.methodType(Object.class, Object.class, Object.class));
		Object zero = Array.get(Array.newInstance(type, 1), 0);
		take = MethodHandles.filterReturnValue(take, MethodHandles.insertArguments(orZero, 1, zero));
		return new Field(new ContractMember(number, name, own), MethodHandles.empty(WRITER),
				reader(setter, take.asType(take.type().changeReturnType(type))), take, setter.asType(SETTER),
				Fields::translatedAlready);
	}

	private static Object orZero(@Nullable Object value, Object zero) {
		return (value != null) ? value : zero;
	}

	/** All fields of some numbers, which only the writer has. */
	static Field skipped(int first, int last) {
		MethodHandle skip = MethodHandles.insertArguments(
				findStatic(Skip.class, "fields",
						MethodType.methodType(void.class, ProtostuffInput.class, int.class, int.class)),
				1, first, last);
		return new Field(new ContractMember(first, ContractMember.NONE, TypeRef.VOID), MethodHandles.empty(WRITER),
				MethodHandles.dropArguments(skip, 1, Object.class),
				MethodHandles.filterReturnValue(skip, MethodHandles.constant(Object.class, null)),
				MethodHandles.empty(SETTER), Fields::translatedAlready);
	}

	private static Field translatedAlready(int number, TypeRef written, Translator translator) {
		throw new IllegalStateException("a translated field only reads");
	}

	/** The message of an exception, which a constructor takes and nothing sets. */
	static Field message(String name) {
		try {
			return new Field(new ContractMember(MessageAccess.NUMBER, name, TypeRef.of("java.lang.String")),
					LOOKUP.findStatic(MessageAccess.class, "write", WRITER), MethodHandles.empty(READER),
					LOOKUP.findStatic(MessageAccess.class, "take", TAKER), MethodHandles.empty(SETTER),
					(number, written, translator) -> message(name));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static MethodHandle reader(MethodHandle setter, MethodHandle take) {
		MethodHandle set = MethodHandles.collectArguments(setter, 1, take);
		return MethodHandles.permuteArguments(set, READER, 1, 0);
	}

	/** Handles that call all of the given ones, in their order. */
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

	private static MethodHandle bind(Object receiver, String name, MethodType type) {
		try {
			return LOOKUP.findVirtual(receiver.getClass(), name, type).bindTo(receiver);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static MethodHandle findStatic(Class<?> type, String name, MethodType methodType) {
		try {
			return LOOKUP.findStatic(type, name, methodType);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** How each primitive type goes over the wire. */
	private enum Primitive {

		INT(int.class, "writeInt32", "takeInt32", WireFormat.WIRETYPE_VARINT),

		LONG(long.class, "writeInt64", "takeInt64", WireFormat.WIRETYPE_VARINT),

		BOOLEAN(boolean.class, "writeBool", "takeBool", WireFormat.WIRETYPE_VARINT),

		FLOAT(float.class, "writeFloat", "takeFloat", WireFormat.WIRETYPE_FIXED32),

		DOUBLE(double.class, "writeDouble", "takeDouble", WireFormat.WIRETYPE_FIXED64),

		BYTE(int.class, "writeUInt32", "takeByte", WireFormat.WIRETYPE_VARINT),

		SHORT(int.class, "writeUInt32", "takeShort", WireFormat.WIRETYPE_VARINT),

		CHAR(int.class, "writeUInt32", "takeChar", WireFormat.WIRETYPE_VARINT);

		private final Class<?> carrier;

		private final String writer;

		private final String taker;

		private final int wireType;

		Primitive(Class<?> carrier, String writer, String taker, int wireType) {
			this.carrier = carrier;
			this.writer = writer;
			this.taker = taker;
			this.wireType = wireType;
		}

		static Primitive of(Class<?> type) {
			return valueOf(type.getName().toUpperCase(Locale.ROOT));
		}

	}

}
