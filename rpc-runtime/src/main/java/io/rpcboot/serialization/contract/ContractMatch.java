package io.rpcboot.serialization.contract;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * How the methods of a client meet those of a server whose contract is another one. Both
 * sides compute it from the same two contracts and come to the same answer. A method is
 * found by its name, by an alias, and by the types of its parameters where names are
 * overloaded; it can be called if the server can read the arguments and the client the
 * result and the exceptions.
 */
public final class ContractMatch {

	/** The client's method has no counterpart that it can call. */
	public static final int REFUSED = -1;

	/** Enough for a person, and nothing that a peer could make large. */
	private static final int MAX_TEXT = 500;

	private static final int MAX_SIMILAR = 4;

	private final int[] serverMethods;

	private final List<String> differences;

	private ContractMatch(int[] serverMethods, List<String> differences) {
		this.serverMethods = serverMethods;
		this.differences = differences;
	}

	/**
	 * Match two contracts.
	 * @param client the client's
	 * @param server the server's
	 * @return the match
	 */
	public static ContractMatch of(Contract client, Contract server) {
		return new Comparison(client, server).match();
	}

	/**
	 * The server's method that a client's method calls.
	 * @param clientMethod number in the client's contract
	 * @return number in the server's contract, or {@link #REFUSED}
	 */
	public int serverMethod(int clientMethod) {
		return this.serverMethods[clientMethod];
	}

	/**
	 * Why a method of the client cannot be called.
	 * @param clientMethod number in the client's contract
	 * @return in the words of a review, such as "field age of com.acme.User: int at the
	 * client, java.lang.String at the server"; empty if it can be called
	 */
	public String difference(int clientMethod) {
		return this.differences.get(clientMethod);
	}

	/**
	 * The methods of the client that cannot be called.
	 * @return their numbers, rising
	 */
	public List<Integer> refused() {
		return IntStream.range(0, this.serverMethods.length)
			.filter((each) -> this.serverMethods[each] == REFUSED)
			.boxed()
			.toList();
	}

	/** One comparison of two contracts. */
	private static final class Comparison {

		private final Contract client;

		private final Contract server;

		private final Readability arguments;

		private final Readability results;

		private final MethodMatch methods;

		Comparison(Contract client, Contract server) {
			this.client = client;
			this.server = server;
			this.arguments = new Readability(client, server, true);
			this.results = new Readability(server, client, false);
			this.methods = new MethodMatch(client, server, this.arguments);
		}

		ContractMatch match() {
			int[] serverMethods = new int[this.client.methods().size()];
			List<String> differences = new ArrayList<>();
			for (ContractMethod method : this.client.methods()) {
				ContractMethod found = this.methods.find(method);
				String difference = (found != null) ? difference(method, found) : missing(method);
				serverMethods[method.number()] = (found != null && difference.isEmpty()) ? found.number() : REFUSED;
				differences
					.add((difference.length() > MAX_TEXT) ? difference.substring(0, MAX_TEXT) + "…" : difference);
			}
			return new ContractMatch(serverMethods, List.copyOf(differences));
		}

		private String missing(ContractMethod method) {
			String similar = this.server.methods()
				.stream()
				.filter((each) -> each.hasNameOf(method))
				.map(ContractMethod::signature)
				.limit(MAX_SIMILAR)
				.collect(Collectors.joining(" and "));
			return "method %s is missing at the server%s".formatted(method.signature(),
					similar.isEmpty() ? "" : ", which has " + similar);
		}

		private String difference(ContractMethod client, ContractMethod server) {
			if (!this.client.format().equals(this.server.format())) {
				return "layout %s at the client, %s at the server".formatted(this.client.format(),
						this.server.format());
			}
			Set<String> found = new LinkedHashSet<>();
			for (int i = 0; i < client.parameters().size(); i++) {
				found.addAll(this.arguments.differences("argument %d of %s".formatted(i + 1, client.signature()),
						client.parameters().get(i), server.parameters().get(i)));
			}
			if (!client.result().equals(TypeRef.VOID)) {
				found.addAll(
						this.results.differences("result of " + client.signature(), server.result(), client.result()));
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

}
