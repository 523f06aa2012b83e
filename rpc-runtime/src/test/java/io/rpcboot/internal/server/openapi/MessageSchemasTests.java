package io.rpcboot.internal.server.openapi;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.rpcboot.RpcContract;
import io.rpcboot.internal.serialization.protobuf.json.Sinks;
import io.rpcboot.server.GrpcServiceDefinition;
import io.rpcboot.server.ServiceOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.rpcboot.internal.server.openapi.Documents.at;
import static io.rpcboot.internal.server.openapi.Documents.json;
import static io.rpcboot.internal.server.openapi.Documents.schema;
import static org.assertj.core.api.Assertions.assertThat;

public class MessageSchemasTests {

	private static final String NAME = "io.rpcboot.internal.server.openapi.";

	private static final String REF = "{$ref: '#/components/schemas/%s'}";

	@RpcContract(name = NAME + "Kinds")
	public interface Kinds {

		Everything everything(Everything value);

	}

	@SuppressWarnings("unused")
	public static class Everything {

		byte small;

		char letter;

		int whole;

		Integer boxed;

		long large;

		float half;

		double real;

		boolean yes;

		String text;

		byte[] bytes;

		TimeUnit unit;

		Instant instant;

		Duration duration;

		LocalDate day;

		UUID id;

		BigDecimal price;

		Optional<Long> maybe;

		List<Long> longs;

		int[] numbers;

		Set<UUID> ids;

		List<List<String>> nested;

		Map<String, LocalDate> days;

		Map<Integer, Everything> byNumber;

		Map<Boolean, Integer> byFlag;

		Everything self;

		Shape shape;

		@Deprecated
		int old;

	}

	public sealed interface Shape permits Circle, Square {

	}

	public record Circle(double radius) implements Shape {
	}

	public record Square(double side) implements Shape {
	}

	private static JsonElement everything(String property) {
		return at(schema(Documents.of(Kinds.class), NAME + "MessageSchemasTestsEverything"), "properties", property);
	}

	private static JsonElement sinks() {
		GrpcServiceDefinition hosted = new GrpcServiceDefinition("sink.Sinks",
				Map.of("Pour", (call) -> CompletableFuture.completedFuture(call.message())), Map.of(),
				() -> Sinks.FILES);
		return JsonParser
			.parseString(Documents.text(Documents.builder().grpcService(hosted, ServiceOptions.defaults())));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = { "small | {type: integer, format: int32}",
			"letter | {type: integer, minimum: 0, maximum: 4294967295}", "whole | {type: integer, format: int32}",
			"boxed | {type: integer, format: int32}",
			"large | {type: string, format: int64, pattern: '^-?[0-9]{1,19}$'}", "half | {type: number, format: float}",
			"real | {type: number, format: double}", "yes | {type: boolean}", "text | {type: string}",
			"bytes | {type: string, format: byte, contentEncoding: base64}",
			"instant | {$ref: '#/components/schemas/google.protobuf.Timestamp'}",
			"duration | {$ref: '#/components/schemas/google.protobuf.Duration'}",
			"day | {type: string, format: date, description: 'LocalDate, such as 2026-12-24'}",
			"price | {type: string, description: 'BigDecimal, such as 12.50'}",
			"maybe | {type: string, format: int64, pattern: '^-?[0-9]{1,19}$'}",
			"longs | {type: array, items: {type: string, format: int64, pattern: '^-?[0-9]{1,19}$'}}",
			"numbers | {type: array, items: {type: integer, format: int32}}",
			"old | {type: integer, format: int32, deprecated: true}" })
	void valueOfJava_hasTypeOfItsJson(String property, String expected) {
		assertThat(everything(property)).isEqualTo(json(expected));
	}

	@Test
	void keysOfMap_havePattern_exceptTexts() {
		assertThat(everything("byFlag")).isEqualTo(json("{type: object, additionalProperties: "
				+ "{type: integer, format: int32}, propertyNames: {pattern: '^(true|false)$'}}"));
		assertThat(everything("days").getAsJsonObject().has("propertyNames")).isFalse();
	}

	@Test
	void textOfOneForm_hasFormat_alsoInContainers() {
		assertThat(at(everything("id"), "format").getAsString()).isEqualTo("uuid");
		assertThat(at(everything("ids"), "items", "format").getAsString()).isEqualTo("uuid");
		assertThat(at(everything("days"), "additionalProperties", "format").getAsString()).isEqualTo("date");
	}

