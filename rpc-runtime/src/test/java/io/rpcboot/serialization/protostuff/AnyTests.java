package io.rpcboot.serialization.protostuff;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.TypeRef;
import io.rpcboot.serialization.zoo.ZooTypes.Animal;
import io.rpcboot.serialization.zoo.ZooTypes.Colour;
import io.rpcboot.serialization.zoo.ZooTypes.Dog;
import io.rpcboot.serialization.zoo.ZooTypes.Operator;
import io.rpcboot.serialization.zoo.ZooTypes.Pair;
import io.rpcboot.serialization.zoo.ZooTypes.Point;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests members of type {@code Object} and the like: they hold the types of the closed
 * world and no others.
 */
public class AnyTests {

	private static final String HERE = AnyTests.class.getName();

	@Test
	void contract_listsChoicesOfEachDeclaredType() {
		Contract contract = Codecs.of(Anything.class).contract();
		assertThat(contract.text()).contains("""
				any java.lang.Enum
				  %d - %s
				""".formatted(number(contract, "java.lang.Object", Colour.class.getName()), Colour.class.getName()));
		assertThat(contract.text()).contains("""
				any java.lang.Object
				  1 - java.lang.String
				  2 - java.lang.Integer
				""").contains("  11 - java.util.List<java.lang.Object>\n");
		assertThat(number(contract, "java.lang.Number", "java.lang.Integer")).isEqualTo(2);
		assertThat(number(contract, "java.lang.Number", "java.lang.String")).isEqualTo(-1);
		assertThat(number(contract, "java.lang.Number", "java.util.List")).isEqualTo(-1);
		assertThat(number(contract, "java.lang.Object", Point.class.getName())).isPositive();
	}

	@Test
	void contract_omitsObject_whenUnused() {
		Contract contract = Codecs.of(OnlyNumbers.class).contract();
		assertThat(contract.text()).contains("any java.lang.Number\n").doesNotContain("java.lang.Object");
	}

	private static int number(Contract contract, String declared, String type) {
		return contract.type(TypeRef.of(declared))
			.members()
			.stream()
			.filter((each) -> each.type().name().equals(type))
			.mapToInt((each) -> each.number())
			.findFirst()
			.orElse(-1);
	}

	@Test
	void value_arrivesAsItsContainerKind() {
		MethodCodec codec = Codecs.method(Anything.class, "object");
		assertArrives(codec, List.of(1), new ArrayList<>(List.of(1)));
		assertArrives(codec, new LinkedList<>(List.of(1)), new ArrayList<>(List.of(1)));
		assertArrives(codec, Collections.unmodifiableSortedSet(new TreeSet<>(Set.of(2, 1))),
				new TreeSet<>(Set.of(1, 2)));
		assertArrives(codec, Set.of("a"), new LinkedHashSet<>(Set.of("a")));
		assertArrives(codec, Map.of("a", 1), new LinkedHashMap<>(Map.of("a", 1)));
		assertArrives(codec, new TreeMap<>(Map.of("a", 1)).descendingMap().descendingMap(),
				new TreeMap<>(Map.of("a", 1)));
		assertArrives(codec, Colour.GREEN, Colour.GREEN);
		assertArrives(codec, Operator.PLUS, Operator.PLUS);
	}

	private static void assertArrives(MethodCodec codec, Object value, Object expected) {
		assertThat(Codecs.echo(codec, value)).isEqualTo(expected).hasSameClassAs(expected);
	}

	@Test
	void undeclaredClass_isRefused_whenWritten() throws IOException {
		MethodCodec codec = Codecs.method(Anything.class, "object");
		assertRefused(codec, List.of("a", new Dog()),
				"result[1]: %s where java.lang.Object is declared (expected: a value type, a List, Set or Map, or a class that the service reaches; more are declared by subtypes[java.lang.Object])"
					.formatted(Dog.class.getName()));
		assertRefused(codec, new ConcurrentLinkedQueue<>(),
				"java.util.concurrent.ConcurrentLinkedQueue where java.lang.Object is declared");
		assertRefused(codec, (Runnable) () -> {
		}, " where java.lang.Object is declared");
		assertRefused(codec, AnyTests.class, "java.lang.Class where java.lang.Object is declared");
		assertRefused(codec, URI.create("http://localhost").toURL(), "java.net.URL where java.lang.Object is declared");
		assertRefused(codec, new int[0][0], "int[][] where java.lang.Object is declared");
	}

	@Test
	void ambiguousGenericClass_isRefused() {
		MethodCodec codec = Codecs.method(Anything.class, "object");
		assertRefused(codec, new Pair<>(1, 2),
				"(expected: one meaning of the class, which the service has as %1$s<java.lang.Integer,java.lang.Number> and as %1$s<java.lang.String,java.lang.String>)"
					.formatted(Pair.class.getName()));
	}

