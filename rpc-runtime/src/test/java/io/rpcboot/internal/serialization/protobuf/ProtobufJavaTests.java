package io.rpcboot.internal.serialization.protobuf;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protobuf.schema.NumberLock;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.ProtoDescriptor;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.zoo.TypeZoo;
import io.rpcboot.serialization.zoo.ZooForeign;
import io.rpcboot.serialization.zoo.ZooRow;
import io.rpcboot.serialization.zoo.ZooShape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares with protobuf-java: it reads what we write, by the descriptor that we write,
 * and we read what it writes.
 */
@Tag("jdk25")
class ProtobufJavaTests {

	private static final Set<Class<?>> PLAIN = Set.of(Boolean.class, Integer.class, Long.class, Float.class,
			Double.class, String.class);

	private static final Set<Class<?>> TEXTS = Set.of(BigDecimal.class, BigInteger.class, UUID.class, URI.class,
			LocalDate.class, LocalTime.class, LocalDateTime.class, OffsetDateTime.class, OffsetTime.class,
			MonthDay.class, Period.class);

	static Stream<ZooRow> rows() {
		return TypeZoo.rows().filter((row) -> codec(row).findings().isEmpty());
	}

	static ProtobufCodec codec(ZooRow row) {
		return ProtobufCodec.of(ServiceDescriptor.of(TypeZoo.service(row)), ZooForeign.TYPES, NumberLock.NONE);
	}

	static FileDescriptor descriptor(ProtoDescriptor file) {
		try {
			List<FileDescriptor> imports = new ArrayList<>();
			for (ProtoDescriptor each : file.imports()) {
				imports.add(descriptor(each));
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
		FileDescriptor file = descriptor(ProtobufCodec.file(List.of(codec)).descriptor());
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

	/** Values that have one form in Java and in protobuf-java, alone and in a list. */
	@Test
	void plainValues_areEqual() throws Exception {
		int pairs = 0;
		for (ZooRow row : rows().toList()) {
			ProtobufCodec codec = codec(row);
			ServiceDescriptor service = ServiceDescriptor.of(TypeZoo.service(row));
			FileDescriptor file = descriptor(ProtobufCodec.file(List.of(codec)).descriptor());
			for (MethodDescriptor method : service.methods()) {
				Descriptor response = file.getServices()
					.get(0)
					.findMethodByName(codec.methodName(method.number()))
					.getOutputType();
				for (Object value : row.values()) {
					pairs += switch (method.name()) {
						case "alone" -> compare(value, codec.method(method.number()), response);
						case "list" -> (value instanceof List) ? 0
								: compare(Collections.singletonList(value), codec.method(method.number()), response);
						default -> 0;
					};
				}
			}
		}
		assertThat(pairs).isGreaterThan(200);
	}

	/** Returns 1 if the value has such a form, else 0. */
	private static int compare(Object value, MethodCodec codec, Descriptor response) throws Exception {
		Object expected = plain(value);
		if (expected == null) {
			return 0;
		}
		byte[] bytes;
		try {
			bytes = Codecs.result(codec, value);
		}
		catch (SerializationException ex) {
			return 0; // the test of the zoo lists what is refused
		}
		Object read = DynamicMessage.parseFrom(response, bytes).getField(response.findFieldByName("value"));
		Object first = (read instanceof List<?> list && !list.isEmpty()) ? list.get(0) : read;
		if (first instanceof Message && plain(first) == null) {
			return 0; // one of several types
		}
		assertThat(plain(read)).as("%s by %s", value, codec).isEqualTo(expected);
		return 1;
	}

	/**
	 * Returns one form for a value in Java and for what protobuf-java reads; null for
	 * types without such a form.
	 */
	private static Object plain(Object value) {
		if (value instanceof Byte || value instanceof Short) {
			return ((Number) value).intValue();
		}
		if (value instanceof Character letter) {
			return (int) letter;
		}
		if (value instanceof byte[] bytes) {
			return ByteString.copyFrom(bytes);
		}
		if (value instanceof Instant at) {
			return at.getEpochSecond() + " s " + at.getNano();
		}
		if (value instanceof Duration lasting) {
			boolean isCarried = lasting.isNegative() && lasting.getNano() > 0;
			return (lasting.getSeconds() + (isCarried ? 1 : 0)) + " s "
					+ (lasting.getNano() - (isCarried ? 1_000_000_000 : 0));
		}
		if (value instanceof Message message
				&& message.getDescriptorForType().getFile().getPackage().startsWith("google")) {
			return value(message, "seconds") + " s " + value(message, "nanos");
		}
		if (value instanceof EnumValueDescriptor constant) {
			String prefix = constant.getType()
				.getName()
				.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_")
				.toUpperCase(Locale.ROOT);
			return constant.getName().substring(prefix.length() + 1);
		}
		if (value instanceof Enum<?> constant) {
			return constant.name();
		}
		if (value instanceof BigDecimal decimal
				&& (Math.abs((long) decimal.scale()) > 1000 || decimal.precision() > 1000)
				|| value instanceof BigInteger whole && whole.bitLength() > 3000) {
			return null; // a form of its own
		}
		if (value instanceof List<?> list) {
			List<Object> all = list.stream()
				.map((each) -> (each == null || each instanceof List) ? null : plain(each))
				.toList();
			return all.contains(null) ? null : all;
		}
		return (value instanceof ByteString || PLAIN.contains(value.getClass())) ? value
				: TEXTS.contains(value.getClass()) ? value.toString() : null;
	}

	private static Object value(Message message, String field) {
		return message.getField(message.getDescriptorForType().findFieldByName(field));
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
