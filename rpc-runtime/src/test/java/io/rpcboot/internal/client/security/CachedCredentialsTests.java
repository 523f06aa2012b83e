package io.rpcboot.internal.client.security;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.channel.embedded.EmbeddedChannel;
import io.rpcboot.security.Credentials;
import io.rpcboot.security.CredentialsProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** When a provider is asked, by a clock of the test. */
class CachedCredentialsTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private final EmbeddedChannel loop = new EmbeddedChannel();

	private final List<Runnable> tasks = new ArrayList<>();

	private final AtomicInteger asked = new AtomicInteger();

	private Duration life = Duration.ofMinutes(10);

	private String token = "a";

	private boolean fails;

	private Instant now = START;

	CachedCredentialsTests() {
		this.loop.freezeTime();
	}

	private CachedCredentials credentials() {
		CredentialsProvider provider = () -> {
			this.asked.incrementAndGet();
			if (this.fails) {
				throw new IllegalStateException("away");
			}
			return Credentials.bearer(this.token).until(this.now.plus(this.life));
		};
		return new CachedCredentials(provider, this.tasks::add, this.loop.eventLoop(), () -> this.now);
	}

	/** Runs the provider where it was asked. */
	private void answer() {
		List<Runnable> due = List.copyOf(this.tasks);
		this.tasks.clear();
		due.forEach(Runnable::run);
	}

	private void pass(Duration time) {
		this.now = this.now.plus(time);
		this.loop.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
		this.loop.runScheduledPendingTasks();
	}

	private List<String> await(CachedCredentials credentials) {
		List<String> results = new ArrayList<>();
		credentials.await(Duration.ofSeconds(3), results::add);
		return results;
	}

	@Test
	void provider_isAskedOnce_whenFirstNeeded() {
		CachedCredentials credentials = credentials();
		assertThat(this.tasks).isEmpty();
		List<String> first = await(credentials);
		List<String> second = await(credentials);
		assertThat(first).isEmpty();
		answer();
		assertThat(this.asked).hasValue(1);
		assertThat(first).containsExactly("");
		assertThat(second).containsExactly("");
		assertThat(credentials.areValid()).isTrue();
		assertThat(credentials.toString()).doesNotContain("Bearer");
	}

	@ParameterizedTest
	@CsvSource({ "600, 480", "300, 240", "100, 70", "61, 31", "40, 20", "10, 5", "3, 2" })
	void credentials_areRenewed_beforeTheyExpire(int life, int pause) {
		this.life = Duration.ofSeconds(life);
		CachedCredentials credentials = credentials();
		await(credentials);
		answer();
		pass(Duration.ofSeconds(pause).minusMillis(1));
		assertThat(this.tasks).isEmpty();
		pass(Duration.ofMillis(1));
		assertThat(this.tasks).hasSize(1);
	}

	@Test
	void failedRenewal_leavesOlderCredentials_andIsRepeatedLessAndLessOften() {
		CachedCredentials credentials = credentials();
		await(credentials);
		answer();
		this.fails = true;
		pass(Duration.ofSeconds(480));
		answer();
		assertThat(this.asked).hasValue(2);
		for (int i = 0; i < 119; i++) {
			pass(Duration.ofSeconds(1));
			answer();
		}
		assertThat(credentials.areValid()).isTrue();
		assertThat(this.asked.get()).as("questions in two minutes").isBetween(12, 20);
		pass(Duration.ofSeconds(1));
		answer(); // a question may be open: the pauses between them are random
		assertThat(credentials.areValid()).isFalse();
		assertThat(await(credentials)).as("at once").containsExactly("no credentials: away");
	}

	@Test
	void listeners_hearOfOtherCredentials_only() {
		CachedCredentials credentials = credentials();
		AtomicInteger heard = new AtomicInteger();
		credentials.onRenewal(heard::incrementAndGet);
		await(credentials);
		answer();
		assertThat(heard).hasValue(1);
		pass(Duration.ofSeconds(480));
		answer();
		assertThat(heard).as("the same token").hasValue(1);
		this.token = "b";
		pass(Duration.ofSeconds(480));
		answer();
		assertThat(heard).hasValue(2);
	}

	@Test
	void refusedCredentials_areReplaced_notMoreOftenThanEach5Seconds() {
		CachedCredentials credentials = credentials();
		await(credentials);
		answer();
		credentials.refused();
		assertThat(this.tasks).isEmpty();
		pass(Duration.ofSeconds(5));
		for (int i = 0; i < 10; i++) {
			credentials.refused();
		}
		assertThat(this.tasks).hasSize(1);
		answer();
		pass(Duration.ofSeconds(479));
		assertThat(this.tasks).as("one renewal at a time").isEmpty();
		pass(Duration.ofSeconds(1));
		assertThat(this.tasks).hasSize(1);
	}

	@Test
	void doubtedCredentials_areAskedForOnce_untilTheyAreRenewed() {
		CachedCredentials credentials = credentials();
		await(credentials);
		answer();
		for (int i = 0; i < 5; i++) {
			pass(Duration.ofSeconds(6));
			this.token = "other " + i;
			credentials.doubted();
			answer();
		}
		assertThat(this.asked).as("the first question, and one for all doubts").hasValue(2);
		pass(this.life);
		answer();
		credentials.doubted();
		pass(Duration.ofSeconds(6));
		credentials.doubted();
		answer();
		assertThat(this.asked).as("renewed, then doubted").hasValue(4);
	}

	@Test
	void expiredAnswer_isNoAnswer() {
		this.life = Duration.ZERO;
		CachedCredentials credentials = credentials();
		List<String> result = await(credentials);
		answer();
		assertThat(result).containsExactly("the provider of credentials has returned none that are valid now");
	}

	@Test
	void slowProvider_isAwaited_forLimitedTime() {
		CachedCredentials credentials = credentials();
		List<String> result = await(credentials);
		pass(Duration.ofSeconds(3));
		assertThat(result).containsExactly("no answer of the provider of credentials within 3000 ms");
		answer();
		assertThat(result).hasSize(1);
		assertThat(credentials.areValid()).isTrue();
	}

}
