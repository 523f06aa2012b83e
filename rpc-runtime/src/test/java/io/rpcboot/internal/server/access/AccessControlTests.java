package io.rpcboot.internal.server.access;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Credentials;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Decisions about callers, and the checks of their credentials. */
class AccessControlTests {

	private static final ServiceId ORDERS = new ServiceId("shop.Orders", "", "");

	private static final ServiceId REFLECTION = new ServiceId("grpc.reflection.v1.ServerReflection", "", "");

	private final List<Runnable> checks = new ArrayList<>();

	private final List<String> checked = new ArrayList<>();

	private Instant now = Instant.parse("2026-01-01T00:00:00Z");

	private CallerIdentity check(Credentials credentials) {
		this.checked.add(credentials.value());
		if (credentials.value().equals("broken")) {
			throw new IllegalStateException("no connection to the issuer");
		}
		if (credentials.value().equals("wrong")) {
			throw new RpcException(RpcStatus.UNAUTHENTICATED, "signed by another key", false);
		}
		Principal user = credentials::value;
		return CallerIdentity.of(user,
				credentials.value().startsWith("brief") ? this.now.plusSeconds(10) : Instant.MAX);
	}

	private AccessControl control(AccessOptions options, Map<ServiceId, Set<String>> allowed) {
		return new AccessControl(options, allowed, this.checks::add,
				new RateLimitedLogger(AccessControlTests.class.getName(), System::nanoTime), () -> this.now);
	}

	private AccessControl checking() {
		return control(AccessOptions.defaults().withAuthenticator(this::check), Map.of());
	}

	private void runChecks() {
		List<Runnable> due = List.copyOf(this.checks);
		this.checks.clear();
		due.forEach(Runnable::run);
	}

	private static CompletableFuture<CallerIdentity> authenticate(AccessControl control, String token) {
		return control.authenticate("Bearer " + token, CallerIdentity.anonymous(), "10.0.0.1", true);
	}

	private static AccessDenial refusal(CompletableFuture<CallerIdentity> check) {
		return check.handle((identity, failure) -> AccessControl.refusal(failure)).join();
	}

	private static CallerIdentity certified(String name) {
		return CallerIdentity.ofCertificates(List.of(new Authority()
			.issue((each) -> each.subject("O=Shop, CN=" + name).addSanDnsName(name.replace(':', '-') + ".internal"))
			.getCertificate()));
	}

	@ParameterizedTest
	@CsvSource({ "orders, true", "orders.internal, true", "user:ann, true", "*, true", "ann, false",
			"user:orders, false", "shop, false" })
	void entryOfList_meansNameInCertificateOrPrincipal(String entry, boolean allowed) {
		AccessControl control = control(AccessOptions.defaults(), Map.of(ORDERS, Set.of(entry)));
		CallerIdentity caller = certified("orders").with(() -> "ann", Instant.MAX);
		assertThat(control.decide(caller, ORDERS, "any") == null).isEqualTo(allowed);
		assertThat(control.decide(CallerIdentity.anonymous(), ORDERS, "any"))
			.isEqualTo(new AccessDenial(RpcStatus.UNAUTHENTICATED, "a client certificate or credentials are needed"));
	}

	@Test
	void nameInCertificate_isNoNameOfPrincipal() {
		AccessControl control = control(AccessOptions.defaults(), Map.of(ORDERS, Set.of("user:shared-secret")));
		assertThat(control.decide(certified("user:shared-secret"), ORDERS, "any")).isNotNull();
	}

	@Test
	void reflection_isOpen_toCallersOfAllListedServices() {
		ServiceId bills = new ServiceId("shop.Bills", "", "");
		AccessControl control = control(AccessOptions.defaults(),
				Map.of(ORDERS, Set.of("orders", "admin"), bills, Set.of("admin")));
		assertThat(control.decide(certified("admin"), REFLECTION, "ServerReflectionInfo")).isNull();
		assertThat(control.decide(certified("orders"), REFLECTION, "ServerReflectionInfo")).isNotNull();
	}

