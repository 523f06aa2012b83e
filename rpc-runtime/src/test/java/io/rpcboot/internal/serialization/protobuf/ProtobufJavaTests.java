package io.rpcboot.internal.serialization.protobuf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.internal.serialization.protobuf.schema.ProtoFile;
import io.rpcboot.internal.serialization.protobuf.schema.WellKnownFile;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.zoo.TypeZoo;
import io.rpcboot.serialization.zoo.ZooForeign;
import io.rpcboot.serialization.zoo.ZooRow;
import io.rpcboot.serialization.zoo.ZooShape;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares with protobuf-java: it reads what we write, by the descriptor that we write,
 * and we read what it writes.
 */
class ProtobufJavaTests {

	static Stream<ZooRow> rows() {
		return TypeZoo.rows().filter((row) -> codec(row).findings().isEmpty());
	}

	private static ProtobufCodec codec(ZooRow row) {
		return ProtobufCodec.of(ServiceDescriptor.of(TypeZoo.service(row)), ZooForeign.TYPES, NumberLock.NONE);
	}

	private static FileDescriptor descriptor(ProtoFile file) {
		try {
			List<FileDescriptor> imports = new ArrayList<>();
			for (WellKnownFile each : file.imports()) {
				imports.add(descriptor(each.file()));
			}
			return FileDescriptor.buildFrom(FileDescriptorProto.parseFrom(file.descriptor()),
					imports.toArray(FileDescriptor[]::new));
		}
		catch (InvalidProtocolBufferException | DescriptorValidationException ex) {
			throw new AssertionError(ex);
		}
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("rows")
	void message_isReadByBoth(ZooRow row) throws Exception {
		ProtobufCodec codec = codec(row);
		FileDescriptor file = descriptor(ProtobufCodec.file(List.of(codec)));
		for (MethodDescriptor each : ServiceDescriptor.of(TypeZoo.service(row)).methods()) {
			ZooShape shape = ZooShape.valueOf(each.name().toUpperCase(Locale.ROOT));
			Descriptor response = file.findServiceByName(file.getServices().get(0).getName())
				.findMethodByName(codec.methodName(each.number()))
				.getOutputType();
			for (Object value : row.values()) {
				assertReadByBoth(shape.wrap(each.method(), new ArrayList<>(Arrays.asList(value))),
						codec.method(each.number()), response);
			}
		}
	}

	private static void assertReadByBoth(Object value, MethodCodec codec, Descriptor type) throws Exception {
		byte[] bytes;
		try {
			bytes = Codecs.result(codec, value);
		}
		catch (SerializationException ex) {
			return;
		}
		DynamicMessage theirs = DynamicMessage.parseFrom(type, bytes);
		assertNothingUnknown(theirs);
		byte[] written = theirs.toByteArray();
		assertThat(Codecs.result(codec, Codecs.read(codec, written))).hasSameSizeAs(bytes);
		assertThat(sorted(written)).isEqualTo(sorted(Codecs.result(codec, Codecs.read(codec, written))));
	}

	private static List<Byte> sorted(byte[] bytes) {
		List<Byte> all = new ArrayList<>();
		for (byte each : bytes) {
			all.add(each);
		}
		all.sort(null);
		return all;
	}

	private static void assertNothingUnknown(Message message) {
		assertThat(message.getUnknownFields().asMap()).isEmpty();
		for (Map.Entry<FieldDescriptor, Object> each : message.getAllFields().entrySet()) {
			List<?> values = (each.getValue() instanceof List<?> list) ? list : List.of(each.getValue());
			values.stream()
				.filter(Message.class::isInstance)
				.map(Message.class::cast)
				.forEach(ProtobufJavaTests::assertNothingUnknown);
		}
	}

}
