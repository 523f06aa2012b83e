package io.rpcboot.internal.server.connection.binary;

import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.access.CallerProof;
import io.rpcboot.internal.server.connection.ClientIdentity;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.fixture.HandDrivenConnection;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Credentials;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Credentials of a connection, from their first check to their end. */
class ClientAuthenticationTests {

	private final Principal ann = () -> "ann";

	private final List<String> identities = new ArrayList<>();

	private final List<String> refusals = new ArrayList<>();

	private Instant now = Instant.parse("2026-01-01T00:00:00Z");

	private Instant end = Instant.MAX;

	/** Status with which checks fail, null for none. */
	private RpcStatus failure;

	/** The same for other credentials than those of Ann. */
	private RpcStatus failureOfOthers;

	private int checks;

	private Connection connection;

	private final HandDrivenConnection hand = HandDrivenConnection.open((opened) -> this.connection = opened);

	private final AccessControl control = new AccessControl(
			AccessOptions.defaults().withAuthenticator(this::check).withClearTextCredentials(true), Map.of(),
			Runnable::run, new RateLimitedLogger(getClass().getName(), System::nanoTime), () -> this.now);

	private long nanos;

	private final ClientAuthentication authentication = new ClientAuthentication(new ClientIdentity(this.connection,
			this.control, () -> this.now, () -> this.nanos, new ClientIdentity.Listener() {

				@Override
				public void identified(CallerProof proof) {
					ClientAuthenticationTests.this.identities
						.add((proof.suspended != null) ? proof.suspended.status().name() : proof.identity.getName());
				}

				@Override
				public void refused(AccessDenial why) {
					ClientAuthenticationTests.this.refusals.add(why.message());
				}

				@Override
				public void certificateEnded() {
					throw new AssertionError("no certificate");
				}

			}));

	@AfterEach
	void close() {
		this.authentication.identity.close();
		this.hand.close();
	}

	private CallerIdentity check(Credentials credentials) {
		this.checks++;
		if (this.failureOfOthers != null && !credentials.value().equals("ann")) {
			throw new RpcException(this.failureOfOthers, "no", false);
		}
		if (this.failure != null) {
			throw new RpcException(this.failure, "no", false);
		}
		return CallerIdentity.of(credentials.value().equals("ann") ? this.ann : credentials::value, this.end);
	}

	private void auth(String token) {
		this.authentication.onAuth(false, ("Bearer " + token).getBytes(StandardCharsets.ISO_8859_1));
		this.hand.runTasks();
	}

	/** A timer may schedule a check that is due later. */
	private void pass(long seconds) {
		for (long i = 0; i < seconds; i++) {
			this.now = this.now.plusSeconds(1);
			this.nanos += Duration.ofSeconds(1).toNanos();
			this.hand.pass(Duration.ofSeconds(1).toNanos());
		}
	}

	@Test
	void withdrawnCredentials_endWithinMinute() {
		auth("ann");
		this.authentication.identity.introduced();
		pass(50);
		assertThat(this.checks).isOne();
		pass(20);
		assertThat(this.checks).isEqualTo(2);
		assertThat(this.identities).as("the same answer is no change").containsExactly("ann");
		this.failure = RpcStatus.UNAUTHENTICATED;
		pass(70);
		assertThat(this.identities).containsExactly("ann", "anonymous");
		assertThat(this.refusals).as("the connection stays").isEmpty();
		pass(1000);
		assertThat(this.checks).isEqualTo(3);
	}

	/** For five minutes; the check is repeated each second at most. */
	@Test
	void credentials_hold_whileTheyCannotBeChecked() {
		auth("ann");
		this.authentication.identity.introduced();
		this.failure = RpcStatus.UNAVAILABLE;
		pass(299);
		assertThat(this.identities).containsExactly("ann");
		assertThat(this.checks).isBetween(100, 241);
		pass(2);
		assertThat(this.identities).containsExactly("ann", "UNAVAILABLE");
		pass(1000);
		this.failure = null;
		pass(2);
		assertThat(this.identities).containsExactly("ann", "UNAVAILABLE", "ann");
		assertThat(this.refusals).as("the connection stays").isEmpty();
	}

	@Test
	void withdrawnCredentials_end_whileTheyCouldNotBeChecked() {
		auth("ann");
		this.authentication.identity.introduced();
		this.failure = RpcStatus.RESOURCE_EXHAUSTED;
		pass(400);
		this.failure = RpcStatus.UNAUTHENTICATED;
		pass(2);
		assertThat(this.identities).containsExactly("ann", "UNAVAILABLE", "anonymous");
	}

	/** Others that arrive all the time, valid ones or not, displace no check. */
	@ParameterizedTest
	@EnumSource(names = { "UNAUTHENTICATED", "UNAVAILABLE" })
	void withdrawnCredentials_end_besideMadeUpOnes(RpcStatus ofOthers) {
		auth("ann");
		this.authentication.identity.introduced();
		this.failure = RpcStatus.UNAUTHENTICATED;
		this.failureOfOthers = ofOthers;
		for (int i = 0; i < 300; i++) {
			auth("lie" + i);
			pass(1);
		}
		assertThat(this.identities).containsExactly("ann", "anonymous");
	}

	@Test
	void credentials_endWithTheirTime_besideMadeUpOnes() {
		this.end = this.now.plusSeconds(75);
		auth("ann");
		this.authentication.identity.introduced();
		this.failureOfOthers = RpcStatus.UNAUTHENTICATED;
		for (int i = 0; i < 74; i++) {
			auth("lie" + i);
			pass(1);
		}
		assertThat(this.identities).containsExactly("ann");
		pass(1);
		assertThat(this.identities).containsExactly("ann", "anonymous");
	}

	@Test
	void credentials_endWithTheirTime_andOthersFollow() {
		this.end = this.now.plusSeconds(30);
		auth("ann");
		this.authentication.identity.introduced();
		pass(31);
		assertThat(this.identities).containsExactly("ann", "anonymous");
		this.end = Instant.MAX;
		auth("bob");
		pass(2);
		assertThat(this.identities).containsExactly("ann", "anonymous", "bob");
	}

	/** The older ones hold until they end, and are checked again. */
	@Test
	void refusedRenewal_changesNothing() {
		auth("ann");
		this.authentication.identity.introduced();
		this.failure = RpcStatus.UNAUTHENTICATED;
		auth("bob");
		pass(2);
		assertThat(this.checks).isEqualTo(2);
		this.failure = null;
		pass(70);
		assertThat(this.checks).isEqualTo(3);
		assertThat(this.identities).containsExactly("ann");
	}

	@Test
	void firstCredentials_areRefused() {
		this.failure = RpcStatus.UNAUTHENTICATED;
		auth("ann");
		this.authentication.identity.introduced();
		assertThat(this.refusals).containsExactly("the credentials are not valid");
		assertThat(this.identities).isEmpty();
	}

}