	@Test
	void question_isAnswered_toCallersOnListsOfItsServices() {
		ServiceId bills = new ServiceId("shop.Bills", "", "");
		ServiceId open = new ServiceId("shop.Open", "", "");
		AccessControl control = control(AccessOptions.defaults(),
				Map.of(ORDERS, Set.of("orders", "admin"), bills, Set.of("admin")));
		CallerIdentity orders = certified("orders");
		assertThat(control.decide(orders, List.of(ORDERS, open))).isNull();
		assertThat(control.decide(orders, List.of(ORDERS, bills))).isEqualTo(control.decide(orders, List.of()))
			.isNotNull();
		assertThat(control.decide(certified("admin"), List.of())).isNull();
		assertThat(control.decide(CallerIdentity.anonymous(), List.of(open))).isNull();
		assertThat(control.decide(CallerIdentity.anonymous(), List.of())).extracting(AccessDenial::status)
			.isEqualTo(RpcStatus.UNAUTHENTICATED);
	}

	@Test
	void serviceThatDoesNotExist_isRefused_asOneThatIsNotPermitted() {
		AccessControl control = control(AccessOptions.defaults(), Map.of(ORDERS, Set.of("admin")));
		CallerIdentity shop = certified("shop");
		assertThat(control.unknown(shop, new ServiceId("no.Such", "", ""), ""))
			.isEqualTo(control.decide(shop, ORDERS, "any"));
	}

	@Test
	void failingAuthorizer_refuses() {
		AccessControl control = control(AccessOptions.defaults().withAuthorizer((caller, service, method) -> {
			throw new IllegalStateException("on purpose");
		}), Map.of());
		assertThat(control.decide(certified("orders"), ORDERS, "any")).isNotNull();
	}

	@Test
	void list_holdsBesideAuthorizer() {
		AccessControl control = control(
				AccessOptions.defaults().withAuthorizer((caller, service, method) -> method.equals("read")),
				Map.of(ORDERS, Set.of("orders")));
		assertThat(control.decide(certified("orders"), ORDERS, "read")).isNull();
		assertThat(control.decide(certified("orders"), ORDERS, "write")).isNotNull();
		assertThat(control.decide(certified("shop"), ORDERS, "read")).isNotNull();
	}

	@Test
	void sameCredentials_areCheckedOnce_untilAnswerIsOld() {
		AccessControl control = checking();
		CompletableFuture<CallerIdentity> first = authenticate(control, "ann");
		CompletableFuture<CallerIdentity> second = authenticate(control, "ann");
		runChecks();
		assertThat(first).isCompletedWithValueMatching((each) -> each.getName().equals("ann"));
		assertThat(second).isCompletedWithValueMatching((each) -> each.getName().equals("ann"));
		this.now = this.now.plusSeconds(59);
		assertThat(authenticate(control, "ann")).isCompleted();
		assertThat(this.checked).containsExactly("ann");
		this.now = this.now.plusSeconds(2);
		assertThat(authenticate(control, "ann")).isNotDone();
	}

	@Test
	void knownCredentials_areCheckedAgain_whenTheyExpire() {
		AccessControl control = checking();
		authenticate(control, "brief");
		runChecks();
		this.now = this.now.plus(Duration.ofSeconds(10));
		assertThat(authenticate(control, "brief")).isNotDone();
	}

	@Test
	void certificate_staysBesideCredentials() {
		AccessControl control = checking();
		CallerIdentity peer = certified("orders");
		CompletableFuture<CallerIdentity> check = control.authenticate("Bearer ann", peer, "10.0.0.1", true);
		runChecks();
		assertThat(check.join().getName()).isEqualTo("ann");
		assertThat(check.join().names()).isEqualTo(peer.names()).contains("orders", "orders.internal");
	}

	@ParameterizedTest
	@CsvSource({ "wrong, UNAUTHENTICATED, the credentials are not valid",
			"broken, UNAVAILABLE, the server cannot check credentials now" })
	void refusal_doesNotTellReason(String token, RpcStatus status, String message) {
		AccessControl control = checking();
		CompletableFuture<CallerIdentity> check = authenticate(control, token);
		runChecks();
		assertThat(refusal(check)).isEqualTo(new AccessDenial(status, message));
	}

