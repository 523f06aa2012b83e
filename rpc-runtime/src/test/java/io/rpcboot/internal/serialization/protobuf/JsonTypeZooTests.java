package io.rpcboot.internal.serialization.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import com.google.gson.JsonParser;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.util.JsonFormat;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.json.JsonMessage;
import io.rpcboot.internal.serialization.protobuf.json.ProtoJson;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.ProtoDescriptor;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.zoo.TypeZoo;
import io.rpcboot.serialization.zoo.ZooRow;
import io.rpcboot.serialization.zoo.ZooShape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares with protobuf-java-util: it reads the JSON of each type of the zoo that we
 * write, and we read what it writes.
 */
@Tag("jdk25")
class JsonTypeZooTests {

	private static final int LIMIT = 1 << 24;

	/** Two keys of an identity map may be equal, which JSON refuses. */
	static Stream<ZooRow> rows() {
		return ProtobufJavaTests.rows().filter((row) -> !row.type().startsWith("IdentityHashMap"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("rows")
	void value_isTheSameJson(ZooRow row) throws Exception {
		int refused = ProtobufTypeZooTests.REFUSED.getOrDefault(row.type(), Map.of()).size();
		assertThat(compare(row)).isGreaterThanOrEqualTo(row.values().size() - refused);
	}

	@Test
	void valuesOfTheZoo_areMany() {
		assertThat(rows().count()).isGreaterThan(150);
	}

	/** Returns the number of messages that were compared. */
	private static int compare(ZooRow row) throws Exception {
		ProtobufCodec codec = ProtobufJavaTests.codec(row);
		ServiceDescriptor service = ServiceDescriptor.of(TypeZoo.service(row));
		ProtoDescriptor file = ProtobufCodec.file(List.of(codec)).descriptor();
		FileDescriptor theirs = ProtobufJavaTests.descriptor(file);
		ProtoJson json = ProtoJson.of(List.of(file), false, LIMIT);
		int count = 0;
		for (io.rpcboot.MethodDescriptor each : service.methods()) {
			MethodDescriptor method = theirs.getServices().get(0).findMethodByName(codec.methodName(each.number()));
			MethodCodec protobuf = codec.method(each.number());
			MethodCodec ofJson = json.method(codec.name(), codec.methodName(each.number()), protobuf);
			ZooShape shape = ZooShape.valueOf(each.name().toUpperCase(Locale.ROOT));
			for (Object value : row.values()) {
				Object wrapped = shape.wrap(each.method(), new ArrayList<>(Arrays.asList(value)));
				byte[] bytes;
				try {
					bytes = Codecs.result(protobuf, wrapped);
				}
				catch (SerializationException ex) {
					continue; // the test of protobuf lists what is refused
				}
				compare(json, method.getOutputType(), bytes);
				compare(json, method.getInputType(), Codecs.arguments(protobuf, wrapped));
				byte[] text = Codecs.result(ofJson, wrapped);
				assertThat(Codecs.result(protobuf, Codecs.read(ofJson, text))).hasSameSizeAs(bytes);
				byte[] arguments = Codecs.arguments(ofJson, wrapped);
				assertThat(ofJson.deserializeArguments(arguments, 0, arguments.length)).hasSize(1);
				count++;
			}
		}
		return count;
	}

	private static void compare(ProtoJson json, Descriptor type, byte[] bytes) throws Exception {
		DynamicMessage message = DynamicMessage.parseFrom(type, bytes);
		String theirs = JsonFormat.printer().print(message);
		JsonMessage ours = json.message(type.getFullName());
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		ours.toJson(bytes, 0, bytes.length, out);
		String text = new String(out.toByteArray(), StandardCharsets.UTF_8);
		assertThat(JsonParser.parseString(text)).hasToString(JsonParser.parseString(theirs).toString());
		assertThat(DynamicMessage.parseFrom(type, parse(ours, theirs))).isEqualTo(message);
		assertThat(DynamicMessage.parseFrom(type, parse(ours, text))).isEqualTo(message);
	}

	private static byte[] parse(JsonMessage type, String json) {
		byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		type.toProtobuf(bytes, 0, bytes.length, out);
		return out.toByteArray();
	}

}
