package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.protostuff.WireFormat;

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
		return new Field(number, name, type.contract(), MethodHandles.collectArguments(write, 1, getter),
				reader(setter, take), take, setter);
	}

	/**
	 * Create a field of a primitive type.
	 * @param getter {@code (Object)type}
	 * @param setter {@code (Object, type)void}
	 */
	static Field primitive(int number, String name, Class<?> type, MethodHandle getter, MethodHandle setter) {
		Primitive primitive = Primitive.of(type);
		MethodHandle write = MethodHandles.insertArguments(find(ProtostuffOutput.class, primitive.writer,
				MethodType.methodType(void.class, int.class, primitive.carrier)), 1, number);
		write = MethodHandles.collectArguments(write, 1,
				getter.asType(MethodType.methodType(primitive.carrier, Object.class)));
		MethodHandle take = MethodHandles.insertArguments(
				find(ProtostuffInput.class, primitive.taker, MethodType.methodType(primitive.carrier, int.class)), 1,
				WireFormat.makeTag(number, primitive.wireType));
		take = MethodHandles.explicitCastArguments(take, MethodType.methodType(type, ProtostuffInput.class));
		return new Field(number, name, type.getName(), write, reader(setter, take), take.asType(TAKER),
				setter.asType(SETTER));
	}

	/** The message of an exception, which a constructor takes and nothing sets. */
	static Field message(String name) {
		try {
			return new Field(MessageAccess.NUMBER, name, "java.lang.String",
					LOOKUP.findStatic(MessageAccess.class, "write", WRITER), MethodHandles.empty(READER),
					LOOKUP.findStatic(MessageAccess.class, "take", TAKER), MethodHandles.empty(SETTER));
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
		return find(receiver.getClass(), name, type).bindTo(receiver);
	}

	private static MethodHandle find(Class<?> type, String name, MethodType methodType) {
		try {
			return LOOKUP.findVirtual(type, name, methodType);
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
