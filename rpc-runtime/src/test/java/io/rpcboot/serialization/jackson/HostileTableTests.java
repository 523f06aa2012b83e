package io.rpcboot.serialization.jackson;

import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.fuzz.Bounds;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.Contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tables of peers with more types and constants than any class has. */
public class HostileTableTests {

	private static final ServiceCodec OWN = new JacksonSerializer().codec(ServiceDescriptor.of(Shapes.class));

	/** What reads a peer whose table has more behind the line with an own member. */
	private static MethodCodec translate(String own, int count, IntFunction<String> line) {
		String text = OWN.contract().text();
		int end = text.indexOf('\n', text.indexOf(own)) + 1;
		String more = IntStream.range(2, count + 2).mapToObj(line).collect(Collectors.joining());
		return OWN.translate(Contract.parse(text.substring(0, end) + more + text.substring(end))).method(0, 0);
	}

	private static Object read(MethodCodec codec, String json) {
		byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
		return codec.deserializeResult(bytes, 0, bytes.length);
	}

	private static void assertRefused(MethodCodec codec, String json, String message) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(codec, json))
			.withMessageEndingWith(message);
	}

	/** The simple names of all pairs would be 200 MB. */
	@Test
	void typeNames_areComparedOnce() {
		MethodCodec codec = translate("1 - ", 2000, "  %d - a.T%1$d\n"::formatted);
		long allocated = Bounds.allocatedBy(
				() -> assertThat(read(codec, "{\"@type\":\"Circle\",\"colour\":\"RED\"}")).isInstanceOf(Circle.class));
		assertThat(allocated).isLessThan(Bounds.CONSTANT);
	}

	@Test
	void typeNames_areQualified_whenSimpleNamesCollide() {
		assertRefused(translate("1 - ", 2, "  %d - p%1$d.Same\n"::formatted), "{\"@type\":\"Same\"}",
				"[Circle, p2.Same, p3.Same])");
	}

	@Test
	void message_namesFirstOfManyTypes() {
		String rest = IntStream.range(2, 21).mapToObj((each) -> ", T" + each).collect(Collectors.joining());
		assertRefused(translate("1 - ", 2000, "  %d - a.T%1$d\n"::formatted), "{\"@type\":\"Square\"}",
				": type 'Square' (expected: one of the declared types [Circle" + rest + ", …])");
		assertRefused(translate("1 RED", 2000, "  %d T%1$d void\n"::formatted),
				"{\"@type\":\"Circle\",\"colour\":\"BLUE\"}",
				"$Colour (expected: one of [GREEN, RED" + rest.replace(", T20", "") + ", …])");
	}

	/** The own side. */
	public interface Shapes {

		Shape get();

	}

	/** A base with one subtype. */
	public sealed interface Shape permits Circle {

	}

	/** The subtype. */
	public record Circle(Colour colour) implements Shape {
	}

	/** Two constants. */
	public enum Colour {

		GREEN, RED

	}

}