	@ParameterizedTest
	@CsvSource({ "Bearer, malformed", "'', malformed", "'Bearer ', malformed", "Bearer a\u00e9, malformed",
			"Bearer a\u0000b, malformed" })
	void malformedCredentials_costNoCheck(String header, String reason) {
		AccessControl control = checking();
		assertThat(refusal(control.authenticate(header, CallerIdentity.anonymous(), "10.0.0.1", true)).message())
			.contains(reason);
		assertThat(refusal(authenticate(control, "x".repeat(1 << 20))).message()).contains("malformed");
		assertThat(this.checks).isEmpty();
	}

	@Test
	void credentialsOverClearText_areRefused_unlessAllowed() {
		assertThat(
				refusal(checking().authenticate("Bearer ann", CallerIdentity.anonymous(), "10.0.0.1", false)).message())
			.isEqualTo("credentials came over clear text (expected: TLS)");
		assertThat(this.checks).isEmpty();
		AccessControl open = control(
				AccessOptions.defaults().withAuthenticator(this::check).withClearTextCredentials(true), Map.of());
		open.authenticate("Bearer ann", CallerIdentity.anonymous(), "10.0.0.1", false);
		assertThat(this.checks).hasSize(1);
	}

	@Test
	void checks_areBounded_forEachHost() {
		AccessControl control = checking();
		for (int i = 0; i < 16; i++) {
			assertThat(authenticate(control, "token" + i)).isNotDone();
		}
		assertThat(refusal(authenticate(control, "more")).status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
		assertThat(control.authenticate("Bearer other", CallerIdentity.anonymous(), "10.0.0.2", true)).isNotDone();
		runChecks();
		assertThat(authenticate(control, "more")).isNotDone();
	}

	/** A newcomer has one, and its turn after one of each other network. */
	@Test
	void checks_takeTurnsAndAreBounded_forAllHosts() {
		AccessControl control = checking();
		for (int i = 0; i < 256; i++) {
			control.authenticate("Bearer token" + i, CallerIdentity.anonymous(), "10.0.0." + i / 16, true);
		}
		CompletableFuture<CallerIdentity> first = control.authenticate("Bearer first", CallerIdentity.anonymous(),
				"10.0.9.9", true);
		assertThat(this.checks).hasSize(257);
		assertThat(refusal(control.authenticate("Bearer more", CallerIdentity.anonymous(), "10.0.9.9", true)).status())
			.isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
		this.checks.subList(0, 16).forEach(Runnable::run);
		assertThat(first).isNotDone();
		this.checks.get(16).run();
		assertThat(first).isCompleted();
		assertThat(this.checked).startsWith("token0", "token16", "token32").endsWith("first");
		this.checks.subList(17, 257).forEach(Runnable::run);
		assertThat(this.checked).hasSize(257).doesNotHaveDuplicates();
	}

	/** Checks of connections have a share of their own beside all others. */
	@Test
	void checksOfCredentialsInUse_takeTurnsWithOthers() {
		AccessControl control = checking();
		for (int i = 0; i < 16; i++) {
			authenticate(control, "lie" + i);
		}
		assertThat(refusal(authenticate(control, "more")).status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED);
		CompletableFuture<CallerIdentity> again = control.identifyAgain("Bearer ann", "10.0.0.1:7");
		CompletableFuture<CallerIdentity> same = control.identifyAgain("Bearer ann", "10.0.0.2:7");
		this.checks.subList(0, 2).forEach(Runnable::run);
		assertThat(again).isCompletedWithValueMatching((each) -> each.getName().equals("ann"));
		assertThat(same).isCompleted();
		assertThat(this.checked).containsExactly("lie0", "ann");
	}

	/** However many networks of strangers there are. */
	@Test
	void networksWithValidCheck_takeTurnsWithOthers() {
		AccessControl control = checking();
		authenticate(control, "first");
		runChecks();
		for (int i = 0; i < 120; i++) {
			control.authenticate("Bearer wrong", CallerIdentity.anonymous(), "10.1.0." + i, true);
			control.authenticate("Bearer lie" + i, CallerIdentity.anonymous(), "10.2.0." + i, true);
		}
		CompletableFuture<CallerIdentity> known = authenticate(control, "second");
		this.checks.subList(0, 2).forEach(Runnable::run);
		assertThat(known).isCompleted();
	}

}
