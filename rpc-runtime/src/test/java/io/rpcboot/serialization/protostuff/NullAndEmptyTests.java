package io.rpcboot.serialization.protostuff;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.SerializationException;
import io.rpcboot.serialization.zoo.Zoo;
import io.rpcboot.serialization.zoo.ZooTypes.Initialised;
import io.rpcboot.serialization.zoo.ZooTypes.Primitives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Null, empty and null elements are three different things, everywhere.
 */
public class NullAndEmptyTests {

	private final MethodCodec initialised = Codecs.method(Service.class, "initialised");

	@Test
	void nullField_overridesInitializer() {
		Initialised value = new Initialised();
		value.text = null;
		value.list = null;
		value.map = null;
		value.boxed = null;
		assertThat(Codecs.result(this.initialised, value)).hasSize(2);
		assertThat(Codecs.echo(this.initialised, value)).usingRecursiveComparison().isEqualTo(value);
	}

	@Test
	void emptyField_overridesInitializer() {
		Initialised value = new Initialised();
		value.text = "";
		value.list = List.of();
		value.map = Map.of();
		Initialised result = Codecs.echo(this.initialised, value);
		assertThat(result.text).isEmpty();
		assertThat(result.list).isEmpty();
		assertThat(result.map).isEmpty();
	}

	@Test
	void listField_replacesInitialList() {
		Initialised value = new Initialised();
		value.list = List.of("y", "z");
		assertThat(Codecs.echo(this.initialised, value).list).containsExactly("y", "z");
	}

	@Test
	void receivedList_isMutable() {
		Initialised value = new Initialised();
		value.list = List.of("y");
		Codecs.echo(this.initialised, value).list.add("z");
	}

	@Test
	void transientField_keepsConstructorValue() {
		MethodCodec codec = Codecs.method(Zoo.class, "primitives");
		assertThat(Codecs.echo(codec, Primitives.of(5)).skipped()).isEqualTo(9);
	}

	@Test
	void missingPrimitive_isZero() {
		MethodCodec codec = Codecs.method(Zoo.class, "primitives");
		byte[] empty = { 1 << 3 | 3, 1 << 3 | 4 };
		assertThat(codec.deserializeResult(empty, 0, 2)).isEqualTo(Primitives.of(0));
	}

	@Test
	void arguments_keepTheirPositions() {
		MethodCodec codec = Codecs.method(Service.class, "several");
		byte[] bytes = Codecs.arguments(codec, null, 5, List.of(), null);
		assertThat(codec.deserializeArguments(bytes, 0, bytes.length)).containsExactly(null, 5, List.of(), null);
	}

	@Test
	void primitiveArgument_isRefused_whenNullOrMissing() {
		MethodCodec codec = Codecs.method(Service.class, "several");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> Codecs.arguments(codec, "a", null, List.of(), null))
			.withMessageEndingWith("several(java.lang.String,int,java.util.List,java.util.Set): "
					+ "arguments number: null (expected: int)");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> codec.deserializeArguments(new byte[0], 0, 0))
			.withMessageEndingWith("arguments number: null (expected: int)");
	}

	@Test
	void arguments_areEmpty_withoutParameters() {
		MethodCodec codec = Codecs.method(Service.class, "initialised");
		assertThat(Codecs.arguments(codec)).isEmpty();
		assertThat(Codecs.arguments(codec, (Object[]) null)).isEmpty();
		assertThat(codec.deserializeArguments(new byte[0], 0, 0)).isEmpty();
	}

	@Test
	void voidMethod_hasNoResult() {
		MethodCodec codec = Codecs.method(Service.class, "nothing");
		assertThat(Codecs.result(codec, null)).isEmpty();
		assertThat(codec.deserializeResult(new byte[0], 0, 0)).isNull();
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> Codecs.result(codec, "x"));
	}

	@ParameterizedTest
	@MethodSource("mapsAndSets")
	void elementOrder_isKept(Map<String, Integer> map) {
		MethodCodec codec = Codecs.method(Zoo.class, "map");
		assertThat(Codecs.echo(codec, map).entrySet()).containsExactlyElementsOf(map.entrySet());
		MethodCodec sets = Codecs.method(Zoo.class, "set");
		Set<String> set = new LinkedHashSet<>(map.keySet());
		assertThat(Codecs.echo(sets, set)).containsExactlyElementsOf(set);
	}

	static List<Map<String, Integer>> mapsAndSets() {
		List<Map<String, Integer>> maps = new ArrayList<>();
		for (List<String> keys : List.of(Arrays.asList("z", "a", null, "m"), Arrays.asList(null, ""))) {
			Map<String, Integer> map = new LinkedHashMap<>();
			keys.forEach((key) -> map.put(key, (key == null) ? null : key.length()));
			maps.add(map);
		}
		return maps;
	}

	public interface Service {

		Initialised initialised();

		void several(String text, int number, List<String> list, Set<String> set);

		void nothing();

	}

}
