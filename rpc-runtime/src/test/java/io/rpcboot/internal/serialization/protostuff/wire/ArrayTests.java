package io.rpcboot.internal.serialization.protostuff.wire;

import java.lang.management.ManagementFactory;
import java.util.HexFormat;
import java.util.List;

import com.sun.management.ThreadMXBean;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.protostuff.Codecs;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The bytes of arrays, and bytes that are none.
 */
public class ArrayTests {

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	@Test
	void array_isEncodedAsLengthAndElements() {
		assertBytes("ints", new int[] { 1, -1 }, "0b 0802 1001 10ffffffffffffffffff01 0c");
		assertBytes("boxes", new Integer[] { 1, null }, "0b 0802 1001 1601 0c");
		assertBytes("ints", new int[0], "0b 0800 0c");
		assertBytes("grid", new int[][] { {}, { 1 } }, "0b 0802 13 0800 14 13 0801 1001 14 0c");
		assertBytes("lists", new List<?>[] { List.of(), List.of("a") }, "0b 0802 13 14 13 0a0161 14 0c");
	}

	@Test
	void arrayLength_isChecked_beforeAllocation() {
		String most = "an array of 2147483647 elements (expected: at most 0 in the bytes that remain)";
		assertUnreadable("ints", most, "0b 08ffffffff07");
		assertUnreadable("boxes", most, "0b 08ffffffff07");
		assertUnreadable("ints", "an array of 4294967295 elements", "0b 08ffffffff0f 1001 0c");
		assertUnreadable("ints", "expected: at most 1", "0b 0802 1001 0c");
		assertUnreadable("ints", "tag 12 (expected: an element)", "0b 0802 1001 0c 0000");
		assertUnreadable("ints", "tag 16 (expected: the end of the group)", "0b 0801 1001 1002 0c");
		assertUnreadable("boxes", "result[1]: tag 12 (expected: an element)", "0b 0802 1001 0c 0000");
		assertUnreadable("boxes", "result[0]: marker 2 (expected: 1 for a null element)", "0b 0801 1602 0c");
		assertUnreadable("ints", "tag 22 (expected: an element)", "0b 0801 1601 0c");
		assertUnreadable("ints", "expected: field 1", "0b 1001 0c");
	}

	/** Each level announces as many elements as bytes remain, and holds the next. */
	@Test
	void nestedArrays_allocateLessThanMessageLength() {
		int levels = ProtostuffInput.MAX_DEPTH / 2;
		byte[] bytes = new byte[1 << 20];
		int at = 0;
		bytes[at++] = 0x0b;
		for (int i = 0; i < levels - 1; i++) {
			bytes[at++] = 0x0b;
			bytes[at++] = 0x08;
			at = ProtostuffOutput.putVarint(bytes, at, (bytes.length - at - 3) / 2);
			bytes[at++] = 0x13;
		}
		MethodCodec codec = Codecs.method(Service.class, "node");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.deserializeResult(bytes, 0, bytes.length));
		long before = THREADS.getCurrentThreadAllocatedBytes();
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.deserializeResult(bytes, 0, bytes.length))
			.withMessageContaining(".children[0].children[0].children[0]");
		assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(bytes.length);
	}

	/** As generic classes make them: {@code (T[]) new Object[1]}. */
	@Test
	void genericArray_isDecodedAsDeclaredType() {
		Box<String> read = Codecs.echo(Codecs.method(Service.class, "box"), Box.of("a"));
		assertThat(read.items).isExactlyInstanceOf(String[].class).containsExactly("a");
	}

	private static void assertBytes(String method, Object value, String hex) {
		MethodCodec codec = Codecs.method(Service.class, method);
		assertThat(HexFormat.of().formatHex(Codecs.result(codec, value))).isEqualTo(hex.replace(" ", ""));
		assertThat(Codecs.<Object>echo(codec, value)).isEqualTo(value);
	}

	private static void assertUnreadable(String method, String message, String hex) {
		byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.method(Service.class, method).deserializeResult(bytes, 0, bytes.length))
			.withMessageContaining(message);
	}

	public static class Box<T> {

		T[] items;

		@SuppressWarnings("unchecked")
		static <T> Box<T> of(T item) {
			Box<T> box = new Box<>();
			box.items = (T[]) new Object[] { item };
			return box;
		}

	}

	public static class Node {

		Node[] children;

	}

	public interface Service {

		int[] ints();

		Integer[] boxes();

		int[][] grid();

		List<String>[] lists();

		Node node();

		Box<String> box();

	}

}
