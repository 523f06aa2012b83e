package io.rpcboot.serialization.protostuff;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

import io.protostuff.WireFormat.FieldType;

/**
 * The atomic numbers, each as the number that it holds when it is written.
 */
final class AtomicTypes {

	private AtomicTypes() {
	}

	static List<BuiltInType<?>> all() {
		return List.of(new BuiltInType<>(AtomicInteger.class, FieldType.INT32, (out, number, value) -> {
			Exact.require(value, AtomicInteger.class);
			NumberOutput.writeInt32(out, number, value.get());
		}, (in) -> new AtomicInteger(NumberInput.readInt32(in))),
				new BuiltInType<>(AtomicLong.class, FieldType.INT64, (out, number, value) -> {
					Exact.require(value, AtomicLong.class);
					NumberOutput.writeInt64(out, number, value.get());
				}, (in) -> new AtomicLong(in.readInt64())),
				new BuiltInType<>(AtomicBoolean.class, FieldType.BOOL, (out, number, value) -> {
					Exact.require(value, AtomicBoolean.class);
					NumberOutput.writeBool(out, number, value.get());
				}, (in) -> new AtomicBoolean(NumberInput.readBool(in))),
				new BuiltInType<>(AtomicIntegerArray.class, FieldType.MESSAGE, AtomicTypes::writeInts,
						(in) -> new AtomicIntegerArray((int[]) PrimitiveArrays.INTS.read(in))),
				new BuiltInType<>(AtomicLongArray.class, FieldType.MESSAGE, AtomicTypes::writeLongs,
						(in) -> new AtomicLongArray((long[]) PrimitiveArrays.LONGS.read(in))));
	}

	private static void writeInts(ProtostuffOutput out, int number, AtomicIntegerArray value) {
		Exact.require(value, AtomicIntegerArray.class);
		int[] copy = new int[value.length()];
		for (int i = 0; i < copy.length; i++) {
			copy[i] = value.get(i);
		}
		PrimitiveArrays.INTS.write(out, number, copy);
	}

	private static void writeLongs(ProtostuffOutput out, int number, AtomicLongArray value) {
		Exact.require(value, AtomicLongArray.class);
		long[] copy = new long[value.length()];
		for (int i = 0; i < copy.length; i++) {
			copy[i] = value.get(i);
		}
		PrimitiveArrays.LONGS.write(out, number, copy);
	}

}
