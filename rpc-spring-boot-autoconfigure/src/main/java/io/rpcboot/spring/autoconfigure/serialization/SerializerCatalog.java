package io.rpcboot.spring.autoconfigure.serialization;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.TypeOptions;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import org.jspecify.annotations.Nullable;

/**
 * Serializers by name: built-in ones whose libraries are on the class path, and beans of
 * the application, which take precedence.
 *
 * @since 0.1.0
 */
public final class SerializerCatalog {

	private final Map<String, BuiltIn> builtIn;

	private final Map<String, Serializer> serializers = new LinkedHashMap<>();

	private final String defaultName;

	private final TypeOptions types;

	/**
	 * Creates a catalog.
	 * @param builtIn built-in serializers; the first is the default
	 * @param beans serializers of the application; a single one is the default
	 * @param types additional types, which all of them have
	 */
	public SerializerCatalog(List<BuiltIn> builtIn, List<Serializer> beans, TypeOptions types) {
		this.builtIn = builtIn.stream()
			.collect(Collectors.toMap(BuiltIn::name, (each) -> each, (first, second) -> first, LinkedHashMap::new));
		beans.forEach((each) -> this.serializers.putIfAbsent(each.name(), each));
		this.defaultName = (beans.size() == 1) ? beans.get(0).name() : builtIn.get(0).name();
		this.types = types;
	}

	/**
	 * A built-in serializer.
	 *
	 * @param name its name
	 * @param library the missing library, null if none is missing
	 * @param factory creates it
	 */
	public record BuiltIn(String name, @Nullable String library, Supplier<Serializer> factory) {
	}

	/**
	 * Returns a serializer.
	 * @param property the property with the name, for the message
	 * @param name the name, null for the default
	 * @return the serializer; the same object for the same name
	 * @throws InvalidPropertyException if there is none with the name
	 */
	public synchronized Serializer get(String property, @Nullable String name) {
		String wanted = (name != null) ? name : this.defaultName;
		Serializer known = this.serializers.get(wanted);
		if (known != null) {
			return known;
		}
		BuiltIn found = this.builtIn.get(wanted);
		if (found == null || found.library() != null) {
			throw new InvalidPropertyException(property, "'" + wanted + "'", (found != null)
					? found.library() + " on the class path, which '" + wanted + "' needs" : "one of " + names());
		}
		Serializer created = found.factory().get();
		this.serializers.put(wanted, created);
		return created;
	}

	/**
	 * Returns serializers.
	 * @param property the property with the names, for the message
	 * @param names the names, empty for the default
	 * @return the serializers in that order
	 */
	public Serializer[] get(String property, List<String> names) {
		return names.isEmpty() ? new Serializer[] { get(property, this.defaultName) }
				: names.stream().distinct().map((each) -> get(property, each)).toArray(Serializer[]::new);
	}

	/** Returns the types that the application adds to those of each serializer. */
	public TypeOptions types() {
		return this.types;
	}

	private String names() {
		LinkedHashMap<String, Object> names = new LinkedHashMap<>(this.builtIn);
		names.putAll(this.serializers);
		return String.join(", ", names.keySet());
	}

}
