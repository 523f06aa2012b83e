package io.rpcboot.serialization.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

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

	private final int[] serverMethods;

	private final List<String> differences;

	private ContractMatch(int[] serverMethods, List<String> differences) {
		this.serverMethods = serverMethods;
		this.differences = differences;
	}

	/** Match two contracts. */
	public static ContractMatch of(Contract client, Contract server) {
		MethodMatch methods = new MethodMatch(client, server);
		int[] serverMethods = new int[client.methods().size()];
		List<String> differences = new ArrayList<>();
		for (ContractMethod method : client.methods()) {
			ContractMethod found = methods.find(method);
			String difference = (found != null) ? methods.difference(method, found) : methods.missing(method);
			serverMethods[method.number()] = (found != null && difference.isEmpty()) ? found.number() : REFUSED;
			differences.add((difference.length() > MAX_TEXT) ? difference.substring(0, MAX_TEXT) + "…" : difference);
		}
		return new ContractMatch(serverMethods, List.copyOf(differences));
	}

	/**
	 * The number of the server's method that a client's method calls, or
	 * {@link #REFUSED}.
	 */
	public int serverMethod(int clientMethod) {
		return this.serverMethods[clientMethod];
	}

	/**
	 * Why a method of the client cannot be called, in the words of a review, such as
	 * "field age of com.acme.User: int at the client, java.lang.String at the server";
	 * empty if it can be called.
	 */
	public String difference(int clientMethod) {
		return this.differences.get(clientMethod);
	}

	/** The numbers of the client's methods that cannot be called, rising. */
	public List<Integer> refused() {
		return IntStream.range(0, this.serverMethods.length)
			.filter((each) -> this.serverMethods[each] == REFUSED)
			.boxed()
			.toList();
	}

}
