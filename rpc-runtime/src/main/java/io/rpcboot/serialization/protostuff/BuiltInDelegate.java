package io.rpcboot.serialization.protostuff;

import io.protostuff.Input;
import io.protostuff.Output;
import io.protostuff.Pipe;
import io.protostuff.WireFormat;
import io.protostuff.runtime.Delegate;

/**
 * A delegate for a type of the JDK, independent of the JDK's own fields.
 *
 * @param <V> the type
 */
final class BuiltInDelegate<V> implements Delegate<V> {

	private final Class<V> type;

	private final WireFormat.FieldType fieldType;

	private final Writer<V> writer;

	private final Reader<V> reader;

	BuiltInDelegate(Class<V> type, WireFormat.FieldType fieldType, Writer<V> writer, Reader<V> reader) {
		this.type = type;
		this.fieldType = fieldType;
		this.writer = writer;
		this.reader = reader;
	}

	@Override
	public WireFormat.FieldType getFieldType() {
		return this.fieldType;
	}

	@Override
	public Class<?> typeClass() {
		return this.type;
	}

	@Override
	public void writeTo(Output output, int number, V value, boolean repeated) {
		this.writer.write((ProtostuffOutput) output, number, value);
	}

	@Override
	public V readFrom(Input input) {
		return this.reader.read((ProtostuffInput) input);
	}

	@Override
	public void transfer(Pipe pipe, Input input, Output output, int number, boolean repeated) {
		throw new UnsupportedOperationException("there are no pipes here");
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
