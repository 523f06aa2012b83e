package io.rpcboot.spring.security;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.server.ServiceInfo;
import io.rpcboot.spring.autoconfigure.properties.DidYouMean;
import org.jspecify.annotations.Nullable;

/**
 * Finds rules that name no service or method of the server, which are misspelled. Those
 * for services of the server itself, such as health, may be left out of its options.
 */
final class RuleNamesCheck {

	private static final String OF_SERVER = "grpc.";

	private final List<ServiceInfo> offered;

	RuleNamesCheck(List<ServiceInfo> offered) {
		this.offered = offered;
	}

	/**
	 * Returns the first mistake in rules.
	 * @return null if there is none
	 */
	@Nullable RpcConfigurationException mistake(List<CallRule> rules) {
		for (CallRule rule : rules) {
			RpcConfigurationException found = mistake(rule);
			if (found != null) {
				return found;
			}
		}
		return null;
	}

	private @Nullable RpcConfigurationException mistake(CallRule rule) {
		boolean hasUnknownMethods = false;
		for (String service : rule.services()) {
			if (service.startsWith(OF_SERVER) || service.equals("*")) {
				hasUnknownMethods = true;
			}
			else if (matching(List.of(service)).isEmpty()) {
				return mistake("service '%s'".formatted(service), service,
						this.offered.stream().map((each) -> each.service().name()).collect(Collectors.toSet()));
			}
		}
		if (hasUnknownMethods) {
			return null;
		}
		Set<String> known = matching(rule.services()).stream()
			.flatMap((each) -> each.methods().stream())
			.map((signature) -> signature.replaceFirst("\\(.*", ""))
			.collect(Collectors.toCollection(TreeSet::new));
		for (String method : rule.methods()) {
			if (known.stream().noneMatch((each) -> CallRule.isOneOf(List.of(method), each))) {
				return mistake("method '%s' of %s".formatted(method, rule.services()), method, known);
			}
		}
		return null;
	}

	private List<ServiceInfo> matching(List<String> services) {
		return this.offered.stream().filter((each) -> CallRule.isService(services, each.service().name())).toList();
	}

	private static RpcConfigurationException mistake(String named, String name, Set<String> known) {
		String meant = DidYouMean.CLOSE.meant(name, known);
		return new RpcConfigurationException(
				"RpcSecurity: a rule names %s, which the server does not offer (expected: one of %s)".formatted(named,
						new TreeSet<>(known)),
				(meant != null) ? "Did you mean '%s'?".formatted(meant) : "Correct the rule, or remove it.");
	}

}
