package io.rpcboot.internal.serialization.protobuf.json;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import io.rpcboot.serialization.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Tests the messages about JSON, and about bytes, that are no message. */
class RefusedJsonTests {

	private static final String SINK = "sink.Sink";

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', maxCharsPerColumn = 1000,
			textBlock = """
					[]                                              | : an array (expected: an object)
					1                                               | : an integer (expected: an object)
					null                                            | : null (expected: an object)
					"x"                                             | : a text (expected: an object)
					{} {}                                           | : an object behind the value (expected: nothing)
					{"a"                                            | : no JSON at byte 4: Unexpected end-of-input within/between Object entries
					{"unknwon": 1}                                  | unknwon: no field of sink.Sink (expected: d, f, i32, i64, u32, u64, s32, s64, f32, f64, sf32, sf64, yes, textValue, blob, colour, child, maybe, maybeText, name, …)
					{"texValue": 1}                                 | texValue: no field of sink.Sink (expected: textValue)
					{"tex_value": "a"}                              | tex_value: no field of sink.Sink (expected: textValue)
					{"child": {"childd": {}}}                       | child.childd: no field of sink.Sink (expected: child)
					{"empty": {"a": 1}}                             | empty.a: no field of google.protobuf.Empty (expected: none)
					{"i32": 1, "i32": 1}                            | i32: set twice, perhaps by two names (expected: once)
					{"textValue": "a", "text_value": "b"}           | text_value: set twice, perhaps by two names (expected: once)
					{"ds": [], "ds": []}                            | ds: set twice, perhaps by two names (expected: once)
					{"name": "a", "count": 1}                       | count: a second member of a oneof (expected: one)
					{"choice": null, "name": "a"}                   | name: a second member of a oneof (expected: one)
					{"child": "x"}                                  | child: a text (expected: an object)
					{"child": []}                                   | child: an array (expected: an object)
					{"child": 1.5}                                  | child: a number with a fraction (expected: an object)
					{"child": {"child": {"i32": "x"}}}              | child.child.i32: 'x' (expected: an integer of 32 bits)
					{"sinks": {}}                                   | sinks: an object (expected: an array)
					{"sinks": [{}, {"i32": 2147483648}]}            | sinks[1].i32: 2147483648 (expected: an integer of 32 bits)
					{"sinks": [null]}                               | sinks[0]: null (expected: an object)
					{"sinks": ["a"]}                                | sinks[0]: a text (expected: an object)
					{"ds": [1, null]}                               | ds[1]: null (expected: a number)
					{"ds": 1}                                       | ds: an integer (expected: an array)
					{"counts": []}                                  | counts: an array (expected: an object)
					{"counts": {"a": null}}                         | counts["a"]: null (expected: an integer of 32 bits)
					{"counts": {"a": "b"}}                          | counts["a"]: 'b' (expected: an integer of 32 bits)
					{"counts": {"a": 1, "a": 2}}                    | counts["a"]: a key twice (expected: once)
					{"counts": {"a": [1]}}                          | counts["a"]: an array (expected: an integer of 32 bits)
					{"byId": {"1": {}, "1.0": {}}}                  | byId["1.0"]: a key twice (expected: once)
					{"byId": {"x": {}}}                             | byId["x"]: 'x' (expected: an integer of 64 bits)
					{"byId": {"1": {"i32": true}}}                  | byId["1"].i32: true (expected: an integer of 32 bits)
					{"flags": {"yes": ""}}                          | flags["yes"]: 'yes' (expected: true or false)
					{"i32": 2147483648}                             | i32: 2147483648 (expected: an integer of 32 bits)
					{"i32": -2147483649}                            | i32: -2147483649 (expected: an integer of 32 bits)
					{"i32": 1.5}                                    | i32: 1.5 (expected: an integer of 32 bits)
					{"i32": "1.5"}                                  | i32: 1.5 (expected: an integer of 32 bits)
					{"i32": 1e-1}                                   | i32: 1e-1 (expected: an integer of 32 bits)
					{"i32": 1e1000000000}                           | i32: 1e1000000000 (expected: an integer of 32 bits)
					{"i32": 1e-1000000000}                          | i32: 1e-1000000000 (expected: an integer of 32 bits)
					{"i32": 1e99999999999}                          | i32: 1e99999999999 (expected: an integer of 32 bits)
					{"i32": "1e99999999999"}                        | i32: 1e99999999999 (expected: an integer of 32 bits)
					{"i32": ""}                                     | i32: '' (expected: an integer of 32 bits)
					{"i32": " 1"}                                   | i32: ' 1' (expected: an integer of 32 bits)
					{"i32": "+"}                                    | i32: + (expected: an integer of 32 bits)
					{"i32": "0x10"}                                 | i32: '0x10' (expected: an integer of 32 bits)
					{"i32": "１"}                                    | i32: '１' (expected: an integer of 32 bits)
					{"i32": true}                                   | i32: true (expected: an integer of 32 bits)
					{"i32": {}}                                     | i32: an object (expected: an integer of 32 bits)
					{"i32": []}                                     | i32: an array (expected: an integer of 32 bits)
					{"i64": 9223372036854775808}                    | i64: 9223372036854775808 (expected: an integer of 64 bits)
					{"i64": "-9223372036854775809"}                 | i64: -9223372036854775809 (expected: an integer of 64 bits)
					{"u32": -1}                                     | u32: -1 (expected: an integer of 32 bits, 0 or more)
					{"u32": "4294967296"}                           | u32: 4294967296 (expected: an integer of 32 bits, 0 or more)
					{"u64": -1}                                     | u64: -1 (expected: an integer of 64 bits, 0 or more)
					{"u64": 18446744073709551616}                   | u64: 18446744073709551616 (expected: an integer of 64 bits, 0 or more)
					{"f": 3.5e38}                                   | f: 3.5e38 (expected: a number of 32 bits)
					{"d": 1e400}                                    | d: 1e400 (expected: a number)
					{"d": "1e400"}                                  | d: 1e400 (expected: a number)
					{"d": "infinity"}                               | d: 'infinity' (expected: a number)
					{"d": "nan"}                                    | d: 'nan' (expected: a number)
					{"d": "1d"}                                     | d: '1d' (expected: a number)
					{"d": ""}                                       | d: '' (expected: a number)
					{"d": NaN}                                      | : no JSON at byte 9: Non-standard token 'NaN': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow
					{"d": true}                                     | d: true (expected: a number)
					{"yes": 1}                                      | yes: an integer (expected: true or false)
					{"yes": "TRUE"}                                 | yes: 'TRUE' (expected: true or false)
					{"textValue": 1}                                | textValue: an integer (expected: a text)
					{"textValue": true}                             | textValue: true (expected: a text)
					{"textValue": "\\ud800"}                        | textValue: an unpaired surrogate at 0 (expected: text that UTF-8 can express)
					{"textValue": "\\udc00a"}                       | textValue: an unpaired surrogate at 0 (expected: text that UTF-8 can express)
					{"textValue": {}}                               | textValue: an object (expected: a text)
					{"counts": {"\\ud800": 1}}                      | counts: no JSON at byte 19: Broken surrogate pair in property name: expected '\\' to start low surrogate, got 0x22
					{"blob": "*"}                                   | blob: '*' (expected: a text in Base64)
					{"blob": "AQ=A"}                                | blob: 'AQ=A' (expected: a text in Base64)
					{"blob": "A"}                                   | blob: 'A' (expected: a text in Base64)
					{"blob": "-/"}                                  | blob: '-/' (expected: a text in Base64)
					{"blob": 1}                                     | blob: an integer (expected: a text)
					{"blob": "AA AA"}                               | blob: 'AA AA' (expected: a text in Base64)
					{"colour": "GREEN"}                             | colour: 'GREEN' (expected: a constant of sink.Colour: COLOUR_NONE, RED, BLUE, AZURE, NEGATIVE)
					{"colour": "REDD"}                              | colour: 'REDD' (expected: a constant of sink.Colour: COLOUR_NONE, RED, BLUE, AZURE, NEGATIVE)
					{"colour": 1.5}                                 | colour: 1.5 (expected: a constant, or its number)
					{"colour": 2147483648}                          | colour: 2147483648 (expected: a constant, or its number)
					{"colour": true}                                | colour: true (expected: a constant, or its number)
					{"colours": [null]}                             | colours[0]: null (expected: a constant, or its number)
					{"at": "x"}                                     | at: 'x' (expected: a timestamp of the years 1 to 9999, like 2026-01-31T23:59:59.123Z)
					{"at": "2026-01-01"}                            | at: '2026-01-01' (expected: a timestamp of the years 1 to 9999, like 2026-01-31T23:59:59.123Z)
					{"at": "2026-02-30T00:00:00Z"}                  | at: '2026-02-30T00:00:00Z' (expected: a timestamp of the years 1 to 9999, like 2026-01-31T23:59:59.123Z)
					{"at": "2026-01-01T24:00:00Z"}                  | at: '2026-01-01T24:00:00Z' (expected: a timestamp of the years 1 to 9999, like 2026-01-31T23:59:59.123Z)
					{"at": "2026-01-01T00:00:60Z"}                  | at: '2026-01-01T00:00:60Z' (expected: a timestamp of the years 1 to 9999, like 2026-01-31T23:59:59.123Z)
					{"at": "2026-01-01t00:00:00z"}                  | at: '2026-01-01t00:00:00z' (expected: a timestamp of the years 1 to 9999, like 2026-01-31T23:59:59.123Z)
					{"at": "2026-01-01T00:00:00"}                   | at: '2026-01-01T00:00:00' (expected: a timestamp of the years 1 to 9999, like 2026-01-31T23:59:59.123Z)
					{"at": "2026-01-01T00:00:00.Z"}                 | at: '2026-01-01T00:00:00.Z' (expected: a timestamp of the years 1 to 9999, like 2026-01-31T23:59:59.123Z)
					{"at": "0000-12-31T23:59:59Z"}                  | at: '0000-12-31T23:59:59Z' (expected: a timestamp of the years 1 to 9999, like 2026-01-31T23:59:59.123Z)
					{"at": "9999-12-31T23:59:59-00:01"}             | at: '9999-12-31T23:59:59-00:01' (expected: a timestamp of the years 1 to 9999, like 2026-01-31T23:59:59.123Z)
					{"at": "2026-01-01T00:00:00Z\\n<script>"}       | at: '2026-01-01T00:00:00Z <script>' (expected: a timestamp of the years 1 to 9999, like 2026-01-31T23:59:59.123Z)
					{"at": 1}                                       | at: an integer (expected: a text)
					{"lasts": "1"}                                  | lasts: '1' (expected: seconds of at most 315,576,000,000, like 1.5s)
					{"lasts": "s"}                                  | lasts: 's' (expected: seconds of at most 315,576,000,000, like 1.5s)
					{"lasts": "1.s"}                                | lasts: '1.s' (expected: seconds of at most 315,576,000,000, like 1.5s)
					{"lasts": "--1s"}                               | lasts: '--1s' (expected: seconds of at most 315,576,000,000, like 1.5s)
					{"lasts": "315576000001s"}                      | lasts: '315576000001s' (expected: seconds of at most 315,576,000,000, like 1.5s)
					{"lasts": 1}                                    | lasts: an integer (expected: a text)
					{"mask": 1}                                     | mask: an integer (expected: a text)
					{"wInt32": {"value": 1}}                        | wInt32: an object (expected: an integer of 32 bits)
					{"wInt32": "x"}                                 | wInt32: 'x' (expected: an integer of 32 bits)
					{"any": {"i32": 1}}                             | any: no @type (expected: a type of the service, like type.googleapis.com/acme.User)
					{"any": {"@type": 1}}                           | any: no @type (expected: a type of the service, like type.googleapis.com/acme.User)
					{"any": {"@type": "sink.Sink"}}                 | any: @type 'sink.Sink' (expected: a type of the service, like type.googleapis.com/acme.User)
					{"any": {"@type": "a/sink.None"}}               | any: @type 'a/sink.None' (expected: a type of the service, like type.googleapis.com/acme.User)
					{"any": {"@type": "a/sink.Sink", "unknown": 1}} | any.unknown: no field of sink.Sink (expected: d, f, i32, i64, u32, u64, s32, s64, f32, f64, sf32, sf64, yes, textValue, blob, colour, child, maybe, maybeText, name, …)
					{"any": {"@type": "a/sink.Sink", "child": {"i32": "x"}}} | any.child.i32: 'x' (expected: an integer of 32 bits)
					{"any": {"@type": "a/google.protobuf.Duration", "value": "x"}} | any.value: 'x' (expected: seconds of at most 315,576,000,000, like 1.5s)
					{"any": {"@type": "a/google.protobuf.Duration", "valeu": "1s"}} | any.valeu: no field of google.protobuf.Duration (expected: value)
					{"any": {"@type": "a/google.protobuf.Duration", "value": "1s", "value": "1s"}} | any.value: set twice, perhaps by two names (expected: once)
					{"any": {"@type": {"i32": 1}, "@type": "a/sink.Sink"}} | any.@type: an object (expected: a text)
					{"any": {"@type": "a/sink.Sink", "@type": "a/sink.Sink"}} | any.@type: set twice, perhaps by two names (expected: once)
					{"any": {"@type": "a/google.protobuf.Empty", "@type": 1}} | any.@type: set twice, perhaps by two names (expected: once)
					{"any": []}                                     | any: an array (expected: an object)
					{"struct": []}                                  | struct: an array (expected: an object)
					{"struct": {"a": {"b": [1e400]}}}               | struct["a"]["b"][0]: 1e400 (expected: a number)
					{"list": {}}                                    | list: an object (expected: an array)
					{"value": 1e400}                                | value: 1e400 (expected: a number)
					{"i32": 01}                                     | : no JSON at byte 9: Invalid numeric value: Leading zeroes not allowed
					{"ctrl\\u0000\\u202e": 1}                       | ctrl??: no field of sink.Sink (expected: d, f, i32, i64, u32, u64, s32, s64, f32, f64, sf32, sf64, yes, textValue, blob, colour, child, maybe, maybeText, name, …)
					""")
	void json_isRefused_withPath(String text, String message) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Sinks.bytes(SINK, text))
			.withMessage("sink.Sink: JSON" + (message.startsWith(":") ? "" : " ") + message);
	}

	/** Bytes of JSON, with control characters and others than ASCII as numbers. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			efbbbf7b7d                     | : a byte order mark (expected: JSON)
			fffe7b007d00                   | : text is not UTF-8, at byte 0
			7b007d00                       | : no JSON at byte 1
			7b22c0af223a317d               | : text is not UTF-8, at byte 2
			7b227465787456616c7565223a22eda080227d | : text is not UTF-8, at byte 14
			7b227465787456616c7565223a220a227d | textValue: no JSON at byte 14
			7b7d00                         | : no JSON at byte 2
			""")
	void bytes_areNoJson(String hex, String message) {
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Sinks.bytes(Sinks.JSON, SINK, HexFormat.of().parseHex(hex)))
			.withMessageStartingWith("sink.Sink: JSON" + (message.startsWith(":") ? "" : " ") + message);
	}

	@Test
	void emptyInput_isRefused() {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Sinks.bytes(SINK, " "))
			.withMessage("sink.Sink: JSON: no value (expected: one)");
	}

	@Test
	void givenText_isCut_andPrintable() {
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Sinks.bytes(SINK, "{\"i32\": \"\\u0000\\u202e%s\"}".formatted("x".repeat(1000))))
			.withMessage("sink.Sink: JSON i32: '??%s...' (expected: an integer of 32 bits)".formatted("x".repeat(38)));
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Sinks.bytes(SINK, "{\"%s\": 1}".formatted("x".repeat(1000))))
			.satisfies((ex) -> assertThat(ex.getMessage()).hasSizeLessThan(300));
	}

	@Test
	void unknownFieldsAndConstants_areIgnored_onDemand() {
		String text = """
				{"unknown": {"a": [1, {"b": null}]}, "i32": 1, "colour": "GREEN", "colours": ["RED", "GREEN"],
				"byColour": {"a": "GREEN", "b": "RED"}, "child": {"x": 1e400},
				"any": {"@type": "a/google.protobuf.Empty", "more": 1}}""";
		byte[] bytes = Sinks.bytes(Sinks.LENIENT, SINK, text.getBytes(StandardCharsets.UTF_8));
		assertThat(Sinks.json(SINK, bytes)).isEqualTo("""
				{"i32":1,"child":{},"colours":["RED"],"byColour":{"b":"RED"},\
				"any":{"@type":"a/google.protobuf.Empty"}}""");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					18                       | : the bytes end too early
					00                       | : field number 0 (expected: 1 or more)
					1f                       | : tag 31 (expected: a wire type of 0 to 5)
					4d0102                   | : the bytes end too early
					7205                     | : length 5 (expected: at most the 0 bytes that remain)
					7201ff                   | textValue: text is not UTF-8
					7203eda080               | textValue: an unpaired surrogate at 0 (expected: text that UTF-8 can express)
					8a0102720 5              | child: length 5 (expected: at most the 0 bytes that remain)
					b2020308808 0            | sinks[0]: the bytes end too early
					b20200b202021801b202027205 | sinks[2]: length 5 (expected: at most the 0 bytes that remain)
					f201020102               | ds[0]: the bytes end too early
					c202050a01611080         | counts: the bytes end too early
					b203070880808080 8010    | at: 549755813888 seconds, 0 nanoseconds (expected: a timestamp of the years 1 to 9999, like 2026-01-31T23:59:59.123Z)
					ba03021005 ba030408011001 ba030b10ffffffffffffffffff01 | lasts: 1 seconds, -1 nanoseconds (expected: seconds of at most 315,576,000,000, like 1.5s)
					a2030911000000000000f07f | value: Infinity (expected: a finite number, because a Value has no other)
					9203030a0161             | any: @type 'a' (expected: a type of the service, like type.googleapis.com/acme.User)
					9203050a03612f62         | any: @type 'a/b' (expected: a type of the service, like type.googleapis.com/acme.User)
					92030312010a             | any: @type '' (expected: a type of the service, like type.googleapis.com/acme.User)
					""")
	void bytes_areRefused_withPath(String hex, String message) {
		byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Sinks.json(SINK, bytes))
			.withMessage("sink.Sink: message" + (message.startsWith(":") ? "" : " ") + message);
	}

	@Test
	void unknownTypes_areRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> Sinks.JSON.message("sink.None"))
			.withMessage("sink.None (expected: a message of the files)");
		assertThatIllegalArgumentException().isThrownBy(() -> Sinks.JSON.method("sink.Sinks", "None", null))
			.withMessage("sink.Sinks/None (expected: a method of the files)");
	}

}
