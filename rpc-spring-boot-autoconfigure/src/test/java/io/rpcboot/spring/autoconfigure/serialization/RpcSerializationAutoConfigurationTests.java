package io.rpcboot.spring.autoconfigure.serialization;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.Delegate;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.UnsupportedTypeException;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageImpl;
import org.springframework.http.HttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the beans and properties that add serializable types. */
public class RpcSerializationAutoConfigurationTests {

	private static final String SUBTYPES = "rpc.serialization.subtypes[" + Shape.class.getName() + "]";

	private static final Delegate<Path, String> PATHS = new Delegate<>(Path.class, String.class, Path::toString,
			Path::of);

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RpcSerializationAutoConfiguration.class));

	private static Serializer serializer(ApplicationContext context, String name) {
		return context.getBean(SerializerCatalog.class).get("rpc.client.serializer", name);
	}

	private static Object echo(ApplicationContext context, String name, Class<?> service, Object value) {
		return echo(serializer(context, name).codec(ServiceDescriptor.of(service)).method(0), value);
	}

	private static Object echo(MethodCodec codec, Object value) {
		OutputBuffer out = new OutputBuffer(new byte[1], 1 << 16);
		codec.serializeResult(value, out);
		byte[] bytes = out.toByteArray();
		return codec.deserializeResult(bytes, 0, bytes.length);
	}

	@ParameterizedTest
	@ValueSource(strings = { "protostuff", "json" })
	void delegateBean_appliesToEverySerializer(String name) {
		this.runner.withBean("paths", Delegate.class, () -> PATHS).run((context) -> {
			List<Path> value = List.of(Path.of("a"), Path.of("b"));
			assertThat(echo(context, name, Paths.class, value)).isEqualTo(value);
		});
	}

	@Test
	void delegates_failStartup_whenTypeIsDuplicated() {
		this.runner.withBean("one", Delegate.class, () -> PATHS)
			.withBean("two", Delegate.class, () -> PATHS)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(RpcConfigurationException.class)
				.hasMessage("delegates: two for java.nio.file.Path (expected: one for each type)"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "protostuff", "json" })
	void pages_useBuiltInDelegate_unlessBeanReplacesIt(String name) {
		PageImpl<String> page = new PageImpl<>(List.of("a"));
		this.runner.run((context) -> assertThat(echo(context, name, Pages.class, page)).isEqualTo(page));
		Supplier<Delegate<?, ?>> own = () -> new Delegate<Page<?>, String>(Page.class, String.class, (each) -> "own",
				(text) -> new PageImpl<>(List.of(text)));
		this.runner.withBean("pages", Delegate.class, own::get)
			.run((context) -> assertThat(echo(context, name, Pages.class, page))
				.isEqualTo(new PageImpl<>(List.of("own"))));
	}

	@Test
	void context_starts_withoutSpringDataAndSpringWeb() {
		this.runner.withClassLoader(new FilteredClassLoader(Page.class, HttpHeaders.class))
			.run((context) -> assertThat(echo(context, "protostuff", Names.class, "a")).isEqualTo("a"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "protostuff", "json" })
	void serializerBean_keepsSubtypesOfProperty(String name) {
		TypeOptions own = TypeOptions.NONE.withDelegate(PATHS);
		Serializer bean = name.equals("json") ? new JacksonSerializer(own) : new ProtostuffSerializer(own);
		this.runner.withBean(Serializer.class, () -> bean)
			.withPropertyValues(SUBTYPES + "=" + Square.class.getName())
			.run((context) -> {
				assertThat(echo(context, name, Shapes.class, new Square(2))).isEqualTo(new Square(2));
				assertThat(echo(context, name, Paths.class, List.of(Path.of("a")))).isEqualTo(List.of(Path.of("a")));
			});
	}

	/** Following the message helps. */
	@ParameterizedTest
	@ValueSource(strings = { "protostuff", "json" })
	void advice_namesSubtypesProperty(String name) {
		this.runner.run((context) -> assertThatExceptionOfType(UnsupportedTypeException.class)
			.isThrownBy(() -> echo(context, name, Shapes.class, new Square(2)))
			.satisfies((ex) -> assertThat(ex.action()).contains(" or set " + SUBTYPES + ". ")));
		this.runner.withPropertyValues(SUBTYPES + "=" + Square.class.getName())
			.run((context) -> assertThatExceptionOfType(SerializationException.class)
				.isThrownBy(() -> echo(context, name, Shapes.class, new Circle(2)))
				.withMessageContaining("more are declared by @RpcSubtypes on %s or by %s)", Shape.class.getName(),
						SUBTYPES));
	}

	@Test
	void invalidSubtype_isRejectedWithProperty() {
		this.runner.withPropertyValues(SUBTYPES + "=java.lang.String")
			.run((context) -> assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> serializer(context, "protostuff"))
				.withMessage(SUBTYPES + ": java.lang.String (expected: subclasses of %s)", Shape.class.getName()));
	}

	public interface Shape {

	}

	public record Square(double side) implements Shape {
	}

	public record Circle(double radius) implements Shape {
	}

	public interface Shapes {

		Shape get();

	}

	public interface Paths {

		List<Path> get();

	}

	public interface Pages {

		Page<String> get();

	}

	public interface Names {

		String get();

	}

}
