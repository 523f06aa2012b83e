package io.rpcboot.serialization.contract;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

import io.rpcboot.serialization.contract.ContractType.Kind;

import org.jspecify.annotations.Nullable;

/**
 * Match between the methods of a client and a server by name and parameters. Equal types
 * of parameters come before types that are the same by an alias, and names before
 * aliases. Remaining methods are matched by name and number of parameters, if neither
 * side has another such method left.
 */
final class MethodMatch {

	private static final int MAX_SIMILAR = 4;

	private final Contract client;

	private final Contract server;

	private final Readability arguments;

	private final Readability results;

	/** Methods of the server by {@link #key}. */
	private final Map<String, List<ContractMethod>> names = new HashMap<>();

	private final Map<String, List<ContractMethod>> aliases = new HashMap<>();

	private final @Nullable ContractMethod[] found;

	MethodMatch(Contract client, Contract server) {
		this.client = client;
		this.server = server;
		this.arguments = new Readability(client, server, true);
		this.results = new Readability(server, client, false);
		for (ContractMethod each : server.methods()) {
			add(this.names, each.name(), each);
			each.aliases().forEach((alias) -> add(this.aliases, alias, each));
		}
		this.found = new @Nullable ContractMethod[client.methods().size()];
		client.methods().forEach((each) -> this.found[each.number()] = withParameters(each));
		findRemaining();
	}

	private static void add(Map<String, List<ContractMethod>> methods, String name, ContractMethod method) {
		methods.computeIfAbsent(key(name, method), (key) -> new ArrayList<>()).add(method);
	}

	/**
	 * Returns the name with the number of parameters, which overloads with other types
	 * share.
	 */
	private static String key(String name, ContractMethod method) {
		return name + '(' + method.parameters().size();
	}

	private @Nullable ContractMethod withParameters(ContractMethod method) {
		BiPredicate<TypeRef, TypeRef> equal = TypeRef::equals;
		for (BiPredicate<TypeRef, TypeRef> each : List.of(equal, this.arguments::isSame)) {
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

	private void findRemaining() {
		List<ContractMethod> remaining = this.client.methods().stream().filter((each) -> find(each) == null).toList();
		Map<String, Integer> rivals = new HashMap<>();
		remaining.forEach((each) -> rivals.merge(key(each.name(), each), 1, Integer::sum));
		BitSet taken = new BitSet();
		Arrays.stream(this.found).filter(Objects::nonNull).forEach((each) -> taken.set(each.number()));
		for (ContractMethod each : remaining) {
			if (rivals.getOrDefault(key(each.name(), each), 0) == 1) {
				List<ContractMethod> candidates = namesakes(each).isEmpty() ? formerNamesakes(each) : namesakes(each);
				this.found[each.number()] = only(
						candidates.stream().filter((candidate) -> !taken.get(candidate.number())).toList());
			}
		}
	}

	private List<ContractMethod> namesakes(ContractMethod method) {
		return this.names.getOrDefault(key(method.name(), method), List.of());
	}

	private List<ContractMethod> formerNamesakes(ContractMethod method) {
		List<ContractMethod> former = new ArrayList<>(this.aliases.getOrDefault(key(method.name(), method), List.of()));
		method.aliases().forEach((alias) -> former.addAll(this.names.getOrDefault(key(alias, method), List.of())));
		return former;
	}

	private static @Nullable ContractMethod only(List<ContractMethod> candidates) {
		return (candidates.size() == 1) ? candidates.get(0) : null;
	}

	/** Returns the server's method for a method of the client; null if there is none. */
	@Nullable ContractMethod find(ContractMethod method) {
		return this.found[method.number()];
	}

	/** Returns the reason why a method of the client has no counterpart. */
	String missing(ContractMethod method) {
		String similar = this.server.methods()
			.stream()
			.filter((each) -> each.hasNameOf(method))
			.map(ContractMethod::signature)
			.limit(MAX_SIMILAR)
			.collect(Collectors.joining(" and "));
		return "method %s is missing at the server%s".formatted(method.signature(),
				similar.isEmpty() ? "" : ", which has " + similar);
	}

	/**
	 * Returns the reason why a method of the client cannot call one of the server; empty
	 * if it can.
	 */
	String difference(ContractMethod client, ContractMethod server) {
		if (!this.client.format().equals(this.server.format())) {
			return "layout %s at the client, %s at the server".formatted(this.client.format(), this.server.format());
		}
		Set<String> found = new LinkedHashSet<>();
		for (int i = 0; i < client.parameters().size(); i++) {
			found.addAll(this.arguments.differences("argument %d of %s".formatted(i + 1, client.signature()),
					client.parameters().get(i), server.parameters().get(i)));
			ContractType callback = this.client.type(client.parameters().get(i));
			ContractType called = this.server.type(server.parameters().get(i));
			if (callback != null && callback.kind() == Kind.CALLBACK && called != null
					&& called.kind() == Kind.CALLBACK) {
				found.addAll(new CallbackMatch(this.arguments, this.results).differences(callback, called));
			}
		}
		if (!client.result().equals(TypeRef.VOID)) {
			found.addAll(this.results.differences("result of " + client.signature(), server.result(), client.result()));
		}
		for (TypeRef thrown : server.exceptions()) {
			TypeRef caught = caught(thrown, client.exceptions());
			if (caught != null) {
				found.addAll(this.results.differences("exception of " + client.signature(), thrown, caught));
			}
		}
		return String.join("; ", found);
	}

	private @Nullable TypeRef caught(TypeRef thrown, List<TypeRef> declared) {
		return declared.contains(thrown) ? thrown
				: declared.stream().filter((each) -> this.results.isSame(thrown, each)).findFirst().orElse(null);
	}

}
