package io.rpcboot.spring.security;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.spring.security.SecuredApplication.VaultService;
import io.rpcboot.spring.security.Vault.Key;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.annotation.Bean;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.core.authority.AuthorityUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Service x method x identity x rule, over both protocols. A denial leaves implementation
 * and arguments untouched.
 */
class AuthorizationTableIntegrationTests {

	/** Outcome by identity: ok, or U for UNAUTHENTICATED, P for PERMISSION_DENIED. */
	private static final String TABLE = """
			service  method rule                          | none alpha beta  scope other expired secret
			Vault    open   hasAuthority('SCOPE_vault')   | U    P     P     ok    P     U       P
			Vault    list   authenticated()               | U    ok    ok    ok    ok    U       ok
			Vault    ping   permitAll()                   | ok   ok    ok    ok    ok    U       ok
			Vault    burn   denyAll()                     | U    P     P     P     P     U       P
			Vault    count  hasCertificate('../alpha')   | U    ok    P     P     P     U       P
			Vault    audit  access(name)                  | U    P     ok    P     P     U       P
			Vault    clean  hasRole('CLERK')              | U    ok    P     P     P     U       P
			Archive  open   permitAll(),allow=[alpha,user]| U    ok    P     P     P     U       ok
			Cellar   open   none                          | U    P     P     P     P     U       P
			""";

	private static final Map<String, BiFunction<Object, Key, String>> METHODS = Map.of("Vault/open",
			(service, key) -> ((Vault) service).open(key), "Vault/list", (service, key) -> ((Vault) service).list(key),
			"Vault/ping", (service, key) -> ((Vault) service).ping(key), "Vault/burn",
			(service, key) -> ((Vault) service).burn(key), "Vault/count",
			(service, key) -> ((Vault) service).count(key), "Vault/audit",
			(service, key) -> ((Vault) service).audit(key), "Vault/clean",
			(service, key) -> ((Vault) service).clean(key), "Archive/open",
			(service, key) -> ((Vault.Archive) service).open(key), "Cellar/open",
			(service, key) -> ((Vault.Cellar) service).open(key));

	private static final Map<String, Class<?>> SERVICES = Map.of("Vault", Vault.class, "Archive", Vault.Archive.class,
			"Cellar", Vault.Cellar.class);

	@TempDir
	static Path files;

	private static SecuredApplication application;

	private static final Map<String, Object> references = new HashMap<>();

	@BeforeAll
	static void start() {
		application = new SecuredApplication(files, Map.of("rpc.server.auth.secret", SecuredApplication.SECRET,
				"rpc.server.services.Archive.allow", "alpha,user:shared-secret"), SecuredApplication.Decoder.class,
				VaultService.class, Rules.class);
	}

	@AfterAll
	static void stop() {
		application.close();
		references.clear();
	}

	static Stream<Arguments> rows() {
		List<String> lines = TABLE.lines().toList();
		String[] identities = lines.get(0).split("\\|")[1].trim().split(" +");
		List<Arguments> rows = new ArrayList<>();
		for (String line : lines.subList(1, lines.size())) {
			String[] named = line.split("\\|")[0].trim().split(" +", 3);
			String[] outcomes = line.split("\\|")[1].trim().split(" +");
			for (Protocol protocol : List.of(Protocol.NATIVE, Protocol.GRPC)) {
				for (int i = 0; i < identities.length; i++) {
					rows.add(Arguments.of(protocol, named[0], named[1], named[2], identities[i], outcomes[i]));
				}
			}
		}
		return rows.stream();
	}

	@ParameterizedTest(name = "{0} {1}.{2} with {3} by {4}: {5}")
	@MethodSource("rows")
	void call_isPermittedOrDenied_byRule(Protocol protocol, String service, String method, String rule, String identity,
			String outcome) {
		Object reference = reference(protocol, service, identity);
		VaultService implementation = application.context.getBean(VaultService.class);
		Key key = new Key("key");
		int calls = implementation.calls.get();
		int made = Key.MADE.get();
		if (outcome.equals("ok")) {
			assertThat(METHODS.get(service + "/" + method).apply(reference, key)).isEqualTo("key");
			assertThat(implementation.calls).hasValue(calls + 1);
			assertThat(Key.MADE).hasValue(made + 1);
			return;
		}
		RpcException denial = catchThrowableOfType(RpcException.class,
				() -> METHODS.get(service + "/" + method).apply(reference, key));
		assertThat(denial).isNotNull();
		assertThat(denial.status()).hasToString(outcome.equals("U") ? "UNAUTHENTICATED" : "PERMISSION_DENIED");
		assertThat(denial.mayHaveExecuted()).isFalse();
		assertThat(implementation.calls).as("calls of the implementation").hasValue(calls);
		assertThat(Key.MADE).as("arguments read").hasValue(made);
	}

	private static Object reference(Protocol protocol, String service, String identity) {
		return references.computeIfAbsent(protocol + service + identity,
				(any) -> application.service(SERVICES.get(service), protocol, switch (identity) {
					case "alpha", "beta" -> identity;
					default -> "";
				}, switch (identity) {
					case "scope" -> "Bearer " + Tokens.ISSUER.token("vault");
					case "other" -> "Bearer " + Tokens.ISSUER.token("kitchen");
					case "expired" ->
						"Bearer " + Tokens.ISSUER.token("vault", "vault", Instant.now().minusSeconds(3600));
					case "secret" -> "Bearer " + SecuredApplication.SECRET;
					default -> "";
				}));
	}

	static class Rules {

		@Bean
		RpcSecurity rpcSecurity() {
			return RpcSecurity
				.authorizeCalls((calls) -> calls.services(Vault.class)
					.methods("open")
					.hasAuthority("SCOPE_vault")
					.services(Vault.class)
					.methods("list")
					.authenticated()
					.services("*.Vault")
					.methods("pi*")
					.permitAll()
					.services(Vault.class)
					.methods("burn")
					.denyAll()
					.services(Vault.class)
					.methods("count")
					.hasCertificate("spiffe://*/alpha", "gamma")
					.services(Vault.class)
					.methods("audit")
					.access((authentication, call) -> new AuthorizationDecision(call.caller().names().contains("beta")))
					.services(Vault.class)
					.methods("clean")
					.hasRole("CLERK")
					.services(Vault.Archive.class)
					.permitAll())
				.withAuthorities((caller) -> caller.names().contains("alpha")
						? AuthorityUtils.createAuthorityList("ROLE_CLERK") : List.of());
		}

	}

}
