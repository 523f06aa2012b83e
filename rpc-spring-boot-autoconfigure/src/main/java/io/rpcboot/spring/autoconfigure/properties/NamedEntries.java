package io.rpcboot.spring.autoconfigure.properties;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Entries of a map of properties whose keys are names of the application. Keys are
 * compared without case and punctuation, because environment variables have neither.
 * Spring Boot merges such entries as well.
 *
 * @param <T> the type of an entry
 * @since 0.1.0
 */
public final class NamedEntries<T> {

	private final String property;

	private final Map<String, T> entries;

	private final Map<String, List<String>> byUniformName = new HashMap<>();

	/**
	 * Creates a view of a map.
	 * @param property the name of the map
	 * @param entries the map
	 */
	public NamedEntries(String property, Map<String, T> entries) {
		this.property = property;
		this.entries = entries;
		entries.keySet()
			.forEach((entry) -> this.byUniformName.computeIfAbsent(uniform(entry), (first) -> new ArrayList<>())
				.add(entry));
	}

	/** Returns the letters and digits of a name, in lower case. */
	public static String uniform(String name) {
		String letters = name.codePoints()
			.filter(Character::isLetterOrDigit)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
		return letters.toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the key of the entry of a name.
	 * @param name the name
	 * @param names supplies all names of the application; called only if the entry is not
	 * clear
	 * @return the key, null for no entry
	 * @throws InvalidPropertyException if the entry may belong to another name as well,
	 * or the name has several different entries
	 */
	public @Nullable String entryOf(String name, Supplier<Set<String>> names) {
		String uniform = uniform(name);
		List<String> found = this.byUniformName.getOrDefault(uniform, List.of());
		if (found.isEmpty()) {
			return null;
		}
		if (found.equals(List.of(name))) {
			return name;
		}
		Set<String> rivals = names.get()
			.stream()
			.filter((each) -> uniform(each).equals(uniform))
			.collect(Collectors.toCollection(TreeSet::new));
		rivals.add(name);
		if (rivals.size() > 1) {
			return entryAmong(rivals, name, found);
		}
		if (found.stream().map(this.entries::get).distinct().count() > 1) {
			throw failure(found.get(0), quoted(found), "one entry for '" + name + "'",
					"Write the name in the same way in all of these settings.");
		}
		return found.contains(name) ? name : found.get(0);
	}

	private @Nullable String entryAmong(Set<String> rivals, String name, List<String> found) {
		String entry = found.get(0);
		if (found.size() == 1 && rivals.contains(entry)) {
			return entry.equals(name) ? entry : null;
		}
		throw failure(entry, quoted(found),
				"an entry for one name; environment variables and Spring Boot do not distinguish " + quoted(rivals),
				"Rename one of them, so that they differ in more than capitals and punctuation.");
	}

	/** Returns the keys that belong to no name. */
	public List<String> unknown(Collection<String> names) {
		Set<String> known = names.stream().map(NamedEntries::uniform).collect(Collectors.toSet());
		return this.entries.keySet().stream().filter((entry) -> !known.contains(uniform(entry))).toList();
	}

	/**
	 * Returns the failure of an entry.
	 * @param entry a wrong entry
	 * @param value the wrong value
	 * @param expected the rule
	 * @param action what to do
	 */
	public InvalidPropertyException failure(String entry, String value, String expected, String action) {
		return new InvalidPropertyException(this.property + "." + entry, this.property, value, expected, action);
	}

	public static String quoted(Collection<String> names) {
		return names.stream().map((each) -> "'" + each + "'").collect(Collectors.joining(", "));
	}

}
