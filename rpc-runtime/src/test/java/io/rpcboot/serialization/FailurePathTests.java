package io.rpcboot.serialization;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Both formats name the place of a failure in the same way, in words. */
public class FailurePathTests {

	private static final String HERE = FailurePathTests.class.getName();

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(Service.class);

	private static MethodCodec codec(Serializer serializer, String method) {
		return serializer.codec(SERVICE)
			.method(SERVICE.methods()
				.stream()
				.filter((each) -> each.name().equals(method))
				.mapToInt(MethodDescriptor::number)
				.findFirst()
				.orElseThrow());
	}

	private static String failure(Serializer serializer, String method, Object... arguments) {
		OutputBuffer out = new OutputBuffer(new byte[1], 1 << 16);
		try {
			codec(serializer, method).serializeArguments(arguments, out);
			return "none";
		}
		catch (SerializationException ex) {
			return ex.getMessage();
		}
	}

	private static void assertFailure(String message, String method, Object... arguments) {
		assertThat(failure(new ProtostuffSerializer(), method, arguments)).isEqualTo(message);
		assertThat(failure(new JacksonSerializer(), method, arguments)).isEqualTo(message);
	}

	@Test
	void unwritableValue_isNamedWithPath() {
		class BadItem extends Item {

			BadItem() {
				super("bad", 1);
			}

		}
		Item bad = new BadItem();
		String reason = "%1$s$1BadItem where %1$s$Item is declared (expected: exactly that class, or fields would be lost; subclasses are declared by @RpcSubtypes on %1$s$Item or by subtypes[%1$s$Item])"
			.formatted(HERE);
		Item good = new Item("good", 1);
		assertFailure(HERE + "$Service.box(" + HERE + "$Box): arguments box.items[1]: " + reason, "box",
				new Box(Arrays.asList(good, bad), Map.of(), new Item[0]));
		assertFailure(HERE + "$Service.box(" + HERE + "$Box): arguments box.named{k}: " + reason, "box",
				new Box(List.of(), Map.of("k", bad), new Item[0]));
		assertFailure(HERE + "$Service.box(" + HERE + "$Box): arguments box.named{\"\"}: " + reason, "box",
				new Box(List.of(), Map.of("", bad), new Item[0]));
		assertFailure(HERE + "$Service.box(" + HERE + "$Box): arguments box.array[0]: " + reason, "box",
				new Box(List.of(), Map.of(), new Item[] { bad }));
		assertFailure(HERE + "$Service.any(int,java.lang.Object): arguments anything: " + HERE
				+ "$Item[][] where java.lang.Object is declared (expected: a value type, a List, Set or Map, or a class that the service reaches; more are declared by subtypes[java.lang.Object])",
				"any", 1, new Item[0][]);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "[1.5,null] | number: a number with a fraction (expected: an integer)",
					"[\"1\",null] | number: a text (expected: an integer)",
					"[{},null] | number: an object (expected: an integer)",
					"[true,null] | number: true (expected: an integer)", "{} | : an object (expected: an array)",
					"[1] | anything: the end of an array (expected: an object)",
					"[1,null,2] | : an integer (expected: the end of an array)",
					"[1,null]2 | : an integer behind the value (expected: nothing)",
					"[1,{\"@type\":\"List\",\"value\":[1]}] | anything[0]: an integer (expected: an object)" })
	void unreadableJson_isNamedWithPath(String json, String message) {
		byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec(new JacksonSerializer(), "any").deserializeArguments(bytes, 0, bytes.length))
			.withMessage("%s$Service.any(int,java.lang.Object): arguments%s", HERE,
					message.startsWith(":") ? message : " " + message);
	}

	@Test
	void malformedJson_isNamedWithPosition() {
		byte[] bytes = "[1,{\"@type\":!".getBytes(StandardCharsets.UTF_8);
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec(new JacksonSerializer(), "any").deserializeArguments(bytes, 0, bytes.length))
			.withMessageStartingWith(
					"%s$Service.any(int,java.lang.Object): arguments anything: no JSON at byte 12: Unexpected character",
					HERE);
	}

	public interface Service {

		void box(Box box);

		void any(int number, Object anything);

	}

	public record Box(List<Item> items, Map<String, Item> named, Item[] array) {
	}

	public static class Item {

		private final String name;

		private final int count;

		public Item(String name, int count) {
			this.name = name;
			this.count = count;
		}

		@Override
		public String toString() {
			return this.name + this.count;
		}

	}

}