	@Test
	void enum_isComponent_ofItsNames() {
		assertThat(everything("unit")).isEqualTo(json(REF.formatted(NAME + "TimeUnit")));
		JsonElement names = at(schema(Documents.of(Kinds.class), NAME + "TimeUnit"), "enum");
		assertThat(names.getAsJsonArray()).isNotEmpty()
			.anyMatch((each) -> each.getAsString().endsWith("NANOSECONDS"))
			.anyMatch((each) -> each.getAsString().endsWith("DAYS"));
	}

	@Test
	void recursiveType_refersToItself() {
		String self = REF.formatted(NAME + "MessageSchemasTestsEverything");
		assertThat(everything("self")).isEqualTo(json(self));
		assertThat(everything("byNumber")).isEqualTo(
				json("{type: object, additionalProperties: " + self + ", propertyNames: {pattern: '^-?[0-9]+$'}}"));
	}

	@Test
	void listOfLists_isListOfMessages() {
		String inner = at(everything("nested"), "items", "$ref").getAsString();
		assertThat(at(schema(Documents.of(Kinds.class), inner.substring(inner.lastIndexOf('/') + 1)), "properties",
				"items"))
			.isEqualTo(json("{type: array, items: {type: string}}"));
	}

	@Test
	void sealedType_isObjectWithOneProperty() {
		String circle = REF.formatted(NAME + "MessageSchemasTestsCircle");
		String square = REF.formatted(NAME + "MessageSchemasTestsSquare");
		assertThat(schema(Documents.of(Kinds.class), NAME + "MessageSchemasTestsShape")).isEqualTo(json("""
				{
				  type: object,
				  oneOf: [
				    {type: object, title: circle, properties: {circle: %s}, required: [circle]},
				    {type: object, title: square, properties: {square: %s}, required: [square]}
				  ]
				}""".formatted(circle, square)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"google.protobuf.Timestamp | {type: string, format: date-time}",
			"google.protobuf.Any | {type: object, properties: {'@type': {type: string}}, additionalProperties: true}",
			"google.protobuf.Struct | {type: object, additionalProperties: true}",
			"google.protobuf.ListValue | {type: array, items: {}}",
			"google.protobuf.Value | {description: 'Any value of JSON'}", "google.protobuf.Empty | {type: object}",
			"google.protobuf.NullValue | {type: 'null'}", "google.protobuf.BoolValue | {type: [boolean, 'null']}",
			"google.protobuf.Int64Value | {type: [string, 'null'], format: int64, pattern: '^-?[0-9]{1,19}$'}",
			"google.protobuf.UInt64Value | {type: [string, 'null'], format: uint64, pattern: '^[0-9]{1,20}$'}",
			"google.protobuf.BytesValue | {type: [string, 'null'], format: byte, contentEncoding: base64}",
			"sink.Colour | {type: string, enum: [COLOUR_NONE, RED, BLUE, AZURE, NEGATIVE]}",
			"sink.Nothing | {type: object}" })
	void messageOfProtobuf_hasFormOfItsJson(String message, String expected) {
		assertThat(schema(sinks(), message)).isEqualTo(json(expected));
	}

	@Test
	void duration_isSeconds() {
		String pattern = at(schema(sinks(), "google.protobuf.Duration"), "pattern").getAsString();
		assertThat(List.of("1s", "-1.5s", "315576000000s", "0.000000001s")).allMatch((each) -> each.matches(pattern));
		assertThat(List.of("1", "s", "1.s", "PT1S", "1ss")).noneMatch((each) -> each.matches(pattern));
	}

	@Test
	void names_areThoseOfJson() {
		assertThat(at(schema(sinks(), "sink.Sink"), "properties").getAsJsonObject().keySet())
			.contains("textValue", "i32", "@other", "wBool", "oddNameX")
			.doesNotContain("text_value", "renamed");
	}

	@Test
	void oneof_hasAtMostOneProperty() {
		JsonElement sink = schema(sinks(), "sink.Sink");
		assertThat(at(sink, "allOf").getAsJsonArray()).hasSize(2);
		assertThat(at(sink, "allOf", 1)).isEqualTo(json("""
				{oneOf: [{required: [left]}, {required: [right]},
				{not: {anyOf: [{required: [left]}, {required: [right]}]}}]}"""));
		assertThat(at(sink, "properties").getAsJsonObject().keySet()).contains("left", "right", "maybe");
		assertThat(sink.getAsJsonObject().has("required")).isFalse();
	}

	@Test
	void componentOfMapEntry_isLeftOut() {
		assertThat(at(sinks(), "components", "schemas").getAsJsonObject().keySet())
			.noneMatch((each) -> each.endsWith("Entry"));
	}

}