	@Test
	@SuppressWarnings({ "unchecked", "rawtypes" })
	void pollutedList_isRefused_whenWritten() {
		MethodCodec codec = Codecs.method(Anything.class, "numbers");
		List<Number> polluted = new ArrayList<>(List.of(1));
		((List) polluted).add("text");
		assertRefused(codec, polluted,
				"result[1]: java.lang.String where java.lang.Number is declared (expected: a type of the service that is a java.lang.Number)");
	}

	@Test
	void nonValueKey_isRefused() {
		MethodCodec codec = Codecs.method(Anything.class, "map");
		Map<Object, Object> good = new LinkedHashMap<>();
		good.put(new Point(1, 2), new Animal());
		good.put(Colour.RED, List.of());
		good.put(new BigDecimal("1.0"), 5);
		assertThat(Codecs.echo(codec, good)).isEqualTo(good);
		assertRefused(codec, Map.of(List.of(), 1),
				"as a key where java.lang.Object is declared (expected: a value type, an enum or a record)");
		assertRefused(codec, Map.of(new Animal(), 1), "as a key where");
		assertRefused(codec, Map.of(new byte[0], 1), "as a key where");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					number  | 0b 0a 01 61 0c           | result: type number 1 (expected: one that the contract lists for java.lang.Number)
					number  | 0b fa 3f 00 0c           | result: type number 1023
					number  | 0b 0c                    | result:
					number  | 0b 12 00 0c              | result: tag 18 (expected: a java.lang.Integer)
					numbers | 0b 10 02 0c 0b 0a 01 61 0c | result[1]: type number 1 (expected
					holder  | 0b 0b 0a 01 61 0c 0c     | result.number: type number 1 (expected
					map     | 0b 0b 0b 5e 00 0c 0c 0c  | result{}: type number 11 (expected: one that the contract lists for java.lang.Object)
					""")
	void bytesOfWrongType_areRefused(String method, String bytes, String message) {
		MethodCodec codec = Codecs.method(Anything.class, method);
		byte[] source = HexFormat.ofDelimiter(" ").parseHex(bytes);
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.deserializeResult(source, 0, source.length))
			.withMessageContaining(message);
	}

	@Test
	void nestingDepth_isBounded() {
		MethodCodec codec = Codecs.method(Anything.class, "object");
		Object deepest = List.of();
		for (int i = 1; i < 64; i++) {
			deepest = List.of(deepest);
		}
		assertThat(Codecs.echo(codec, deepest)).isEqualTo(deepest);
		assertRefused(codec, List.of(deepest), "nested deeper than 64 levels");
		byte[] bytes = HexFormat.of().parseHex("0b" + "5b".repeat(10_000));
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.deserializeResult(bytes, 0, bytes.length))
			.withMessageEndingWith("nested deeper than 64 levels");
	}

	@Test
	void applicationSubtype_isCarried() {
		ProtostuffSerializer serializer = new ProtostuffSerializer(
				TypeOptions.NONE.withSubtypes(Object.class, Dog.class));
		ServiceDescriptor service = ServiceDescriptor.of(OnlyObject.class);
		MethodDescriptor method = service.methods().get(0);
		Dog dog = new Dog();
		dog.setName("Rex");
		assertThat(Codecs.echo(serializer.codec(service).method(method.number()), (Object) dog)).isEqualTo(dog);
		assertThat(serializer.codec(ServiceDescriptor.of(SubtypesTests.Vehicles.class)).contract().text())
			.as("without an Object it is not in the world")
			.doesNotContain("Dog");
	}

	@Test
	void objectValue_hasExpectedBytes() {
		assertThat(HexFormat.of().formatHex(Codecs.result(Codecs.method(Anything.class, "object"), List.of("a", 5))))
			.isEqualTo("0b" + "5b0a01615c" + "5b10055c" + "0c");
	}

	private static void assertRefused(MethodCodec codec, Object value, String message) {
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.result(codec, value))
			.withMessageStartingWith(HERE)
			.withMessageContaining(message);
	}

	public interface Anything {

		Object object();

		Number number();

		List<Number> numbers();

		Map<Object, Object> map();

		Holder holder();

		Pair<Integer, Number> pair();

		Pair<String, String> otherPair();

		Enum<?> constant();

		Colour colour();

		Operator operator();

		Point point();

		Animal animal();

	}

	public static class Holder {

		Number number;

	}

	public interface OnlyNumbers {

		Number number();

	}

	public interface OnlyObject {

		Object object();

	}

}
