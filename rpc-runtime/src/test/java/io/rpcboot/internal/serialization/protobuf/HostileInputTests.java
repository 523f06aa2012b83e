package io.rpcboot.internal.serialization.protobuf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.fuzz.Bounds;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.serialization.AbstractReadBudgetContract.Lists;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.zoo.TypeZoo;
import io.rpcboot.serialization.zoo.ZooForeign;
import io.rpcboot.serialization.zoo.ZooRow;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that any bytes are read or refused, within the memory that their length allows.
 */
@Tag("jdk25")
@Tag("rounds")
class HostileInputTests {

	private static final int EDITS = Load.LONG ? 400 : 100;

	private static final int LENGTH = 3 << 19;

	static Stream<ZooRow> rows() {
		return TypeZoo.rows();
	}

	/** Changed, cut, doubled and foreign bytes; the seed is that of the row. */
	@ParameterizedTest(name = "{0}")
	@MethodSource("rows")
	void editedMessage_isReadOrRefused(ZooRow row) {
		ServiceDescriptor service = ServiceDescriptor.of(TypeZoo.service(row));
		ProtobufCodec codec = ProtobufCodec.of(service, ZooForeign.TYPES, NumberLock.NONE);
		if (!codec.findings().isEmpty()) {
			return;
		}
		MethodCodec method = codec.method(Codecs.number(service.type(), "alone"));
		List<byte[]> seeds = seeds(row, method);
		Random random = new Random(row.type().hashCode());
		for (int i = 0; i < EDITS; i++) {
			byte[] bytes = edit(seeds.get(random.nextInt(seeds.size())), random);
			Bounds.check(bytes.length, () -> read(method, bytes));
		}
	}

	private static List<byte[]> seeds(ZooRow row, MethodCodec method) {
		List<byte[]> seeds = new ArrayList<>(List.of(new byte[] { 10, 2, 8, 1 }));
		for (Object each : row.values()) {
			try {
				byte[] bytes = Codecs.result(method, each);
				if (bytes.length > 0 && bytes.length < 10_000) {
					seeds.add(bytes);
				}
			}
			catch (SerializationException ex) {
				// a value that protobuf refuses is no seed
			}
		}
		return seeds;
	}

	private static byte[] edit(byte[] seed, Random random) {
		byte[] bytes = seed.clone();
		for (int i = random.nextInt(4); i >= 0 && bytes.length > 0; i--) {
			int at = random.nextInt(bytes.length);
			switch (random.nextInt(5)) {
				case 0 -> bytes[at] = (byte) random.nextInt();
				case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
				case 2 -> bytes = Arrays.copyOf(bytes, at);
				case 3 -> {
					byte[] doubled = Arrays.copyOf(bytes, bytes.length * 2 - at);
					System.arraycopy(bytes, at, doubled, bytes.length, bytes.length - at);
					bytes = doubled;
				}
				default -> {
					byte[] longer = Arrays.copyOf(bytes, bytes.length + 3);
					System.arraycopy(bytes, at, longer, at + 3, bytes.length - at);
					bytes = longer;
				}
			}
		}
		return bytes;
	}

	/** Returns true if the bytes were read. Any other exception fails the test. */
	private static boolean read(MethodCodec method, byte[] bytes) {
		try {
			method.deserializeResult(bytes, 0, bytes.length);
			return true;
		}
		catch (SerializationException ex) {
			assertThat(ex.getMessage()).isNotEmpty();
			return false;
		}
	}

	static Stream<String> methods() {
		return ServiceDescriptor.of(Lists.class)
			.methods()
			.stream()
			.filter((each) -> Codecs.of(Lists.class).carries(each.number()))
			.map(MethodDescriptor::name);
	}

	/**
	 * The smallest elements that there are: two bytes each, or one if they are packed.
	 */
	@ParameterizedTest
	@MethodSource("methods")
	void memory_isBoundedForTheSmallestElements(String name) {
		MethodCodec method = Codecs.method(Lists.class, name);
		byte[] elements = new byte[LENGTH];
		for (int i = 0; i < LENGTH; i += 2) {
			elements[i] = 10;
		}
		byte[] packed = new byte[LENGTH];
		packed[0] = 10;
		int rest = LENGTH - 4;
		packed[1] = (byte) (rest | 0x80);
		packed[2] = (byte) (rest >>> 7 | 0x80);
		packed[3] = (byte) (rest >>> 14);
		byte[] unpacked = elements.clone();
		Arrays.fill(unpacked, (byte) 1);
		for (int i = 0; i < LENGTH; i += 2) {
			unpacked[i] = 8;
		}
		for (byte[] each : List.of(elements, packed, unpacked)) {
			long allocated = Bounds.allocatedBy(() -> read(method, each));
			assertThat(allocated).as("%s, %.1f times", name, (double) allocated / each.length)
				.isLessThanOrEqualTo(Bounds.FACTOR * (long) each.length + Bounds.CONSTANT);
		}
	}

}
