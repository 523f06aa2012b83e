package io.rpcboot.internal.protocol.grpc;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.GZIPInputStream;

import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the encoding gzip. */
class GzipTests {

	private static final int LIMIT = 1 << 20;

	private static final byte[] TEXT = "gRPC, gRPC, gRPC and gRPC again".repeat(20).getBytes(StandardCharsets.UTF_8);

	private static byte[] inflate(byte[] bytes) {
		return Gzip.inflate(bytes, 0, bytes.length, LIMIT, Side.SERVER);
	}

	private static byte[] compress(byte[] bytes) {
		return Gzip.compress(bytes, 0, bytes.length);
	}

	private static byte[] joined(byte[] first, byte[] second) {
		byte[] both = Arrays.copyOf(first, first.length + second.length);
		System.arraycopy(second, 0, both, first.length, second.length);
		return both;
	}

	private static void assertRejected(byte[] bytes, RpcStatus status, String message) {
		assertThatExceptionOfType(GrpcException.class).isThrownBy(() -> inflate(bytes))
			.withMessageContaining(message)
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(status));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 100, 1023, 8192, 65536, 300_000 })
	void message_comesBack(int length) throws IOException {
		byte[] random = new byte[length];
		new Random(length).nextBytes(random);
		for (byte[] message : new byte[][] { random, new byte[length] }) {
			byte[] compressed = compress(message);
			assertThat(inflate(compressed)).isEqualTo(message);
			assertThat(new GZIPInputStream(new ByteArrayInputStream(compressed)).readAllBytes()).isEqualTo(message);
		}
	}

	@Test
	void ranges_areHonoured() {
		byte[] wide = joined(joined(new byte[7], TEXT), new byte[9]);
		byte[] compressed = Gzip.compress(wide, 7, TEXT.length);
		byte[] within = joined(joined(new byte[5], compressed), new byte[3]);
		assertThat(Gzip.inflate(within, 5, compressed.length, LIMIT, Side.CLIENT)).isEqualTo(TEXT);
	}

	@Test
	void noBytes_areEmptyMessage() {
		assertThat(Gzip.inflate(new byte[3], 3, 0, LIMIT, Side.SERVER)).isEmpty();
	}

	@Test
	void goldenBytes_areRead() { // gzip -n of "hello"
		byte[] bytes = HexFormat.of().parseHex("1f8b0800000000000003cb48cdc9c9070086a6103605000000");
		assertThat(new String(inflate(bytes), StandardCharsets.US_ASCII)).isEqualTo("hello");
	}

	@Test
	void concatenatedMembers_areRejected() {
		byte[] many = joined(compress(TEXT), compress(TEXT));
		assertRejected(many, RpcStatus.INTERNAL, "bytes announced, 620 found, with ");
		byte[] empty = compress(new byte[0]);
		byte[] deep = new byte[empty.length * 50_000];
		for (int i = 0; i < deep.length; i += empty.length) {
			System.arraycopy(empty, 0, deep, i, empty.length);
		}
		assertRejected(deep, RpcStatus.INTERNAL, "0 bytes announced, 0 found");
	}

	@Test
	void limit_isExact() {
		byte[] compressed = compress(TEXT);
		assertThat(Gzip.inflate(compressed, 0, compressed.length, TEXT.length, Side.SERVER)).isEqualTo(TEXT);
		assertThatExceptionOfType(GrpcException.class)
			.isThrownBy(() -> Gzip.inflate(compressed, 0, compressed.length, TEXT.length - 1, Side.SERVER))
			.withMessage("rpc.server.max-frame-size: the message takes 620 bytes (expected: at most 619)")
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED));
	}

	@Test
	void bomb_isRejected_withItsLength() {
		byte[] bomb = compress(new byte[8 << 20]);
		assertThat(bomb).hasSizeLessThan(16 << 10);
		assertRejected(bomb, RpcStatus.RESOURCE_EXHAUSTED,
				"rpc.server.max-frame-size: the message takes 8388608 bytes");
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 619, 621, 1024, LIMIT })
	void wrongLength_isRejected(int announced) {
		byte[] compressed = announce(compress(TEXT), announced);
		assertRejected(compressed, RpcStatus.INTERNAL, "compressed message: " + announced + " bytes ");
	}

	@Test
	void lengthThatNothingReaches_allocatesNothing() {
		byte[] compressed = announce(compress(TEXT), -1);
		assertThatExceptionOfType(GrpcException.class)
			.isThrownBy(() -> Gzip.inflate(compressed, 0, compressed.length, Integer.MAX_VALUE, Side.SERVER))
			.withMessage("compressed message: 4294967295 bytes in %d (expected: one member of gzip)",
					compressed.length);
	}

	private static byte[] announce(byte[] compressed, int length) {
		ByteBuffer.wrap(compressed).order(ByteOrder.LITTLE_ENDIAN).putInt(compressed.length - 4, length);
		return compressed;
	}

	@Test
	void truncatedMessage_isRejected_atEachLength() {
		byte[] compressed = compress(TEXT);
		for (int length = 1; length < compressed.length; length++) {
			assertRejected(Arrays.copyOf(compressed, length), RpcStatus.INTERNAL, "compressed message: ");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 8, 9, 18, 19, 30, 5000 })
	void otherBytesBehindMessage_areRejected(int length) {
		for (byte[] garbage : new byte[][] { new byte[length], "x".repeat(length).getBytes(StandardCharsets.UTF_8) }) {
			assertRejected(joined(compress(TEXT), garbage), RpcStatus.INTERNAL, "compressed message: ");
		}
		assertRejected(announce(joined(compress(TEXT), new byte[length + 4]), TEXT.length), RpcStatus.INTERNAL,
				"620 bytes announced, 620 found, with " + (length + 12) + " behind them");
	}

	@Test
	void flippedBits_areRejected_orLeaveMessageAsItIs() {
		byte[] compressed = compress(TEXT);
		for (int i = 0; i < compressed.length * 8; i++) {
			byte[] flipped = compressed.clone();
			flipped[i / 8] ^= (byte) (1 << i % 8);
			try {
				assertThat(inflate(flipped)).isEqualTo(TEXT);
				assertThat(i / 8).as("flag of a text, time, level or system").isBetween(3, 9);
			}
			catch (GrpcException ex) {
				assertThat(ex.status()).isIn(RpcStatus.INTERNAL, RpcStatus.RESOURCE_EXHAUSTED);
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "1, ''", "2, aabb", "4, 0000", "4, 030001ff00", "8, 00", "8, 612e6a736f6e00", "16, 7800",
			"24, 61006200", "31, 0100ff610062001234" })
	void optionalHeaderFields_areSkipped(int flags, String hex) {
		byte[] compressed = withFields(flags, hex);
		assertThat(inflate(compressed)).isEqualTo(TEXT);
		assertThat(Gzip.inflate(joined(joined(new byte[5], compressed), new byte[3]), 5, compressed.length, LIMIT,
				Side.SERVER))
			.isEqualTo(TEXT);
		for (int length = 10; length < compressed.length; length++) {
			assertRejected(Arrays.copyOf(compressed, length), RpcStatus.INTERNAL, "compressed message: ");
		}
	}

	@ParameterizedTest
	@CsvSource({ "4, ffff", "4, 0090", "8, 61", "16, 61", "24, 6100" })
	void optionalHeaderField_withoutEnd_isRejected(int flags, String hex) {
		byte[] fields = withFields(flags, hex);
		byte[] compressed = Arrays.copyOf(fields, 10 + hex.length() / 2 + 8);
		Arrays.fill(compressed, 10 + hex.length() / 2, compressed.length, (byte) 1);
		assertRejected(announce(compressed, 1), RpcStatus.INTERNAL, "compressed message: no end of the header");
	}

	@ParameterizedTest
	@ValueSource(ints = { 32, 64, 128, 0xff })
	void flagsThatNobodyKnows_areRejected(int flags) {
		assertRejected(withFields(flags, ""), RpcStatus.INTERNAL,
				"compressed message: no header (expected: one member of gzip)");
	}

	private static byte[] withFields(int flags, String hex) {
		byte[] compressed = compress(TEXT);
		byte[] head = Arrays.copyOf(compressed, 10);
		head[3] = (byte) flags;
		return joined(joined(head, HexFormat.of().parseHex(hex)),
				Arrays.copyOfRange(compressed, 10, compressed.length));
	}

	@Test
	void randomBytes_areRejected() {
		Random random = new Random(3);
		for (int i = 0; i < 5000; i++) {
			byte[] bytes = joined(Arrays.copyOf(compress(TEXT), random.nextInt(20)), new byte[random.nextInt(60) + 1]);
			for (int at = Math.min(4, bytes.length); at < bytes.length; at++) {
				bytes[at] = (byte) random.nextInt();
			}
			assertThatExceptionOfType(GrpcException.class).isThrownBy(() -> inflate(bytes));
		}
	}

	@Test
	void encodings_areGzipAndIdentity() {
		assertThat(Gzip.isEncoding("gzip", Side.SERVER)).isTrue();
		assertThat(Gzip.isEncoding("identity", Side.SERVER)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "SERVER, UNIMPLEMENTED", "CLIENT, INTERNAL" })
	void otherEncoding_isRejected(Side receiver, RpcStatus status) {
		for (String each : new String[] { "deflate", "snappy", "x-gzip", "GZIP", "gzip,gzip", " gzip", "" }) {
			assertThatExceptionOfType(GrpcException.class).isThrownBy(() -> Gzip.isEncoding(each, receiver))
				.withMessage("grpc-encoding: '%s' (expected: gzip or identity)", each)
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(status));
		}
	}

	@ParameterizedTest
	@CsvSource({ "gzip, true", "'identity,deflate,gzip', true", "'identity, gzip', true", "'gzip ,identity', true",
			"identity, false", "'', false", "x-gzip, false", "'deflate,gzipped', false", "',', false" })
	void acceptedEncodings_areParsed(String value, boolean accepted) {
		assertThat(Gzip.isAccepted(value)).isEqualTo(accepted);
	}

}
