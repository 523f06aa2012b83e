package io.rpcboot.serialization.protostuff;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcAlias;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.serialization.protostuff.wire.WriterTests;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.serialization.zoo.ZooHierarchies;
import io.rpcboot.serialization.zoo.ZooHierarchies.Circle;
import io.rpcboot.serialization.zoo.ZooHierarchies.Named;
import io.rpcboot.serialization.zoo.ZooHierarchies.Result;
import io.rpcboot.serialization.zoo.ZooHierarchies.Shape;
import io.rpcboot.serialization.zoo.ZooHierarchies.Unit;
import io.rpcboot.serialization.zoo.ZooHierarchies.Vehicle;
import io.rpcboot.serialization.zoo.ZooTypes.Animal;
import io.rpcboot.serialization.zoo.ZooTypes.Dog;
import io.rpcboot.serialization.zoo.ZooTypes.Point;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests members of a base type: they hold its subtypes, each by its number, and no
 * others.
 */
public class SubtypesTests {

	private static final String ZOO = ZooHierarchies.class.getName();

	private static final String HERE = SubtypesTests.class.getName();

	@Test
	void contract_listsSubtypesByName() {
		assertThat(Codecs.of(Shapes.class).contract().text()).isEqualTo("""
				protostuff/1
				method shape() %1$s$Shape+
				record %1$s$Circle
				  1 radius double
				bean %1$s$Named
				  1 colour java.lang.String
				  2 parts java.util.List<%1$s$Shape+>
				base %1$s$Shape+
				  1 - %1$s$Circle
				  2 - %1$s$Named
				  3 - %1$s$Square
				  4 - %1$s$Unit
				bean %1$s$Square
				  1 colour java.lang.String
				enum %1$s$Unit
				  0 POINT void
				  1 LINE void
				""".formatted(ZOO));
	}

	@Test
	void baseClass_isOneOfItsSubtypes() {
		assertThat(Codecs.of(Vehicles.class).contract().text()).isEqualTo("""
				protostuff/1
				method vehicle() %1$s$Vehicle+
				bean %1$s$Trailer
				  1 wheels int
				  2 load %1$s$Vehicle+
				bean %1$s$Truck
				  1 wheels int
				  2 load %1$s$Vehicle+
				bean %1$s$Vehicle
				  1 wheels int
				base %1$s$Vehicle+
				  1 - %1$s$Trailer
				  2 - %1$s$Truck
				  3 - %1$s$Vehicle
				""".formatted(ZOO));
	}

	@Test
	void typeArguments_areTakenFromBase() {
		assertThat(Codecs.of(Generics.class).contract().text()).contains("""
				base %1$s$Source+<java.lang.Integer>
				  1 - %1$s$Constant
				  2 - %1$s$Keyed<java.lang.Object,java.lang.Integer>
				  3 - %1$s$Numbers<java.lang.Integer>
				""".formatted(HERE), """
				base %1$s$Source+<java.util.List<%2$s>>
				  1 - %1$s$Grouped<%2$s>
				  2 - %1$s$Keyed<java.lang.Object,java.util.List<%2$s>>
				""".formatted(HERE, Point.class.getName()), """
				base %1$s$Source+<java.lang.Object>
				  1 - %1$s$Constant
				  2 - %1$s$Grouped<java.lang.Object>
				  3 - %1$s$Keyed<java.lang.Object,java.lang.Object>
				  4 - %1$s$Numbers<java.lang.Number>
				""".formatted(HERE));
		MethodCodec codec = Codecs.method(Generics.class, "integers");
		assertThat(Codecs.echo(codec, new Keyed<>("key", 5))).isEqualTo(new Keyed<>("key", 5));
	}

	@Test
	void subtype_hasExpectedBytes() {
		MethodCodec codec = Codecs.method(Shapes.class, "shape");
		assertThat(hex(Codecs.result(codec, Named.of(Unit.LINE))))
			.isEqualTo("0b" + "13" + "13" + "2001" + "14" + "14" + "0c");
	}

