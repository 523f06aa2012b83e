package io.rpcboot.internal.serialization.protostuff.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads and writes little-endian integers at any index of an array.
 */
public final class LittleEndian {

	private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

	private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private LittleEndian() {
	}

	public static int getInt(byte[] array, int at) {
		return (int) INT.get(array, at);
	}

	public static void putInt(byte[] array, int at, int value) {
		INT.set(array, at, value);
	}

	public static long getLong(byte[] array, int at) {
		return (long) LONG.get(array, at);
	}

	public static void putLong(byte[] array, int at, long value) {
		LONG.set(array, at, value);
	}

}
