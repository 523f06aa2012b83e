package io.rpcboot.internal.serialization.protobuf;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Random;

import io.rpcboot.serialization.FullWindows;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests byte arrays that leave the buffer before their message is complete. */
public class LongValuesTests {

	private static final int LIMIT = 1 << 24;

	private static byte[] random(int size) {
		byte[] bytes = new byte[size];
		new Random(size).nextBytes(bytes);
		return bytes;
	}

	@ParameterizedTest
	@ValueSource(ints = { 8193, 65_535, 65_536, 150_010 })
	void result_hasTheSameBytes_acrossWindows(int size) {
		MethodCodec codec = Codecs.method(Files.class, "read");
		byte[] written = FullWindows.check((buffer) -> codec.serializeResult(random(size), buffer));
		assertThat(Codecs.read(codec, written)).isEqualTo(random(size));
	}

	@Test
	void arguments_haveTheSameBytes_aroundNestedMessages() {
		MethodCodec codec = Codecs.method(Files.class, "write");
		Object[] arguments = { random(70_000), new Row(1, random(20_000)), random(9000),
				List.of(new Row(2, random(3)), new Row(300, random(30_000))), "end" };
		ByteArrayOutputStream taken = new ByteArrayOutputStream();
		OutputBuffer buffer = new OutputBuffer(new byte[1024], LIMIT);
		buffer.overflow(taken::write);
		codec.serializeArguments(arguments, buffer);
		assertThat(taken.size()).as("up to the last long value outside of a row").isBetween(99_000, 99_100);
		taken.write(buffer.array(), 0, buffer.position());
		assertThat(buffer.length()).isEqualTo(taken.size());
		assertThat(taken.toByteArray()).isEqualTo(Codecs.arguments(codec, arguments));
	}

	public interface Files {

		byte[] read();

		boolean write(byte[] first, Row row, byte[] second, List<Row> rows, String end);

	}

	public record Row(int id, byte[] content) {

	}

}
