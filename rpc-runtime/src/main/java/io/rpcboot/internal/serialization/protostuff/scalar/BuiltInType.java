package io.rpcboot.internal.serialization.protostuff.scalar;

import java.util.function.Function;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;

/**
 * Value type of the JDK, carried independently of the JDK's own fields. A value of
 * several parts is a message: a group of numbered fields.
 */
final class BuiltInType<V> extends ValueType {

	/**
	 * Heap size of an instance, in bytes: three objects. Larger instances are charged by
	 * their readers.
	 */
	private static final int WEIGHT = 72;

	/** Heap size of an instance that is one number on the wire, in bytes. */
	private static final int SMALL_WEIGHT = 24;

	private final Class<V> type;

	private final Writer<V> writer;

	private final Function<ProtostuffInput, V> reader;

	private final boolean isMessage;

	BuiltInType(Class<V> type, WireFormat.FieldType fieldType, Writer<V> writer, Function<ProtostuffInput, V> reader) {
		super(fieldType, (fieldType.wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED) ? WEIGHT : SMALL_WEIGHT);
		this.type = type;
		this.writer = writer;
		this.reader = reader;
		this.isMessage = fieldType == WireFormat.FieldType.MESSAGE;
	}

	Class<V> javaType() {
		return this.type;
	}

	@Override
	@SuppressWarnings("unchecked")
	public void write(ProtostuffOutput out, int number, Object value) {
		if (!this.isMessage) {
			this.writer.write(out, number, (V) value);
			return;
		}
		out.startGroup(number);
		this.writer.write(out, number, (V) value);
		out.endGroup(number);
	}

	@Override
	public Object read(ProtostuffInput in) {
		if (!this.isMessage) {
			return this.reader.apply(in);
		}
		int end = in.enterGroup();
		V value = this.reader.apply(in);
		in.leaveGroup(end);
		return value;
	}

	/** Writes a value; the fields of a message, without its group. */
	interface Writer<V> {

		void write(ProtostuffOutput out, int number, V value);

	}

}
