package io.rpcboot.client;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.registry.InMemoryRegistry;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests the rules for the function of a broadcast and for the objects that can be
 * broadcast to.
 */
class BroadcastTests {

	/** A type of its own for each key. */
	public interface Keyed<K> {

		int evict(K key);

		default int evictNothing() {
			return evict(null);
		}

	}

	/** The service. */
	public interface Cache extends Keyed<String> {

		@Override
		int evict(String key);

		void clear();

		CompletableFuture<Integer> evictLater(String key);

		String read(String key) throws IOException;

	}

	private final InMemoryRegistry registry = new InMemoryRegistry();

	private final RpcClient client = RpcClient.builder().registry(this.registry).build();

	private final Cache cache = this.client.reference(Cache.class,
			ReferenceOptions.defaults().withWaitForInstance(Duration.ZERO));

	@AfterEach
	void close() {
		this.client.close();
		this.registry.close();
	}

	private static void assertRefused(String why, ThrowingCallable code) {
		assertThatIllegalArgumentException().isThrownBy(code).withMessageContaining(why);
	}

	@Test
	void broadcast_isRejected_unlessMadeToReference() {
		assertRefused("expected: the proxy that @RpcReference or RpcClient.reference made",
				() -> Broadcast.to("a text"));
		Runnable another = (Runnable) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Runnable.class }, (self, method, arguments) -> null);
		assertRefused("jdk.proxy", () -> Broadcast.to(another));
	}

	@Test
	void function_isRejected_unlessItMakesOneCall() {
		Broadcast<Cache> all = Broadcast.to(this.cache);
		assertRefused("makes 0 calls", () -> all.call((each) -> 1));
		assertRefused("makes 0 calls", () -> all.run(Object::toString));
		assertRefused("makes 2 calls", () -> all.run((each) -> {
			each.clear();
			each.clear();
		}));
	}

	@Test
	void function_isRejected_unlessItReturnsResultOfItsCall() {
		Broadcast<Cache> all = Broadcast.to(this.cache);
		assertRefused("other than the result", () -> all.call((each) -> each.evict("a") + 1));
		assertRefused("other than the result",
				() -> all.callFuture((each) -> each.evictLater("a").thenApply((found) -> found + 1)));
		assertRefused("has thrown java.lang.NullPointerException", () -> all.call((each) -> each.read("a").length()));
		assertRefused("use callFuture", () -> all.call((each) -> each.evictLater("a")));
	}

	@Test
	void genericDefaultAndNullCalls_areAccepted() {
		Broadcast<Cache> all = Broadcast.to(this.cache);
		Keyed<String> keyed = this.cache;
		assertNoInstance(() -> Broadcast.to(keyed).call((each) -> each.evict("a")));
		assertNoInstance(() -> all.call(Keyed::evictNothing));
		assertNoInstance(() -> all.call((each) -> each.read(null)));
	}

	@Test
	void broadcast_fails_withoutInstance() {
		Broadcast<Cache> all = Broadcast.to(this.cache);
		assertThat(all).hasToString("broadcast to reference to " + Cache.class.getName());
		assertNoInstance(() -> all.run(Cache::clear));
		assertThat(all.callFuture((each) -> each.evictLater("a"))).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.withCauseInstanceOf(RpcException.class);
	}

	private static void assertNoInstance(ThrowingCallable code) {
		assertThatExceptionOfType(RpcException.class).isThrownBy(code)
			.matches((ex) -> ex.status() == RpcStatus.UNAVAILABLE && !ex.mayHaveExecuted())
			.withMessageContaining("no instance of it is known");
	}

}
