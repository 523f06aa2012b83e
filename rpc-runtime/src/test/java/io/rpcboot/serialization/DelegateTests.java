package io.rpcboot.serialization;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.rpcboot.RpcAlias;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMatch;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Types of others, under every serializer. */
public class DelegateTests {

	private static final String HERE = DelegateTests.class.getName();

	private static final Delegate<Path, String> PATHS = new Delegate<>(Path.class, String.class, Path::toString,
			Path::of);

	static Stream<Function<TypeOptions, Serializer>> serializers() {
		return Stream.of(ProtostuffSerializer::new, JacksonSerializer::new);
	}

	private static MethodCodec codec(Serializer serializer, Class<?> service) {
		return serializer.codec(ServiceDescriptor.of(service)).method(0);
	}

	private static byte[] result(MethodCodec codec, Object value) {
		OutputBuffer out = new OutputBuffer(new byte[1], 1 << 16);
		codec.serializeResult(value, out);
		return out.toByteArray();
	}

	private static Object echo(MethodCodec codec, Object value) {
		byte[] bytes = result(codec, value);
		return codec.deserializeResult(bytes, 0, bytes.length);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void delegate_carriesKeysElementsAndNull(Function<TypeOptions, Serializer> serializers) {
		MethodCodec codec = codec(serializers.apply(TypeOptions.NONE.withDelegate(PATHS)), Paths.class);
		Map<Path, List<Path>> value = Map.of(Path.of("a:b"), Arrays.asList(Path.of("c:d"), null));
		assertThat(echo(codec, value)).isEqualTo(value);
		assertThat(echo(codec, null)).isNull();
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void surrogate_mayContainDelegatedType(Function<TypeOptions, Serializer> serializers) {
		Delegate<Knot, KnotForm> knots = new Delegate<>(Knot.class, KnotForm.class,
				(knot) -> new KnotForm(knot.name, knot.next), (form) -> new Knot(form.name(), form.next(), true));
		MethodCodec codec = codec(serializers.apply(TypeOptions.NONE.withDelegate(knots)), Knots.class);
		Knot value = new Knot("a", List.of(new Knot("b", List.of(), true), new Knot("c", null, true)), true);
		assertThat(echo(codec, value)).usingRecursiveComparison().isEqualTo(value);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void delegate_applies_whenObjectIsDeclared(Function<TypeOptions, Serializer> serializers) {
		TypeOptions types = TypeOptions.NONE.withDelegate(PATHS).withSubtypes(Object.class, Path.class);
		MethodCodec codec = codec(serializers.apply(types), Anything.class);
		List<Object> value = List.of("a", Path.of("a"), 1);
		assertThat(echo(codec, value)).isEqualTo(value);
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void delegateFailure_namesPath(Function<TypeOptions, Serializer> serializers) {
		Delegate<Path, String> failing = new Delegate<>(Path.class, String.class, (path) -> {
			if (path.isAbsolute()) {
				throw new IllegalArgumentException("absolute");
			}
			return path.endsWith("null") ? null : path.toString();
		}, (text) -> {
			throw new IllegalStateException("refused " + text);
		});
		MethodCodec codec = codec(serializers.apply(TypeOptions.NONE.withDelegate(failing)), Paths.class);
		String start = HERE + "$Paths.paths(): result{}";
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> result(codec, Map.of(Path.of("/a"), List.of())))
			.withMessage(start + ": java.lang.IllegalArgumentException: absolute");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> result(codec, Map.of(Path.of("a"), List.of(Path.of("null")))))
			.withMessageEndingWith(
					"[0]: null from the delegate of java.nio.file.Path for a sun.nio.fs.UnixPath (expected: a value)");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> echo(codec, Map.of(Path.of("a"), List.of())))
			.withMessage(start + ": java.lang.IllegalStateException: refused a");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void surrogate_followsEvolutionRules(Function<TypeOptions, Serializer> serializers) {
		ServiceDescriptor service = ServiceDescriptor.of(Knots.class);
		Delegate<Knot, OldForm> old = new Delegate<>(Knot.class, OldForm.class, (knot) -> new OldForm(knot.name),
				(form) -> new Knot(form.name(), null, true));
		Delegate<Knot, NewForm> now = new Delegate<>(Knot.class, NewForm.class, (knot) -> new NewForm(7, knot.name),
				(form) -> new Knot(form.name() + form.number(), null, true));
		ServiceCodec before = serializers.apply(TypeOptions.NONE.withDelegate(old)).codec(service);
		ServiceCodec after = serializers.apply(TypeOptions.NONE.withDelegate(now)).codec(service);
		Contract contract = Contract.parse(before.contract().text());
		assertThat(contract.text()).contains("delegate<%1$s$Knot,%1$s$OldForm>".formatted(HERE));
		assertThat(ContractMatch.of(contract, after.contract()).refused()).isEmpty();
		byte[] bytes = result(before.method(0), new Knot("a", null, true));
		Object read = after.translate(contract).method(0, 0).deserializeResult(bytes, 0, bytes.length);
		assertThat(((Knot) read).name).isEqualTo("a0");
	}

	@Test
	void invalidDelegates_areRefused() {
		assertRefused(() -> TypeOptions.NONE.withDelegate(PATHS).withDelegate(PATHS),
				"delegates: two for java.nio.file.Path (expected: one for each type)");
		assertRefused(
				() -> new ProtostuffSerializer(TypeOptions.NONE.withDelegate(
						new Delegate<String, Integer>(String.class, Integer.class, Integer::valueOf, String::valueOf))),
				"delegate of java.lang.String (expected: one for a type that is not carried without)");
		assertRefused(() -> new Delegate<Path[], String>(Path[].class, String.class, String::valueOf, null),
				"delegate of java.nio.file.Path[] (expected: a class or interface)");
		assertRefused(() -> new Delegate<Path, List<?>>(Path.class, List.class, List::of, null),
				"delegate of java.nio.file.Path: surrogate java.util.List with 1 type parameters (expected: none, or the 0 of the type)");
	}

	@ParameterizedTest
	@MethodSource("serializers")
	void surrogate_isChecked_atStartUp(Function<TypeOptions, Serializer> serializers) {
		Delegate<Path, Knot> knots = new Delegate<>(Path.class, Knot.class, (path) -> new Knot("", null, true),
				(knot) -> Path.of(knot.name));
		assertRefused(() -> codec(serializers.apply(TypeOptions.NONE.withDelegate(knots)), Paths.class), HERE
				+ "$Paths.paths(): result{key}(Knot): " + HERE
				+ "$Knot cannot be sent: it has neither a no-arg constructor nor one whose parameters have the names and types of its fields");
	}

	private static void assertRefused(ThrowingCallable action, String message) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(action).withMessage(message);
	}

	public interface Paths {

		Map<Path, List<Path>> paths();

	}

	public interface Knots {

		Knot knot();

	}

	public interface Anything {

		List<Object> anything();

	}

	public static final class Knot {

		private final String name;

		private final List<Knot> next;

		private Knot(String text, List<Knot> others, boolean isKnot) {
			this.name = text;
			this.next = others;
		}

	}

	public record KnotForm(String name, List<Knot> next) {
	}

	public record OldForm(String name) {
	}

	@RpcAlias("io.rpcboot.serialization.DelegateTests$OldForm")
	public record NewForm(int number, String name) {
	}

}
