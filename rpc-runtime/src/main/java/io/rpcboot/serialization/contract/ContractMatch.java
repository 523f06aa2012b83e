package io.rpcboot.serialization.contract;

import java.util.ArrayList;
import java.util.List;
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
		Readability arguments = new Readability(client, "the client", server, "the server");
		Readability results = new Readability(server, "the server", client, "the client");
		int count = client.methods().size();
		int[] serverMethods = new int[count];
		List<String> differences = new ArrayList<>();
		for (ContractMethod method : client.methods()) {
			ContractMethod found = find(method, client.methods(), server.methods());
			String difference = !client.format().equals(server.format())
					? "layout %s at the client, %s at the server".formatted(client.format(), server.format())
					: (found == null) ? missing(method, server.methods())
							: difference(method, found, arguments, results);
			serverMethods[method.number()] = (difference.isEmpty() && found != null) ? found.number() : REFUSED;
			differences.add(difference);
		}
		return new ContractMatch(serverMethods, List.copyOf(differences));
	}

	private static @Nullable ContractMethod find(ContractMethod method, List<ContractMethod> clients,
			List<ContractMethod> servers) {
		List<ContractMethod> namesakes = servers.stream()
			.filter((each) -> each.hasNameOf(method) && each.parameters().size() == method.parameters().size())
			.toList();
		for (ContractMethod each : namesakes) {
			if (each.parameters().equals(method.parameters())) {
				return each;
			}
		}
		long rivals = clients.stream()
			.filter((each) -> each.name().equals(method.name())
					&& each.parameters().size() == method.parameters().size())
			.count();
		return (namesakes.size() == 1 && rivals == 1) ? namesakes.get(0) : null;
	}

	private static String missing(ContractMethod method, List<ContractMethod> servers) {
		List<String> similar = servers.stream()
			.filter((each) -> each.hasNameOf(method))
			.map(ContractMethod::signature)
			.toList();
		return "method %s is missing at the server%s".formatted(method.signature(),
				similar.isEmpty() ? "" : ", which has " + String.join(" and ", similar));
	}

	private static String difference(ContractMethod client, ContractMethod server, Readability arguments,
			Readability results) {
		List<String> found = new ArrayList<>();
		for (int i = 0; i < client.parameters().size(); i++) {
			found.addAll(arguments.differences("argument %d of %s".formatted(i + 1, client.signature()),
					client.parameters().get(i), server.parameters().get(i)));
		}
		if (!client.result().equals(TypeRef.VOID)) {
			found.addAll(results.differences("result of " + client.signature(), server.result(), client.result()));
		}
		for (TypeRef thrown : server.exceptions()) {
			client.exceptions()
				.stream()
				.filter((each) -> results.isSame(thrown, each))
				.forEach((each) -> found.addAll(results.differences("exception", thrown, each)));
		}
		return String.join("; ", found.stream().distinct().toList());
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

}
