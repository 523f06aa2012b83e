package io.rpcboot.serialization.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Match between the methods of a client and those of a server with another contract. Both
 * sides compute it from the same two contracts, with the same result. A method is found
 * by its name, by an alias, and by the types of its parameters if names are overloaded.
 * It can be called if the server can read the arguments, and the client the result and
 * the exceptions. Immutable.
 *
 * <pre class="code">
 * ContractMatch match = ContractMatch.of(client, server);
 * for (int method : match.refused()) {
 * 	log(client.methods().get(method).signature() + ": " + match.difference(method));
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public final class ContractMatch {

	/**
	 * Number of the server's method if the client's method has no counterpart that it can
	 * call.
	 */
	public static final int REFUSED = -1;

	/** Maximum length of a difference, in characters. A peer could create longer ones. */
	private static final int MAX_TEXT = 500;

	private final int[] serverMethods;

	private final List<String> differences;

	private ContractMatch(int[] serverMethods, List<String> differences) {
		this.serverMethods = serverMethods;
		this.differences = differences;
	}

	/**
	 * Matches two contracts.
	 * @param client contract of the client
	 * @param server contract of the server
	 * @return the match
	 */
	public static ContractMatch of(Contract client, Contract server) {
		MethodMatch methods = new MethodMatch(client, server);
		StreamMatch streams = StreamMatch.of(client, server);
		int[] serverMethods = new int[client.methods().size()];
		List<String> differences = new ArrayList<>();
		for (ContractMethod method : client.methods()) {
			ContractMethod found = methods.find(method);
			String difference = (found != null) ? methods.difference(method, found) : methods.missing(method);
			if (found != null && difference.isEmpty() && streams != null) {
				difference = streams.difference(method, found);
			}
			serverMethods[method.number()] = (found != null && difference.isEmpty()) ? found.number() : REFUSED;
			differences.add((difference.length() > MAX_TEXT) ? difference.substring(0, MAX_TEXT) + "…" : difference);
		}
		return new ContractMatch(serverMethods, List.copyOf(differences));
	}

	/**
	 * Returns the server's method for a method of the client.
	 * @param clientMethod number of the client's method
	 * @return number of the server's method, or {@link #REFUSED}
	 */
	public int serverMethod(int clientMethod) {
		return this.serverMethods[clientMethod];
	}

	/**
	 * Returns the reason why a method of the client cannot be called.
	 * @param clientMethod number of the client's method
	 * @return reason, such as "field age of com.acme.User: int at the client,
	 * java.lang.String at the server"; empty if the method can be called
	 */
	public String difference(int clientMethod) {
		return this.differences.get(clientMethod);
	}

	/**
	 * Returns the client's methods that cannot be called.
	 * @return their numbers, rising
	 */
	public List<Integer> refused() {
		return IntStream.range(0, this.serverMethods.length)
			.filter((each) -> this.serverMethods[each] == REFUSED)
			.boxed()
			.toList();
	}

}
