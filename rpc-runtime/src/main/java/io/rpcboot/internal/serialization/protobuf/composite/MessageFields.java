package io.rpcboot.internal.serialization.protobuf.composite;

import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.rpcboot.internal.serialization.protobuf.schema.Declarations;
import io.rpcboot.internal.serialization.protobuf.schema.FieldDeclaration;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoNames;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a message by rising number.
 */
public final class MessageFields {

	private final Slot[] slots;

	private final int[] numbers;

	public MessageFields(List<Slot> slots) {
		this.slots = slots.stream().sorted(Comparator.comparing(Slot::number)).toArray(Slot[]::new);
		this.numbers = Arrays.stream(this.slots).mapToInt(Slot::number).toArray();
	}

	/** Returns a field by its place, in the order of the numbers. */
	Slot slot(int place) {
		return this.slots[place];
	}

	/**
	 * Reads a whole message.
	 * @param values gets the value of each field at its index
	 */
	public void read(ProtobufInput in, @Nullable Object[] values) {
		readPart(in, values);
		finish(in, values);
	}

	/**
	 * Reads fields in any order up to the end of a part of the message, and skips unknown
	 * ones.
	 * @param values state of each field at its index
	 */
	void readPart(ProtobufInput in, @Nullable Object[] values) {
		int place = 0;
		while (in.hasMore()) {
			int tag = in.readTag();
			place = place(tag >>> 3, Math.max(0, place));
			if (place < 0) {
				in.skip(tag);
				continue;
			}
			Slot slot = this.slots[place];
			try {
				values[slot.index()] = slot.type().readField(in, tag, values[slot.index()]);
			}
			catch (RuntimeException ex) {
				throw PathException.at(slot.step(), ex);
			}
		}
	}

	/** Replaces the state of each field by its value, at the end of the message. */
	void finish(ProtobufInput in, @Nullable Object[] values) {
		for (Slot each : this.slots) {
			try {
				values[each.index()] = each.type().finish(in, values[each.index()]);
			}
			catch (RuntimeException ex) {
				throw PathException.at(each.step(), ex);
			}
		}
	}

	/**
	 * Returns the place of a field, negative for an unknown one.
	 * @param last place of the last field, which comes again or is followed by the next
	 */
	private int place(int number, int last) {
		if (last < this.numbers.length && this.numbers[last] == number) {
			return last;
		}
		if (last + 1 < this.numbers.length && this.numbers[last + 1] == number) {
			return last + 1;
		}
		return Arrays.binarySearch(this.numbers, number);
	}

	/**
	 * Declares the fields.
	 * @param members members in Java by name, for readers of their annotations
	 */
	public List<FieldDeclaration> declare(Declarations file, Map<String, ? extends AnnotatedElement> members) {
		return Arrays.stream(this.slots)
			.map((each) -> each.type()
				.declare(file, ProtoNames.snake(each.name()), each.number())
				.of(members.get(each.name())))
			.toList();
	}

}
