package io.rpcboot.engine.contract;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests calls with an {@code Iterable} that is no collection, such as a cursor. */
class IterableIntegrationTests {

	private final AtomicInteger iterations = new AtomicInteger();

	/** Numbers that can be iterated once. */
	private Iterable<Integer> cursor(int count) {
		Iterator<Integer> numbers = IntStream.range(0, count).iterator();
		return () -> {
			assertThat(Thread.currentThread().getName()).doesNotContain("-io-");
			this.iterations.incrementAndGet();
			return numbers;
		};
	}

	private final class Implementation implements Numbers {

		@Override
		public Iterable<Integer> upTo(int count) {
			return cursor(count);
		}

		@Override
		public CompletableFuture<Iterable<Integer>> later(int count) {
			return CompletableFuture.supplyAsync(() -> cursor(count));
		}

		@Override
		public Iterable<Integer> listUpTo(int count) {
			return IntStream.range(0, count).boxed().toList();
		}

		@Override
		public long count(Iterable<Integer> numbers) {
			return StreamSupport.stream(numbers.spliterator(), false).count();
		}

	}

	private RpcServer server(Dispatch dispatch) {
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(ServiceDescriptor.of(Numbers.class), Implementation::new,
					ServiceOptions.defaults().withDispatch(dispatch))
			.start();
	}

	private static Numbers reference(RpcClient client, RpcServer server, Protocol protocol) {
		return client.reference(Numbers.class,
				ReferenceOptions.defaults()
					.withEndpoints(new Endpoint("127.0.0.1", server.port()))
					.withWaitForInstance(Duration.ofSeconds(20))
					.withProtocol(protocol));
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void cursor_isIteratedOnce_byTheThreadOfItsSide(Protocol protocol) throws Exception {
		try (RpcServer server = server(Dispatch.POOL); RpcClient client = RpcClient.builder().build()) {
			Numbers numbers = reference(client, server, protocol);
			assertThat(numbers.upTo(3)).isInstanceOf(List.class).containsExactly(0, 1, 2);
			assertThat(numbers.later(100_000).get()).hasSize(100_000);
			assertThat(numbers.count(cursor(20_000))).isEqualTo(20_000);
			assertThat(numbers.count(cursor(0))).isZero();
			assertThat(this.iterations).hasValue(4);
		}
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void eventLoop_sendsCollectionsAlone(Protocol protocol) {
		try (RpcServer server = server(Dispatch.EVENT_LOOP); RpcClient client = RpcClient.builder().build()) {
			Numbers numbers = reference(client, server, protocol);
			assertThat(numbers.listUpTo(3)).containsExactly(0, 1, 2);
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> numbers.upTo(3))
				.withMessageContaining("on an event loop, which its iteration could block");
			assertThat(this.iterations).hasValue(0);
		}
	}

	/** A service with sequences. */
	public interface Numbers {

		Iterable<Integer> upTo(int count);

		CompletableFuture<Iterable<Integer>> later(int count);

		Iterable<Integer> listUpTo(int count);

		long count(Iterable<Integer> numbers);

	}

}
