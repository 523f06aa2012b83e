package io.rpcboot.internal.serialization.protobuf.composite;

import java.util.ArrayList;
import java.util.Collection;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protobuf.scalar.FieldType;
import io.rpcboot.internal.serialization.protobuf.scalar.SingularType;
import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration.Label;
import io.rpcboot.internal.serialization.protobuf.wire.LengthGuess;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Repeated field. Numbers and constants are packed, and also read unpacked. Null arrives
 * as an empty collection or array.
 */
abstract class RepeatedType extends FieldType {

	private final SingularType element;

	private final LengthGuess guess = new LengthGuess();

	RepeatedType(SingularType element) {
		this.element = element;
	}

	final SingularType element() {
		return this.element;
	}

	final void writeElements(ProtobufOutput out, int number, Collection<?> elements) {
		if (elements.isEmpty()) {
			return;
		}
		if (!this.element.isPacked()) {
			writeEach(out, number, elements);
			return;
		}
		int reserved = out.prefix(this.guess);
		int start = out.startPacked(number, reserved);
		writeEach(out, number, elements);
		out.endPacked(start, reserved, this.guess);
	}

	private void writeEach(ProtobufOutput out, int number, Collection<?> elements) {
		int index = 0;
		try {
			if (elements instanceof ArrayList<?> list) {
				for (; index < list.size(); index++) {
					write(out, number, list.get(index));
				}
				return;
			}
			for (Object each : elements) {
				write(out, number, each);
				index++;
			}
		}
		catch (RuntimeException ex) {
			throw PathException.at("[" + index + "]", ex);
		}
	}

	private void write(ProtobufOutput out, int number, @Nullable Object value) {
		Object present = (value != null) ? value : this.element.ofNull();
		if (this.element.isPacked()) {
			this.element.pack(out, present);
		}
		else {
			this.element.write(out, number, present);
		}
	}

	/**
	 * Reads the next part of the elements.
	 * @param count number of elements that were read before
	 * @param size heap size of an element, in bytes
	 * @return number of elements that were read, with those before
	 */
	final int readElements(ProtobufInput in, int tag, Collection<@Nullable Object> elements, int count, int size) {
		int index = count;
		try {
			if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED || !this.element.isPacked()) {
				this.element.requireTag(tag);
				in.charge(size);
				add(in, elements);
				return index + 1;
			}
			int outside = in.enterPacked();
			for (; in.hasMore(); index++) {
				in.charge(size);
				add(in, elements);
			}
			in.leavePacked(outside);
			return index;
		}
		catch (RuntimeException ex) {
			throw PathException.at("[" + index + "]", ex);
		}
	}

	private void add(ProtobufInput in, Collection<@Nullable Object> elements) {
		Object value = this.element.read(in);
		if (value == null) {
			this.element.ofNull();
			requireHoldsNull();
		}
		elements.add(value);
	}

	@SuppressWarnings("unchecked")
	static Collection<@Nullable Object> cast(Object elements) {
		return (Collection<@Nullable Object>) elements;
	}

	/** Refuses null if the type cannot hold it. */
	abstract void requireHoldsNull();

	@Override
	public final FieldDeclaration declare(Declarations file, String name, int number) {
		return new FieldDeclaration(name, number, Label.REPEATED, this.element.name(file), null);
	}

}
