package io.rpcboot.serialization.jackson;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.rpcboot.serialization.AbstractAdapterContract;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.shop.OldShop;
import io.rpcboot.serialization.shop.OldShop.Circle;
import io.rpcboot.serialization.shop.OldShop.Colour;
import io.rpcboot.serialization.shop.OldShop.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** JSON under the contract of serializers, and how it reads. */
class JacksonSerializerTests extends AbstractAdapterContract {

	private static final String ORDER = """
			{"id":1,"name":"Doug","count":null,"weight":1.5,"note":null,"tags":["a"],"dates":{"RED":"1970-01-01"},"marks":[1],"sizes":null,"next":null}""";

	JacksonSerializerTests() {
		super(new JacksonSerializer());
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	private Object read(String method, String json) {
		return read(oldMethod(method), json.getBytes(StandardCharsets.UTF_8));
	}

	@Test
	void json_hasReadableForm() {
		Order order = new Order(1, "Doug", null, 1.5f, null, List.of("a"), Map.of(Colour.RED, LocalDate.EPOCH),
				new int[] { 1 }, null, null);
		assertThat(text(result(oldMethod("order"), order))).isEqualTo(ORDER);
		assertThat(read("order", ORDER)).usingRecursiveComparison().isEqualTo(order);
		assertThat(text(result(oldMethod("shape"), new Circle(2)))).isEqualTo("{\"@type\":\"Circle\",\"radius\":2.0}");
		assertThat(text(result(oldMethod("anything"), 5L))).isEqualTo("{\"@type\":\"Long\",\"value\":5}");
		assertThat(text(result(oldMethod("nothing"), null))).isEqualTo("null");
		OutputBuffer out = new OutputBuffer(new byte[1], 1000);
		oldMethod("order").serializeArguments(new Object[] { null }, out);
		assertThat(text(out.toByteArray())).isEqualTo("[null]");
		OutputBuffer thrown = new OutputBuffer(new byte[1], 1000);
		oldMethod("order").serializeException(OldShop.Missing.of("gone", 4), thrown);
		assertThat(text(thrown.toByteArray())).isEqualTo("{\"@type\":\"Missing\",\"message\":\"gone\",\"id\":4}");
	}

	@Test
	void properties_areRead_inAnyOrder() {
		assertThat(read("order", "{ \"next\":null," + ORDER.substring(1).replace(",\"next\":null", "")))
			.usingRecursiveComparison()
			.isEqualTo(read("order", ORDER));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "nul", "[]", "1", "\"\"", "{}", "{\"id\":1}", "null null", "null,", "null}",
			"{\"unknown\":1}" })
	void invalidOrderJson_isRefused(String json) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read("order", json))
			.withMessageStartingWith("io.rpcboot.serialization.shop.OldShop.order(")
			.withMessageContaining(": result");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"id\":1.0", "\"id\":2147483648", "\"id\":\"1\"", "\"id\":null", "\"id\":true",
			"\"id\":1,\"id\":1", "\"id\":1,\"class\":\"java.lang.String\"", "\"ID\":1", "'id':1" })
	void invalidIdJson_isRefused(String property) {
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> read("order", ORDER.replace("\"id\":1", property)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"@type\":\"java.lang.String\",\"value\":\"\"}", "{\"@type\":\"Line\",\"length\":1.0}",
			"{\"@type\":\"io.rpcboot.serialization.shop.OldShop$Circle\",\"radius\":1.0}", "{\"radius\":1.0}",
			"{\"radius\":1.0,\"@type\":\"Circle\"}", "{\"@type\":\"Circle\"}", "{\"@type\":null}", "{}", "[]",
			"{\"@class\":\"io.rpcboot.serialization.shop.OldShop$Circle\",\"radius\":1.0}" })
	void invalidShapeJson_isRefused(String json) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read("shape", json));
	}

	@Test
	void depthAndNumberLength_areBounded() {
		MethodCodec codec = oldMethod("anything");
		for (String json : List.of("[".repeat(100_000),
				"{\"@type\":\"List\",\"value\":[".repeat(100) + "]}".repeat(100), "{\"a\":".repeat(100_000),
				"{\"@type\":\"Long\",\"value\":" + "9".repeat(100_000) + "}",
				"{\"@type\":\"BigInteger\",\"value\":\"" + "9".repeat(100_000) + "\"}")) {
			assertThatExceptionOfType(SerializationException.class)
				.isThrownBy(() -> read(codec, json.getBytes(StandardCharsets.UTF_8)));
		}
	}

}
