package io.rpcboot.serialization.protostuff;

/**
 * Variable-length integers: seven bits a byte, lowest first.
 */
final class Varint {

	private Varint() {
	}

	static int size(int value) {
		return (38 - Integer.numberOfLeadingZeros(value | 1)) / 7;
	}

	static int size(long value) {
		return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
	}

	/** Put the value, taken as unsigned, and return the index behind it. */
	static int put(byte[] array, int at, int value) {
		int index = at;
		int rest = value;
		while ((rest & ~0x7F) != 0) {
			array[index++] = (byte) (rest | 0x80);
			rest >>>= 7;
		}
		array[index] = (byte) rest;
		return index + 1;
	}

	/** Put the value, taken as unsigned, and return the index behind it. */
	static int put(byte[] array, int at, long value) {
		int index = at;
		long rest = value;
		while ((rest & ~0x7FL) != 0) {
			array[index++] = (byte) (rest | 0x80);
			rest >>>= 7;
		}
		array[index] = (byte) rest;
		return index + 1;
	}

}
