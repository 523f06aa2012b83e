package io.rpcboot.internal.serialization.protostuff.scalar;

import java.util.ArrayList;
import java.util.List;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a collection that follow each other, several at a time: the position
 * stays in a register meanwhile, which halves the time of a number.
 */
public final class NumberRun {

	/** A list without its array, in bytes. */
	private static final int LIST = 24;

	private NumberRun() {
	}

	/** The class of the elements if they are numbers of this kind, else null. */
	public static @Nullable Class<?> of(ValueType element) {
		if (element == ScalarType.INTEGER) {
			return Integer.class;
		}
		return (element == ScalarType.LONG) ? Long.class : null;
	}

	/** Write the numbers of a class for which there is room, and return how many. */
	public static int write(ProtostuffOutput out, int number, List<?> numbers, int from, Class<?> type) {
		return (type == Integer.class) ? writeAll(out, number, numbers, from, Integer.class)
				: writeAll(out, number, numbers, from, Long.class);
	}

	/** Is given a constant as the class, so that the loop is compiled for each alone. */
	private static int writeAll(ProtostuffOutput out, int number, List<?> numbers, int from, Class<?> type) {
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT);
		byte[] array = out.array;
		int at = out.position;
		int i = from;
		int size = numbers.size();
		int last = array.length - ProtostuffOutput.TAG_AND_VARINT;
		while (i < size && at <= last && numbers.get(i) instanceof Number each && each.getClass() == type) {
			at = ProtostuffOutput.putVarint(array, at, tag);
			at = ProtostuffOutput.putVarint(array, at, each.longValue());
			i++;
		}
		out.position = at;
		return i - from;
	}

	/** Read the numbers that follow a tag of one byte in one byte each; null for none. */
	public static @Nullable ArrayList<@Nullable Object> read(ProtostuffInput in, int tag, Class<?> type) {
		byte[] array = in.array;
		int start = in.position;
		int end = start;
		int last = ((tag & ~0x7F) == 0) ? in.limit - 1 : 0;
		while (end < last && array[end] == tag && array[end + 1] >= 0) {
			end += 2;
		}
		if (end == start) {
			return null;
		}
		in.note(2L * (end - start));
		in.charge(ReadBudget.OBJECT + LIST);
		boolean ints = type == Integer.class;
		ArrayList<@Nullable Object> numbers = new ArrayList<>(end - start >> 1);
		for (int at = start + 1; at < end; at += 2) {
			numbers.add(ints ? (Object) (int) array[at] : (Object) (long) array[at]);
		}
		in.position = end;
		return numbers;
	}

}
