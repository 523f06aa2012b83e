package io.rpcboot.internal.serialization.protobuf.json;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import com.google.gson.JsonParser;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import io.rpcboot.serialization.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Compares with protobuf-java-util: both read the same JSON, and both write the same.
 */
class ProtoJsonTests {

	private static final String SINK = "sink.Sink";

	/** JSON of a {@code Sink}, a line each. */
	private static final String ACCEPTED = """
			{}
			{"d": 1.5, "f": -0.25, "i32": -1, "i64": "-9223372036854775808", "u32": 4294967295}
			{"u64": "18446744073709551615", "s32": -2147483648, "s64": "-3", "f32": 4294967295, "f64": "1"}
			{"sf32": -7, "sf64": "-8", "yes": true, "textValue": "ä€😀\\u0000\\"<>&'", "blob": "AAECA/8="}
			{"d": 0, "f": 0, "i32": 0, "i64": 0, "u32": 0, "u64": 0, "yes": false, "textValue": "", "blob": ""}
			{"d": null, "f": null, "i32": null, "yes": null, "textValue": null, "child": null, "ds": null}
			{"counts": null, "colour": null, "blob": null, "maybe": null, "name": null, "count": 1}
			{"text_value": "proto name", "maybe_text": "", "maybe": 0, "wBool": null}
			{"i32": "1", "i64": 12, "u32": "3", "u64": 18446744073709551615, "d": "2.5", "f": "1e3", "yes": "true"}
			{"i32": 1e3, "i64": 1.0, "u32": 4.294967295e9, "u64": 1.8446744073709551615E19, "s64": "-1.0e2"}
			{"i32": -2147483648.0, "i64": 9223372036854775807, "s32": 100e-2, "f64": 1E0}
			{"d": "NaN", "f": "NaN"}
			{"d": "Infinity", "f": "-Infinity"}
			{"d": "-Infinity", "f": "Infinity"}
			{"d": 1.7976931348623157E308, "f": 3.4028235E38}
			{"d": 4.9E-324, "f": 1.4E-45, "last": 1}
			{"d": 123456789012345678901234567890, "f": 16777217}
			{"f": -0, "value": -0, "d": 0}
			{"f": -0.0, "value": -0.0, "d": 0.0}
			{"colour": "RED"}
			{"colour": 2}
			{"colour": "AZURE"}
			{"colour": 77, "colours": ["RED", 1, "2", 99, "NEGATIVE", -5]}
			{"blob": "-_-_"}
			{"blob": "+/+/"}
			{"blob": "AQ"}
			{"blob": "AQI="}
			{"blob": "AQI", "blobs": ["", "AA==", "_w"]}
			{"child": {"child": {"child": {}}}}
			{"name": ""}
			{"count": "0"}
			{"node": {}}
			{"nothing": null}
			{"nothing": "NULL_VALUE"}
			{"choice": null}
			{"left": false, "name": "both oneofs"}
			{"right": "COLOUR_NONE"}
			{"ds": [0, 1, "NaN"], "is": [1, -1, 2147483647], "us": [1, "2"], "ss": [-1], "fs": [4294967295]}
			{"ds": [], "texts": ["", "a"], "sinks": [{}, {"i32": 1}], "bs": [true, false]}
			{"counts": {"a": 1, "": 0}, "byId": {"-1": {}, "7": {"i32": 1}}, "flags": {"true": "x", "false": ""}}
			{"byColour": {"a": "RED", "b": 5}, "doubles": {"4294967295": "NaN", "0": 0}}
			{"valuesByName": {"a": null, "b": [1]}, "times": {"x": "1970-01-01T00:00:00Z"}}
			{"struct": {}}
			{"struct": {"a": null, "b": 1.5, "c": "x", "d": true, "e": {"f": []}, "g": [1, [null, {}]]}}
			{"value": null}
			{"value": 1}
			{"value": "NaN"}
			{"value": []}
			{"value": {"a": {"b": [{}]}}}
			{"value": false, "list": []}
			{"list": [1, "a", null, [], {}]}
			{"values": [null, 0, "", false]}
			{"at": "1970-01-01T00:00:00Z"}
			{"at": "0001-01-01T00:00:00Z"}
			{"at": "9999-12-31T23:59:59.999999999Z"}
			{"at": "2026-02-28T12:30:45.5+02:30"}
			{"at": "2024-02-29T00:00:00.000001-23:59"}
			{"at": "1969-12-31T23:59:59.100Z"}
			{"at": "2026-01-01T00:00:00.1234567899Z", "lasts": "1.1234567899s"}
			{"lasts": "0s"}
			{"lasts": "1s"}
			{"lasts": "-1.5s"}
			{"lasts": "-0.000000001s"}
			{"lasts": "315576000000s"}
			{"lasts": "-315576000000.999999999s"}
			{"lasts": "1.001002s"}
			{"mask": ""}
			{"mask": "a,fooBar.bazQux"}
			{"empty": {}}
			{"wBool": true, "wInt32": 1, "wInt64": "2", "wUint32": 3, "wUint64": "4", "wFloat": 1.5, "wDouble": 2.5}
			{"wBool": false, "wInt32": 0, "wInt64": 0, "wUint32": 0, "wFloat": 0, "wString": "", "wBytes": ""}
			{"wString": "x", "wBytes": "AQ==", "wLongs": [1, "2", 0]}
			{"nil": null, "nils": [null, "NULL_VALUE"]}
			{"any": {}}
			{"any": {"@type": "type.googleapis.com/sink.Sink"}}
			{"any": {"@type": "type.googleapis.com/sink.Sink", "i32": 1, "child": {"i32": 2}}}
			{"any": {"i32": 1, "child": {"@other": 2}, "@type": "x/y/sink.Sink"}}
			{"any": {"@type": "type.googleapis.com/google.protobuf.Timestamp", "value": "1970-01-01T00:00:01Z"}}
			{"any": {"value": null, "@type": "type.googleapis.com/google.protobuf.Value"}}
			{"any": {"value": {"a": 1}, "@type": "type.googleapis.com/google.protobuf.Struct"}}
			{"any": {"@type": "a/google.protobuf.Int64Value", "value": "5"}}
			{"any": {"@type": "a/google.protobuf.Duration"}}
			{"any": {"@type": "a/google.protobuf.Empty"}}
			{"any": {"value": {"@type": "a/sink.Sink", "i32": 1}, "@type": "a/google.protobuf.Any"}}
			{"anys": [{"@type": "a/sink.Nothing"}, {}, {"d": 1, "@type": "a/sink.Sink"}]}
			{"oddNameX": 1, "@other": 2}
			{"odd__Name_x": 1, "renamed": 2}
			""";

