package io.rpcboot.internal.serialization.protobuf.json;

import java.util.Arrays;

import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufOutput;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.serialization.OutputBuffer;

/**
 * Brings the fields of a message into the order of their numbers, in which writers have
 * them anyway: values of one field are together, a single message is one, and the last
 * one of a single value and of a {@code oneof} remains. A message that is so already, as
 * usual, is read in place. For one thread.
 */
final class FieldOrder {

	private static final int FIRST_SIZE = 16;

	/** Heap size of an occurrence of a field. */
	private static final int SIZE = Integer.BYTES + Long.BYTES;

	private static final int TAG_AND_LENGTH = 15;

	private final ReadBudget budget;

	/** Index of the tag of each occurrence, in the order of the bytes. */
	private int[] starts = {};

	/** Number of the field and place of each occurrence. */
	private long[] keys = {};

	/** Number of the member of each {@code oneof}, then the place of its first value. */
	private int[] chosen = {};

	FieldOrder(ReadBudget budget) {
		this.budget = budget;
	}

	/** Lets the input read the message from its position to its limit in order. */
	void sort(ProtobufInput in, MessageType type) {
		if (isSorted(in, type)) {
			return;
		}
		int length = in.limit - in.position;
		int count = find(in, type);
		Arrays.sort(this.keys, 0, count);
		this.budget.charge(length);
		OutputBuffer buffer = new OutputBuffer(new byte[length], Integer.MAX_VALUE);
		int end;
		for (int i = 0; i < count; i = end) {
			int number = number(i);
			for (end = i + 1; end < count && number(end) == number;) {
				end++;
			}
			if (number > 0) {
				copy(in, type.require(number), i, end, buffer);
			}
		}
		in.array = buffer.array();
		in.position = 0;
		in.limit = buffer.position();
	}

	/** Reads a message ahead. */
	private static boolean isSorted(ProtobufInput in, MessageType type) {
		int start = in.position;
		int last = 0;
		long choices = 0;
		boolean isSorted = true;
		while (in.hasMore()) {
			int tag = in.readTag();
			MessageField field = type.field(tag >>> 3);
			if (field != null) {
				isSorted &= (field.number() > last || (field.number() == last && field.isRepeated()))
						&& isValue(in, field, tag);
				last = field.number();
				if (field.choice() >= 0) {
					isSorted &= (choices & 1L << field.choice()) == 0;
					choices |= 1L << field.choice();
				}
			}
			in.skip(tag);
		}
		in.position = start;
		return isSorted;
	}

	/** Returns false for a value of another type, and for an empty packed field. */
	private static boolean isValue(ProtobufInput in, MessageField field, int tag) {
		return field.accepts(tag) && !(field.isPacked(tag) && in.hasMore() && in.array[in.position] == 0);
	}

	/** Finds the occurrences of fields. Returns their number. */
	private int find(ProtobufInput in, MessageType type) {
		int count = 0;
		this.chosen = new int[2 * type.choices()];
		while (in.hasMore()) {
			if (count + 1 >= this.starts.length) {
				int size = Math.max(FIRST_SIZE, 2 * this.starts.length);
				this.budget.charge((long) SIZE * size);
				this.starts = Arrays.copyOf(this.starts, size);
				this.keys = Arrays.copyOf(this.keys, size);
			}
			this.starts[count] = in.position;
			int tag = in.readTag();
			MessageField field = type.field(tag >>> 3);
			this.keys[count] = count;
			if (field != null && isValue(in, field, tag)) {
				this.keys[count] |= (long) field.number() << Integer.SIZE;
				if (field.choice() >= 0 && this.chosen[2 * field.choice()] != field.number()) {
					this.chosen[2 * field.choice()] = field.number();
					this.chosen[2 * field.choice() + 1] = count;
				}
			}
			count++;
			in.skip(tag);
		}
		this.starts[count] = in.limit;
		return count;
	}

	private int number(int index) {
		return (int) (this.keys[index] >>> Integer.SIZE);
	}

	/** Copies the values of a field. */
	private void copy(ProtobufInput in, MessageField field, int from, int to, OutputBuffer buffer) {
		int start = from;
		if (field.choice() >= 0) {
			boolean isChosen = this.chosen[2 * field.choice()] == field.number();
			while (start < to && (!isChosen || (int) this.keys[start] < this.chosen[2 * field.choice() + 1])) {
				start++;
			}
		}
		if (!field.isRepeated() && field.kind() == FieldKind.MESSAGE && to - start > 1) {
			merge(in, field, start, to, buffer);
			return;
		}
		for (int i = field.isRepeated() ? start : Math.max(start, to - 1); i < to; i++) {
			int place = (int) this.keys[i];
			buffer.write(in.array, this.starts[place], this.starts[place + 1] - this.starts[place]);
		}
	}

	/** Writes the fields of several messages as those of one, which merges them. */
	private void merge(ProtobufInput in, MessageField field, int from, int to, OutputBuffer buffer) {
		int length = 0;
		for (int i = from; i < to; i++) {
			int end = enter(in, i);
			length += end - in.position;
		}
		byte[] array = buffer.reserve(TAG_AND_LENGTH);
		int at = ProtobufOutput.putVarint(array, buffer.position(), field.tag());
		buffer.position(ProtobufOutput.putVarint(array, at, length));
		for (int i = from; i < to; i++) {
			int end = enter(in, i);
			buffer.write(in.array, in.position, end - in.position);
		}
	}

	private int enter(ProtobufInput in, int index) {
		in.position = this.starts[(int) this.keys[index]];
		in.readTag();
		return in.readPairEnd();
	}

}
