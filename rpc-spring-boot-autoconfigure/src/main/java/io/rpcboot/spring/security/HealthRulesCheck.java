package io.rpcboot.spring.security;

import java.util.List;

import io.rpcboot.ServiceId;
import io.rpcboot.spring.autoconfigure.server.RpcServerProperties;
import io.rpcboot.transport.TlsOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of rules that refuse the probes of platforms, because a refused probe looks like
 * a server that is down.
 */
final class HealthRulesCheck {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private static final ServiceId HEALTH = new ServiceId("grpc.health.v1.Health", "", "");

	private HealthRulesCheck() {
	}

	static void check(RuleAuthorizer rules, RpcServerProperties.Ssl ssl) {
		boolean hasStrangers = ssl.mode() != TlsOptions.Mode.REQUIRED || ssl.clientAuth() != TlsOptions.ClientAuth.NEED;
		List<String> refused = List.of("Check", "Watch")
			.stream()
			.filter((method) -> rules.isRefused(HEALTH, method, hasStrangers))
			.toList();
		if (!refused.isEmpty()) {
			logger.warn("RpcSecurity: the rules refuse {} of {}{}, so probes fail (expected: calls.services(\"{}\")"
					+ ".methods(\"Check\", \"Watch\").permitAll() before other rules for it, or rpc.server.grpc.health=false)",
					String.join(" and ", refused), HEALTH.name(), hasStrangers ? " to callers without a proof" : "",
					HEALTH.name());
		}
	}

}
