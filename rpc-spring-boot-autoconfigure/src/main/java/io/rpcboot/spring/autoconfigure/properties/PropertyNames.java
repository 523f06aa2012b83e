package io.rpcboot.spring.autoconfigure.properties;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * Names of the properties that are bound to a record.
 *
 * @since 0.1.0
 */
public final class PropertyNames {

	private PropertyNames() {
	}

	/** Returns the elements of a name, starting at an index. */
	public static List<String> elements(ConfigurationPropertyName name, int from) {
		return IntStream.range(from, name.getNumberOfElements())
			.mapToObj((index) -> name.getElement(index, Form.ORIGINAL))
			.toList();
	}

	/**
	 * Returns the property that a name means.
	 * @param type the record
	 * @param elements the name below the prefix of the record
	 * @param spelling finds the component of an element
	 * @return the property below the prefix, with dashes; null for none
	 */
	public static @Nullable String find(Class<?> type, List<String> elements, DidYouMean spelling) {
		if (elements.isEmpty()) {
			return null;
		}
		Map<String, RecordComponent> components = new LinkedHashMap<>();
		for (RecordComponent each : type.getRecordComponents()) {
			components.put(NamedEntries.uniform(each.getName()), each);
		}
		String word = spelling.meant(NamedEntries.uniform(elements.get(0)), components.keySet());
		RecordComponent component = (word != null) ? components.get(word) : null;
		if (component == null) {
			return null;
		}
		String rest = rest(component, elements.subList(1, elements.size()), spelling);
		return (rest != null) ? DataObjectPropertyName.toDashedForm(component.getName()) + rest : null;
	}

	/**
	 * Returns the only property below a record that ends with a name, or whose words are
	 * separated elsewhere. Example: {@code max-threads} means {@code pool.max-threads}.
	 * @param type the record
	 * @param elements the name below the prefix of the record
	 * @return the property below the prefix, with dashes; null for none or several
	 */
	public static @Nullable String ending(Class<?> type, List<String> elements) {
		String words = NamedEntries.uniform(String.join("", elements));
		List<String> found = all(type).filter((each) -> {
			List<String> own = List.of(each.split("\\."));
			return IntStream.range(0, own.size())
				.anyMatch((from) -> NamedEntries.uniform(String.join("", own.subList(from, own.size()))).equals(words));
		}).toList();
		return (found.size() == 1) ? found.get(0) : null;
	}

	/** Returns the properties of a record and of the records in it, without maps. */
	private static Stream<String> all(Class<?> type) {
		return Stream.of(type.getRecordComponents())
			.filter((each) -> !Map.class.isAssignableFrom(each.getType()))
			.flatMap((each) -> {
				String name = DataObjectPropertyName.toDashedForm(each.getName());
				return each.getType().isRecord() ? all(each.getType()).map((below) -> name + "." + below)
						: Stream.of(name);
			});
	}

	/** Returns the names of the components of a record, with dashes. */
	public static List<String> components(Class<?> type) {
		return Stream.of(type.getRecordComponents())
			.map((each) -> DataObjectPropertyName.toDashedForm(each.getName()))
			.sorted()
			.toList();
	}

	/** Returns the name below a component, empty if the component is the property. */
	private static @Nullable String rest(RecordComponent component, List<String> elements, DidYouMean spelling) {
		if (component.getType().isRecord()) {
			return dotted(find(component.getType(), elements, spelling));
		}
		if (Map.class.isAssignableFrom(component.getType())) {
			return entry(component, elements, spelling);
		}
		if (elements.isEmpty()) {
			return "";
		}
		boolean isElement = Collection.class.isAssignableFrom(component.getType()) && elements.size() == 1
				&& elements.get(0).matches("\\d+");
		return isElement ? "[" + elements.get(0) + "]" : null;
	}

	/**
	 * Returns the name of an entry of a map: any key, then the property of a record or
	 * value.
	 */
	private static @Nullable String entry(RecordComponent map, List<String> elements, DidYouMean spelling) {
		if (elements.isEmpty()) {
			return null;
		}
		String name = "." + elements.get(0);
		List<String> below = elements.subList(1, elements.size());
		if (map.getGenericType() instanceof ParameterizedType type
				&& type.getActualTypeArguments()[1] instanceof Class<?> value && value.isRecord()) {
			String rest = dotted(find(value, below, spelling));
			return (rest != null) ? name + rest : null;
		}
		return below.isEmpty() ? name : name + "." + String.join(".", below);
	}

	private static @Nullable String dotted(@Nullable String name) {
		return (name != null) ? "." + name : null;
	}

}
