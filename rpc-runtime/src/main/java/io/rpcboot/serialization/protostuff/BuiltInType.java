package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

/**
 * A value type of the JDK, carried independently of the JDK's own fields.
 *
 * @param <V> the type
 */
final class BuiltInType<V> extends ValueType {

	/** Three objects. What takes more is charged where it is read. */
	private static final int WEIGHT = 72;

	private static final int SMALL_WEIGHT = 24;

	private final Class<V> type;

	private final Writer<V> writer;

	private final Reader<V> reader;

	BuiltInType(Class<V> type, WireFormat.FieldType fieldType, Writer<V> writer, Reader<V> reader) {
		super(fieldType, isSmall(fieldType) ? SMALL_WEIGHT : WEIGHT);
		this.type = type;
		this.writer = writer;
		this.reader = reader;
	}

	/** Whether it is one number on the wire. */
	private static boolean isSmall(WireFormat.FieldType fieldType) {
		return switch (fieldType) {
			case BYTES, MESSAGE, STRING -> false;
			default -> true;
		};
	}

	Class<V> javaType() {
		return this.type;
	}

	@Override
	@SuppressWarnings("unchecked")
	void write(ProtostuffOutput out, int number, Object value) {
		this.writer.write(out, number, (V) value);
	}

	@Override
	Object read(ProtostuffInput in) {
		return this.reader.read(in);
	}

	/**
	 * Writes a value.
	 *
	 * @param <V> the type
	 */
	interface Writer<V> {

		void write(ProtostuffOutput out, int number, V value);

	}

	/**
	 * Reads a value whose tag was read.
	 *
	 * @param <V> the type
	 */
	interface Reader<V> {

		V read(ProtostuffInput in);

	}

}
