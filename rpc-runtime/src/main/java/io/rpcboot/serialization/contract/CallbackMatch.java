package io.rpcboot.serialization.contract;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Comparison of the callbacks of two contracts: the server writes the arguments of their
 * methods, and the client the results. Methods are matched by name. One that only the
 * server has fails when the server calls it.
 *
 * @param arguments compares types that the client writes
 * @param results compares types that the server writes
 */
record CallbackMatch(Readability arguments, Readability results) {

	/** Returns the reasons why the server cannot call the client's callback. */
	Set<String> differences(ContractType client, ContractType server) {
		Set<String> found = new LinkedHashSet<>();
		MemberMatch match = MemberMatch.ofFields(server, client);
		for (ContractMember called : server.members()) {
			ContractMember answered = match.reader(called);
			if (answered != null) {
				String method = "callback %s.%s".formatted(client.type(), answered.name());
				compare(method, Call.of(answered.type()), Call.of(called.type()), found);
			}
		}
		return found;
	}

	private void compare(String method, Call client, Call server, Set<String> found) {
		if (client.parameters.size() != server.parameters.size()) {
			found.add("%s: %d arguments at the client, %d at the server".formatted(method, client.parameters.size(),
					server.parameters.size()));
			return;
		}
		for (int i = 0; i < client.parameters.size(); i++) {
			found.addAll(this.results.differences("argument %d of %s".formatted(i + 1, method),
					server.parameters.get(i), client.parameters.get(i)));
		}
		if (!server.result.equals(TypeRef.VOID)) {
			found.addAll(this.arguments.differences("result of " + method, client.result, server.result));
		}
		for (TypeRef thrown : client.exceptions) {
			server.exceptions.stream()
				.filter((each) -> this.arguments.isSame(thrown, each))
				.findFirst()
				.ifPresent(
						(caught) -> found.addAll(this.arguments.differences("exception of " + method, thrown, caught)));
		}
	}

	/** Types of one method, as the type of a member has them. */
	private record Call(TypeRef result, List<TypeRef> parameters, List<TypeRef> exceptions) {

		static Call of(TypeRef type) {
			List<TypeRef> all = type.arguments();
			TypeRef last = all.get(all.size() - 1);
			boolean isThrowing = all.size() > 1 && last.name().equals(TypeRef.THROWS);
			return new Call(all.get(0), all.subList(1, all.size() - (isThrowing ? 1 : 0)),
					isThrowing ? last.arguments() : List.of());
		}

	}

}