	static Stream<String> accepted() {
		return ACCEPTED.lines();
	}

	@ParameterizedTest
	@MethodSource("accepted")
	void text_isReadAndWrittenAsByTheOthers(String text) throws Exception {
		DynamicMessage theirs = Sinks.read(SINK, Sinks.parse(SINK, text).toByteArray());
		byte[] bytes = Sinks.bytes(SINK, text);
		assertThat(Sinks.read(SINK, bytes)).isEqualTo(theirs);
		assertSameJson(theirs);
		assertThat(Sinks.read(SINK, Sinks.bytes(SINK, Sinks.print(theirs)))).isEqualTo(theirs);
	}

	private static void assertSameJson(DynamicMessage message) throws Exception {
		String type = message.getDescriptorForType().getFullName();
		assertThat(JsonParser.parseString(Sinks.json(type, message.toByteArray())))
			.hasToString(JsonParser.parseString(Sinks.print(message)).toString());
	}

	/**
	 * Bytes that no line above has: another wire type, another order, and what is
	 * unknown.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			2001 1807                           | unknown 4 as a number of 64 bits, then 3
			1a00 1801                           | a number as a text is unknown
			1801 1802                           | the last one
			7a00                                | no bytes
			7200 720161                         | the last text
			a20100 a80101                       | the last of a oneof
			a80101 a20100                       | the other
			b201021801 b201022001               | a message of a oneof, twice
			b201021801 a80101 b201022001        | another between
			b201021801 aa0100 b201022001        | one of another type between
			f00101                              | another number
			fa010401020304                      | packed
			f80101 fa01020203 f80104            | both
			fa0100                              | packed nothing
			f80101 1801 f80102                  | apart
			f80101 fa0100 f80102                | packed nothing between
			fb01fc01 1801                       | a group
			c20200                              | an empty entry
			c2020210 05                         | an entry of a value
			c202051001 0a0161                   | an entry in another order
			c20206 0a0161 0a0162                | an entry of two keys
			ca02021200                          | an entry of an empty message
			da0200                              | an entry of a constant
			f2020408001000 f202020801           | an entry of a time, merged
			92030a 0a0120 0a0120 0a0120         | any
			9203020a00                          | any without a type
			9a0300                              | an empty struct
			a20300                              | an empty value
			a203020800                          | null
			a203021800 a203022000               | two members of a value
			aa0300                              | an empty list
			b203020801 b203021002               | a time in two parts
			c203040a0161 c203020a00             | paths
			d80701                              | far
			980101                              | colour
			800105                              | an unknown constant
			8001ffffffffffffffffff01            | a negative constant
			18ffffffff0f                        | 32 bits of a negative number
			18ffffffffffffffffff7f              | more than 64 bits
			28ffffffffffffffffff01              | more than 32 bits
			38ffffffff0f                        | zigzag
			d203020800                          | a wrapper of zero
			d20300                              | an empty wrapper
			""")
	void bytes_areWrittenAsByTheOthers(String hex, String about) throws Exception {
		byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
		DynamicMessage theirs;
		try {
			theirs = Sinks.read(SINK, bytes);
		}
		catch (IllegalStateException ex) {
			assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Sinks.json(SINK, bytes));
			return;
		}
		String expected;
		try {
			expected = Sinks.print(theirs);
		}
		catch (InvalidProtocolBufferException ex) {
			assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Sinks.json(SINK, bytes));
			return;
		}
		assertThat(JsonParser.parseString(Sinks.json(SINK, bytes))).as(about)
			.hasToString(JsonParser.parseString(expected).toString());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			sink.old.Old     | {"id": 0, "name": "", "yes": false, "is": [1], "packed": [2, 3], "inner": {"a": 0}}
			sink.old.Old     | {"id": 1, "name": "x"}
			sink.edition.New | {"implicit": 0, "explicit": 0, "is": [0], "child": {"implicit": 1}}
			""")
	void syntax_decidesPresence(String type, String text) throws Exception {
		DynamicMessage theirs = Sinks.read(type, Sinks.parse(type, text).toByteArray());
		assertThat(Sinks.read(type, Sinks.bytes(type, text))).isEqualTo(theirs);
		assertSameJson(theirs);
	}

	/** Numbers and constants of protobuf's own messages at the outermost level. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			google.protobuf.Value       | null
			google.protobuf.Value       | [1]
			google.protobuf.ListValue   | [1, {}]
			google.protobuf.Struct      | {"a": null}
			google.protobuf.Timestamp   | "2026-01-01T00:00:00Z"
			google.protobuf.Duration    | "3s"
			google.protobuf.StringValue | "x"
			google.protobuf.Int64Value  | 5
			google.protobuf.FieldMask   | "aB,c"
			google.protobuf.Empty       | {}
			google.protobuf.Any         | {"@type": "a/sink.Nothing"}
			""")
	void messageOfProtobuf_isOutermost(String type, String text) throws Exception {
		DynamicMessage theirs = Sinks.read(type, Sinks.parse(type, text).toByteArray());
		assertThat(Sinks.read(type, Sinks.bytes(type, text))).isEqualTo(theirs);
		assertSameJson(theirs);
	}

	/** Bytes that are two messages one behind the other are one message, merged. */
	@Test
	void mergedMessages_areReadAsByTheOthers() throws Exception {
		String[] lines = ACCEPTED.lines().toArray(String[]::new);
		Random random = new Random(7);
		int refused = 0;
		for (int i = 0; i < 3000; i++) {
			String merged = "";
			byte[] bytes = {};
			for (int j = 0; j < 3; j++) {
				String line = lines[random.nextInt(lines.length)];
				bytes = concat(bytes, Sinks.parse(SINK, line).toByteArray());
				merged += line;
			}
			byte[] twice = concat(child(bytes), child(bytes));
			for (byte[] each : List.of(bytes, twice)) {
				DynamicMessage theirs = Sinks.read(SINK, each);
				try {
					String expected = Sinks.print(theirs);
					assertThat(JsonParser.parseString(Sinks.json(SINK, each))).as(merged)
						.hasToString(JsonParser.parseString(expected).toString());
				}
				catch (IllegalArgumentException ex) {
					refused++;
					assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Sinks.json(SINK, each));
				}
			}
		}
		assertThat(refused).isBetween(1, 100);
	}

	/** Returns a sink whose child has these bytes. */
	private static byte[] child(byte[] bytes) throws Exception {
		byte[] sink = new byte[bytes.length + 10];
		CodedOutputStream out = CodedOutputStream.newInstance(sink);
		out.writeByteArray(17, bytes);
		return Arrays.copyOf(sink, out.getTotalBytesWritten());
	}

	private static byte[] concat(byte[] one, byte[] other) {
		byte[] both = Arrays.copyOf(one, one.length + other.length);
		System.arraycopy(other, 0, both, one.length, other.length);
		return both;
	}

}
