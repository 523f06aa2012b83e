package io.rpcboot.serialization.zoo;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.FullWindows;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.UnsupportedTypeException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Contract of every serializer: each row of the {@link TypeZoo} comes back equal and of
 * the declared class, as an argument and as a result, alone and within a bean, a record,
 * a list and a map; or its type is refused at start-up for a reason that is named here.
 */
public abstract class AbstractTypeZooContract {

	private static final int LIMIT = 1 << 20;

	private final Serializer serializer;

	private final Map<String, String> refused;

	/**
	 * Create the test.
	 * @param refused by the type of a row, a part of the message that refuses it
	 */
	protected AbstractTypeZooContract(Serializer serializer, Map<String, String> refused) {
		this.serializer = serializer;
		this.refused = refused;
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("io.rpcboot.serialization.zoo.TypeZoo#rows")
	void value_roundTripsOrIsRefused(ZooRow row) throws Exception {
		ServiceDescriptor service = ServiceDescriptor.of(TypeZoo.service(row));
		String reason = this.refused.get(row.type());
		if (reason != null) {
			assertThatExceptionOfType(UnsupportedTypeException.class).isThrownBy(() -> this.serializer.codec(service))
				.withMessageContaining(reason);
			return;
		}
		ServiceCodec codec = this.serializer.codec(service);
		for (MethodDescriptor each : service.methods()) {
			comesBackEqual(row, each.method(), codec.method(each.number()));
		}
	}

	@Test
	void refusedTypes_areRowsOfZoo() {
		assertThat(TypeZoo.rows().map(ZooRow::type)).containsAll(this.refused.keySet()).doesNotHaveDuplicates();
	}

	private static void comesBackEqual(ZooRow row, Method method, MethodCodec codec) throws Exception {
		ZooShape shape = ZooShape.valueOf(method.getName().toUpperCase(Locale.ROOT));
		List<Object> values = new ArrayList<>(row.values());
		if (!ZooServices.isPrimitive(row)) {
			values.add(null);
		}
		if (shape.takesAll()) {
			comesBackEqual(row, shape, method, codec, values);
			return;
		}
		for (Object each : values) {
			comesBackEqual(row, shape, method, codec, Arrays.asList(each));
		}
	}

	private static void comesBackEqual(ZooRow row, ZooShape shape, Method method, MethodCodec codec,
			List<Object> values) throws Exception {
		Object wrapped = shape.wrap(method, values);
		List<?> results = shape.unwrap(result(codec, wrapped));
		List<?> arguments = shape.unwrap(argument(codec, wrapped));
		assertThat(results).as("%s of %s", shape, row).hasSameSizeAs(values);
		assertThat(arguments).as("%s of %s", shape, row).hasSameSizeAs(values);
		Class<?> declared = method.getDeclaringClass().getMethod("alone", alone(method)).getReturnType();
		for (int i = 0; i < values.size(); i++) {
			assertSame(row, shape, declared, results.get(i), values.get(i));
			assertSame(row, shape, declared, arguments.get(i), values.get(i));
		}
	}

	private static Class<?> alone(Method method) {
		return Arrays.stream(method.getDeclaringClass().getMethods())
			.filter((each) -> each.getName().equals("alone"))
			.map(Method::getReturnType)
			.findFirst()
			.orElseThrow();
	}

	private static void assertSame(ZooRow row, ZooShape shape, Class<?> declared, Object actual, Object expected) {
		assertThat(row.state().apply(actual)).as("%s of %s", shape, row).isEqualTo(row.state().apply(expected));
		if (actual != null && !declared.isPrimitive()) {
			assertThat(actual).isInstanceOf(declared);
			if (!Modifier.isAbstract(declared.getModifiers())) {
				assertThat(actual).hasSameClassAs(expected);
			}
		}
	}

	/** Read from the middle of a larger array. */
	private static Object result(MethodCodec codec, Object value) {
		byte[] bytes = FullWindows.check((out) -> codec.serializeResult(value, out));
		byte[] larger = new byte[bytes.length + 20];
		Arrays.fill(larger, (byte) 0x7F);
		System.arraycopy(bytes, 0, larger, 10, bytes.length);
		return codec.deserializeResult(larger, 10, bytes.length);
	}

	private static Object argument(MethodCodec codec, Object value) {
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		codec.serializeArguments(new Object[] { value }, out);
		Object[] arguments = codec.deserializeArguments(out.array(), 0, out.length());
		assertThat(arguments).hasSize(1);
		return arguments[0];
	}

}
