package io.rpcboot.serialization.protostuff;

import java.util.Collection;
import java.util.List;

import io.protostuff.WireFormat;

import org.jspecify.annotations.Nullable;

/**
 * The numbers of a collection that follow each other, several at a time: the position
 * stays in a register meanwhile, which halves the time of a number.
 */
final class NumberRun {

	/** Numbers of at most four bytes are read. */
	private static final int LAST_SHIFT = 21;

	private NumberRun() {
	}

	/** Write the numbers of a class for which there is room, and return how many. */
	static int write(ProtostuffOutput out, int number, List<?> numbers, int from, Class<?> type) {
		int tag = WireFormat.makeTag(number, WireFormat.WIRETYPE_VARINT);
		byte[] array = out.array;
		int at = out.position;
		int i = from;
		int size = numbers.size();
		int last = array.length - ProtostuffOutput.TAG_AND_VARINT;
		while (i < size && at <= last && numbers.get(i) instanceof Number each && each.getClass() == type) {
			at = ProtostuffOutput.putVarint(array, at, tag);
			at = NumberOutput.putVarint(array, at, each.longValue());
			i++;
		}
		out.position = at;
		return i - from;
	}

	/** Read the numbers that are not negative and not large, and return how many. */
	static int read(ProtostuffInput in, int tag, Collection<@Nullable Object> numbers, boolean ints) {
		if ((tag & ~0x7F) != 0) {
			return 0;
		}
		byte[] array = in.array;
		int at = in.position;
		int count = 0;
		while (at < in.limit - 1 && array[at] == tag) {
			int value = array[at + 1];
			int next = at + 2;
			if (value < 0) {
				value &= 0x7F;
				byte part = -1;
				for (int shift = 7; part < 0 && next < in.limit && shift <= LAST_SHIFT; shift += 7) {
					part = array[next++];
					value |= (part & 0x7F) << shift;
				}
				if (part < 0) {
					break;
				}
			}
			numbers.add(ints ? (Object) value : (Object) (long) value);
			at = next;
			count++;
		}
		in.position = at;
		return count;
	}

}
