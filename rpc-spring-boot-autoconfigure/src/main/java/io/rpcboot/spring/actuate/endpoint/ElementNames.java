package io.rpcboot.spring.actuate.endpoint;

import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;

import io.rpcboot.spring.actuate.descriptor.Formats;
import org.jspecify.annotations.Nullable;

/**
 * Names of services and methods in paths. An unambiguous short name is enough: a service
 * without its package, a method without its parameters.
 */
final class ElementNames {

	private static final int MOST_NAMED = 20;

	private ElementNames() {
	}

	/** Returns the service that a name in a path means; null for none or several. */
	static @Nullable String service(Collection<String> known, String given) {
		return find(known, given, ElementNames::simpleName);
	}

	/** Returns the method that a name in a path means; null for none or several. */
	static @Nullable String method(Collection<String> known, String given) {
		return find(known, given, (signature) -> signature.substring(0, signature.indexOf('(')));
	}

	private static @Nullable String find(Collection<String> known, String given, UnaryOperator<String> shortened) {
		if (known.contains(given)) {
			return given;
		}
		List<String> found = known.stream().distinct().filter((each) -> shortened.apply(each).equals(given)).toList();
		return (found.size() == 1) ? found.get(0) : null;
	}

	/** Returns an identity without the package; version and group stay. */
	private static String simpleName(String service) {
		String name = service.split("[:@]", 2)[0];
		return Formats.simpleName(name) + service.substring(name.length());
	}

	/** Returns names for a message: 20 at most, and how many more there are. */
	static String summary(Collection<String> known) {
		List<String> sorted = known.stream().distinct().sorted().toList();
		String first = String.join(", ", sorted.subList(0, Math.min(MOST_NAMED, sorted.size())));
		return sorted.isEmpty() ? "there is none"
				: (sorted.size() > MOST_NAMED) ? "%s and %d more".formatted(first, sorted.size() - MOST_NAMED) : first;
	}

}