	@Test
	void undeclaredClass_isRefused_whenWritten() {
		MethodCodec codec = Codecs.method(Vehicles.class, "vehicle");
		class Bicycle extends Vehicle {

		}
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.result(codec, new Bicycle()))
			.withMessage(
					"%2$s$Vehicles.vehicle(): result: %2$s$1Bicycle where %1$s$Vehicle is declared (expected: %1$s$Trailer or %1$s$Truck or %1$s$Vehicle; more are declared by @RpcSubtypes on %1$s$Vehicle or by subtypes[%1$s$Vehicle])",
					ZOO, HERE);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			0b 2b 2c 0c    | type number 5 (expected: one that the contract lists for
			0b 0c          | (expected: a
			0b             | the bytes end too early
			0b 08 01 0c    | tag 8 (expected: a
			0b 20 02 0c    | constant number 2
			0b 0b 0c 0b 0c | tag 11 (expected: the end of the group)
			0b fb ff ff ff 0f | (expected: one that the contract lists for
			""")
	void invalidBytes_areRefused(String bytes, String message) {
		MethodCodec codec = Codecs.method(Shapes.class, "shape");
		byte[] source = HexFormat.ofDelimiter(" ").parseHex(bytes);
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.deserializeResult(source, 0, source.length))
			.withMessageStartingWith(HERE + "$Shapes.shape(): result: ")
			.withMessageContaining(message);
	}

	@Test
	void nestingDepth_isBounded() {
		MethodCodec codec = Codecs.method(Shapes.class, "shape");
		Shape deepest = Named.of(new Circle(1));
		for (int i = 0; i < 30; i++) {
			deepest = Named.of(deepest);
		}
		assertThat(Codecs.echo(codec, deepest)).isEqualTo(deepest);
		Shape deeper = Named.of(deepest);
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.result(codec, deeper))
			.withMessageEndingWith("nested deeper than 64 levels");
		byte[] bytes = HexFormat.of().parseHex("0b" + "1313".repeat(100));
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.deserializeResult(bytes, 0, bytes.length))
			.withMessageEndingWith("nested deeper than 64 levels");
	}

	@Test
	void applicationSubtype_isCarried() {
		ProtostuffSerializer serializer = new ProtostuffSerializer(
				TypeOptions.NONE.withSubtypes(Animal.class, Dog.class));
		ServiceDescriptor service = ServiceDescriptor.of(WriterTests.Service.class);
		ServiceCodec codec = serializer.codec(service);
		MethodDescriptor animals = service.methods()
			.stream()
			.filter((each) -> each.name().equals("animals"))
			.findFirst()
			.orElseThrow();
		Dog dog = new Dog();
		dog.setName("Rex");
		List<Animal> value = List.of(dog, new Animal());
		assertThat(Codecs.echo(codec.method(animals.number()), value)).isEqualTo(value)
			.extracting(Object::getClass)
			.isEqualTo(List.of(Dog.class, Animal.class));
	}

	@Test
	void baseAlias_isListedForBase() {
		assertThat(Codecs.of(Renamed.class).contract().text())
			.contains("base %s$Renaming+ aka com.acme.Old+\n".formatted(HERE));
	}

	private static String hex(byte[] bytes) {
		return HexFormat.of().formatHex(bytes);
	}

	public interface Shapes {

		Shape shape();

	}

	public interface Vehicles {

		Vehicle vehicle();

	}

	public sealed interface Source<T> permits Constant, Grouped, Keyed, Numbers {

	}

	public record Constant() implements Source<Integer> {

	}

	public record Grouped<A>(List<A> values) implements Source<List<A>> {
	}

	public record Keyed<K, V>(K key, V value) implements Source<V> {

	}

	public record Numbers<N extends Number>(N number) implements Source<N> {

	}

	public interface Generics {

		Source<Integer> integers();

		Source<List<Point>> points();

		Map<String, Source<?>> anything();

	}

	@RpcAlias("com.acme.Old")
	public sealed interface Renaming permits Renaming.Only {

		record Only() implements Renaming {

		}

	}

	public interface Renamed {

		Renaming get();

		Result<Renaming> result();

	}

}
