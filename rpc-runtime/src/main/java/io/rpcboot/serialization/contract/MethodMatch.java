package io.rpcboot.serialization.contract;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

import org.jspecify.annotations.Nullable;

/**
 * Which method of a server has the name and the parameters of a client's. Equal types of
 * parameters come before types that are the same by an alias, the name before an alias;
 * what remains is matched by name and number of parameters where neither side has another
 * such method left.
 */
final class MethodMatch {

	private final Map<Key, List<ContractMethod>> names = new HashMap<>();

	private final Map<Key, List<ContractMethod>> aliases = new HashMap<>();

	private final @Nullable ContractMethod[] found;

	MethodMatch(Contract client, Contract server, Readability arguments) {
		for (ContractMethod each : server.methods()) {
			add(this.names, each.name(), each);
			each.aliases().forEach((alias) -> add(this.aliases, alias, each));
		}
		this.found = new @Nullable ContractMethod[client.methods().size()];
		client.methods().forEach((each) -> this.found[each.number()] = withParameters(each, arguments));
		findRemaining(client.methods());
	}

	private static void add(Map<Key, List<ContractMethod>> methods, String name, ContractMethod method) {
		methods.computeIfAbsent(Key.of(name, method), (key) -> new ArrayList<>()).add(method);
	}

	private @Nullable ContractMethod withParameters(ContractMethod method, Readability arguments) {
		BiPredicate<TypeRef, TypeRef> equal = TypeRef::equals;
		for (BiPredicate<TypeRef, TypeRef> each : List.of(equal, arguments::isSame)) {
			for (List<ContractMethod> candidates : List.of(namesakes(method), formerNamesakes(method))) {
				ContractMethod only = only(
						candidates.stream().filter((candidate) -> match(method, candidate, each)).toList());
				if (only != null) {
					return only;
				}
			}
		}
		return null;
	}

	private static boolean match(ContractMethod client, ContractMethod server, BiPredicate<TypeRef, TypeRef> rule) {
		for (int i = 0; i < client.parameters().size(); i++) {
			if (!rule.test(client.parameters().get(i), server.parameters().get(i))) {
				return false;
			}
		}
		return true;
	}

	private void findRemaining(List<ContractMethod> clients) {
		Set<Integer> taken = new HashSet<>();
		Map<Key, Integer> rivals = new HashMap<>();
		for (ContractMethod each : clients) {
			ContractMethod match = this.found[each.number()];
			if (match != null) {
				taken.add(match.number());
			}
			else {
				rivals.merge(Key.of(each.name(), each), 1, Integer::sum);
			}
		}
		for (ContractMethod each : clients) {
			if (this.found[each.number()] == null && rivals.getOrDefault(Key.of(each.name(), each), 0) == 1) {
				List<ContractMethod> candidates = namesakes(each).isEmpty() ? formerNamesakes(each) : namesakes(each);
				this.found[each.number()] = only(
						candidates.stream().filter((candidate) -> !taken.contains(candidate.number())).toList());
			}
		}
	}

	private List<ContractMethod> namesakes(ContractMethod method) {
		return this.names.getOrDefault(Key.of(method.name(), method), List.of());
	}

	private List<ContractMethod> formerNamesakes(ContractMethod method) {
		List<ContractMethod> former = new ArrayList<>(
				this.aliases.getOrDefault(Key.of(method.name(), method), List.of()));
		method.aliases().forEach((alias) -> former.addAll(this.names.getOrDefault(Key.of(alias, method), List.of())));
		return former;
	}

	private static @Nullable ContractMethod only(List<ContractMethod> candidates) {
		return (candidates.size() == 1) ? candidates.get(0) : null;
	}

	/** The server's method for a method of the client; null if there is none. */
	@Nullable ContractMethod find(ContractMethod method) {
		return this.found[method.number()];
	}

	/**
	 * What overloads that differ in types only have in common.
	 *
	 * @param name of the method
	 * @param parameters how many it has
	 */
	private record Key(String name, int parameters) implements Comparable<Key> {

		static Key of(String name, ContractMethod method) {
			return new Key(name, method.parameters().size());
		}

		/** Keeps a map fast whatever the names hash to. */
		@Override
		public int compareTo(Key other) {
			int byName = this.name.compareTo(other.name);
			return (byName != 0) ? byName : Integer.compare(this.parameters, other.parameters);
		}

	}

}
