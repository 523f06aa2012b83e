package io.rpcboot.serialization.protostuff;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.protostuff.LinkedBuffer;
import io.protostuff.ProtostuffIOUtil;
import io.protostuff.Schema;
import io.protostuff.runtime.RuntimeSchema;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.zoo.ZooTypes.Colour;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the bytes with protostuff-runtime, for the types that it carries correctly.
 */
public class ProtostuffRuntimeTests {

	/** Written by ProtostuffIOUtil of protostuff-core 1.8.0 for {@link #bean()}. */
	private static final String GOLDEN = "080110ffffffff0f18feffffff0f20ad9c0128fdffffffffffffffff01308080808080203d0000c0"
			+ "3f4100000000000004c04a0e4772c3bcc39f6520e4b8ade6968752ac02" + "78".repeat(300)
			+ "5a0201ff60026a09056bc75e2d631000007140420f0000000000784d8b010a05696e6e65728c0190"
			+ "01019001ffffffffffffffffff019001ac029b010a05696e6e65729c019b010a05696e6e65729c01"
			+ "a3010b0a036b6579130a05696e6e6572140ca401";

	private final Schema<Bean> runtime = RuntimeSchema.getSchema(Bean.class);

	private final MethodCodec codec = Codecs.method(Service.class, "bean");

	@Test
	void bytes_matchProtostuffGoldenBytes() {
		assertThat(HexFormat.of().formatHex(body(bean()))).isEqualTo(GOLDEN);
	}

	@Test
	void bytes_matchRuntimeSchema() {
		assertThat(writtenByRuntime(bean())).isEqualTo(body(bean()));
	}

	@Test
	void runtimeSchema_readsCodecBytes() {
		byte[] body = body(bean());
		Bean read = this.runtime.newMessage();
		ProtostuffIOUtil.mergeFrom(body, read, this.runtime);
		assertThat(read).usingRecursiveComparison().isEqualTo(bean());
	}

	@Test
	void codec_readsRuntimeSchemaBytes() {
		byte[] body = writtenByRuntime(bean());
		byte[] message = new byte[body.length + 2];
		message[0] = 1 << 3 | 3;
		System.arraycopy(body, 0, message, 1, body.length);
		message[message.length - 1] = 1 << 3 | 4;
		assertThat(this.codec.deserializeResult(message, 0, message.length)).usingRecursiveComparison()
			.isEqualTo(bean());
	}

	/** Without the group that holds the result. */
	private byte[] body(Bean bean) {
		byte[] message = Codecs.result(this.codec, bean);
		return Arrays.copyOfRange(message, 1, message.length - 1);
	}

	private byte[] writtenByRuntime(Bean bean) {
		return ProtostuffIOUtil.toByteArray(bean, this.runtime, LinkedBuffer.allocate());
	}

	static Bean bean() {
		Bean bean = new Bean();
		bean.z = true;
		bean.b = -1;
		bean.s = -2;
		bean.c = '中';
		bean.i = -3;
		bean.l = 1L << 40;
		bean.f = 1.5f;
		bean.d = -2.5;
		bean.text = "Grüße 中文";
		bean.longText = "x".repeat(300);
		bean.bytes = new byte[] { 1, -1 };
		bean.colour = Colour.BLUE;
		bean.big = BigInteger.TEN.pow(20);
		bean.date = new Date(1_000_000);
		bean.boxed = 77;
		bean.inner = new Inner();
		bean.inner.name = "inner";
		bean.numbers = new ArrayList<>(List.of(1, -1, 300));
		bean.inners = new ArrayList<>(List.of(bean.inner, bean.inner));
		bean.map = new LinkedHashMap<>(Map.of("key", bean.inner));
		return bean;
	}

	public interface Service {

		Bean bean();

	}

	public static class Inner {

		String name;

	}

	public static class Bean {

		boolean z;

		byte b;

		short s;

		char c;

		int i;

		long l;

		float f;

		double d;

		String text;

		String longText;

		byte[] bytes;

		Colour colour;

		BigInteger big;

		Date date;

		Integer boxed;

		Long absent;

		Inner inner;

		List<Integer> numbers;

		List<Inner> inners;

		Map<String, Inner> map;

	}

}
