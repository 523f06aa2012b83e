package io.rpcboot.spring.security;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.rpcboot.ServiceId;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.DefaultAuthenticationEventPublisher;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.event.AbstractAuthenticationEvent;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationEventPublisher;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;

import static org.assertj.core.api.Assertions.assertThat;

class SecurityEventsTests {

	private final Queue<Object> published = new ConcurrentLinkedQueue<>();

	private final AtomicLong nanos = new AtomicLong();

	private final SecurityEvents events = new SecurityEvents(
			new DefaultAuthenticationEventPublisher((ApplicationEventPublisher) this.published::add), new Denials(),
			this.nanos::get);

	@AfterEach
	void close() {
		this.events.close();
	}

	@Test
	void denials_arePublishedOnceASecond_forEachCallerAndRule() {
		CallRule rule = new CallRule(List.of("*"), List.of("*"), (caller, call) -> null, "access(...)");
		for (int i = 0; i < 1_000; i++) {
			denied("doug", rule);
			denied("doug", null);
			denied("ann", rule);
		}
		Applications.eventually(() -> this.published.size() == 3);
		this.nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
		denied("doug", rule);
		Applications.eventually(() -> this.published.size() == 4);
		assertThat(this.published).containsExactly("doug", "doug", "ann", "doug");
	}

	@Test
	void failures_arePublishedOnceASecond_forEachKind() {
		for (int i = 0; i < 1_000; i++) {
			this.events.failed(new BadCredentialsException("bad"), "Bearer credentials of " + i + " characters");
			this.events.failed(new LockedException("locked"), "Bearer credentials");
		}
		Applications.eventually(() -> this.published.size() == 2);
		assertThat(((AbstractAuthenticationEvent) this.published.element()).getAuthentication().getName())
			.isEqualTo("Bearer credentials of 0 characters");
	}

	private void denied(String name, CallRule rule) {
		CallerIdentity caller = CallerIdentity.of(() -> name, java.time.Instant.MAX);
		this.events.denied(() -> new CallerAuthentications((any) -> List.of()).of(caller),
				new CallAuthorizationContext(caller, new ServiceId("Vault", "", ""), "open"),
				new AuthorizationDecision(false), rule);
	}

	private final class Denials implements AuthorizationEventPublisher {

		@Override
		public <T> void publishAuthorizationEvent(Supplier<Authentication> caller, T call, AuthorizationResult result) {
			SecurityEventsTests.this.published.add(caller.get().getName());
		}

	}

}
