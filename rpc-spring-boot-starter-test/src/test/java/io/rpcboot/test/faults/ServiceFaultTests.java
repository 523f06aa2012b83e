package io.rpcboot.test.faults;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.RpcStream;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.test.RpcFaults;
import io.rpcboot.test.RpcTest;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** Faults stand before the calls of a service, and leave its bean alone. */
@RpcTest
class ServiceFaultTests {

	@RpcReference
	private Orders orders;

	@RpcReference
	private Rows rows;

	@RpcReference(timeout = "1s")
	private Rows impatient;

	@RpcReference
	private Numbers numbers;

	@Autowired
	private RowService service;

	@Test
	void localCall_hasNoFaults(RpcFaults faults) {
		faults.drop(Rows.class);
		assertThat(this.orders.place("chair")).isEqualTo("chair ordered");
		faults.delay(Rows.class, Duration.ofMinutes(1));
		assertThat(this.orders.place("bed")).isEqualTo("bed ordered");
	}

	@Test
	void serviceBean_isNotProxied() {
		int before = this.service.calls.size();
		assertThat(this.rows.add("chair")).isEqualTo("chair");
		assertThat(this.service.getClass()).isEqualTo(RowService.class);
		assertThat(this.service.calls).hasSize(before + 1);
	}

	@Test
	void defaultMethod_hasFaultsOfItsCalls(RpcFaults faults) {
		await().ignoreExceptions().until(() -> this.rows.addTwice("table").equals("table"));
		int before = this.service.calls.size();
		assertThat(this.rows.addTwice("lamp")).isEqualTo("lamp");
		assertThat(this.service.calls).hasSize(before + 2);
		faults.refuse(Rows.class, RpcStatus.UNAVAILABLE);
		assertThat(this.rows.describe()).as("no call").isEqualTo("rows");
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.rows.addTwice("bed"))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE));
	}

	@Test
	void droppedCall_passesServiceInterceptors(RpcFaults faults) {
		await().ignoreExceptions().until(() -> this.impatient.add("table").equals("table"));
		int passed = Passing.methods.size();
		int before = this.service.calls.size();
		faults.drop(Rows.class);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.impatient.add("chair"))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
		assertThat(Passing.methods).hasSize(passed + 1);
		assertThat(this.service.calls).hasSize(before);
	}

	@Test
	void stream_stalls_untilItIsHealed(RpcFaults faults) {
		faults.stall(Numbers.class, 3);
		assertThat(this.numbers.flux(3).collectList().block()).as("none is missing").containsExactly(0, 1, 2);
		Queue<Integer> taken = new ConcurrentLinkedQueue<>();
		CompletableFuture<?> end = this.numbers.flux(10).doOnNext(taken::add).then().toFuture();
		CompletableFuture<?> pushed = this.numbers.pushed(10).forEach(taken::add);
		CompletableFuture<List<Integer>> all = CompletableFuture.supplyAsync(() -> this.numbers.stream(10).toList());
		await().until(() -> taken.size() == 6);
		assertThat(end).isNotDone();
		assertThat(pushed).isNotDone();
		assertThat(all).isNotDone();
		faults.heal(Numbers.class);
		assertThat(all.join()).hasSize(10);
		end.join();
		pushed.join();
		assertThat(taken).hasSize(20);
	}

	@Test
	void stream_endsBehindSomeElements(RpcFaults faults) throws Exception {
		for (int count : new int[] { 0, 3 }) {
			faults.end(Numbers.class, count);
			List<Integer> taken = new ArrayList<>();
			assertEnds(() -> this.numbers.flux(10).doOnNext(taken::add).blockLast());
			assertThat(taken).hasSize(count);
			assertEnds(() -> this.numbers.stream(10).forEach(taken::add));
			assertThat(taken).hasSize(2 * count);
			assertEnds(() -> this.numbers.iterator(10).forEachRemaining(taken::add));
			assertThat(taken).hasSize(3 * count);
		}
		faults.end(Numbers.class, 1);
		InputStream bytes = this.numbers.bytes(200_000);
		assertThat(bytes.readNBytes(10)).hasSize(10);
		assertThatIOException().isThrownBy(bytes::readAllBytes).withMessageContaining("the test ends the stream");
		faults.heal(Numbers.class);
		assertThat(this.numbers.bytes(200_000).readAllBytes()).hasSize(200_000);
		assertThat(this.numbers.flux(10).count().block()).isEqualTo(10);
	}

	private static void assertEnds(ThrowingCallable call) {
		assertThatExceptionOfType(RpcException.class).isThrownBy(call)
			.withMessageContaining("the test ends the stream")
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNAVAILABLE));
	}

	@Test
	void wrongNumberOfElements_isRefused(RpcFaults faults) {
		assertThatIllegalArgumentException().isThrownBy(() -> faults.stall(Numbers.class, -1))
			.withMessage("elements: -1 (expected: 0 or more)");
		assertThatIllegalArgumentException().isThrownBy(() -> faults.end(Runnable.class, 1))
			.withMessageContaining("end: java.lang.Runnable");
	}

	public interface Numbers {

		Flux<Integer> flux(int count);

		RpcStream<Integer> pushed(int count);

		Stream<Integer> stream(int count);

		Iterator<Integer> iterator(int count);

		InputStream bytes(int length);

	}

	@RpcService
	static class NumberService implements Numbers {

		@Override
		public Flux<Integer> flux(int count) {
			return Flux.range(0, count);
		}

		@Override
		public RpcStream<Integer> pushed(int count) {
			return RpcStream.from(JdkFlowAdapter.publisherToFlowPublisher(flux(count)));
		}

		@Override
		public Stream<Integer> stream(int count) {
			return IntStream.range(0, count).boxed();
		}

		@Override
		public Iterator<Integer> iterator(int count) {
			return stream(count).iterator();
		}

		@Override
		public InputStream bytes(int length) {
			return new ByteArrayInputStream(new byte[length]);
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@ComponentScan
	static class Application {

	}

	public interface Orders {

		String place(String article);

	}

	public interface Rows {

		String add(String row);

		default String addTwice(String row) {
			add(row);
			return add(row);
		}

		default String describe() {
			return "rows";
		}

	}

	@RpcService
	static class OrderService implements Orders {

		private final Rows rows;

		OrderService(RowService rows) {
			this.rows = rows;
		}

		@Override
		public String place(String article) {
			return this.rows.add(article) + " ordered";
		}

	}

	@RpcService(interceptors = Passing.class)
	static class RowService implements Rows {

		final List<String> calls = new CopyOnWriteArrayList<>();

		@Override
		public final String add(String row) {
			this.calls.add(row);
			return row;
		}

	}

	static class Passing implements RpcServerInterceptor {

		static final List<String> methods = new CopyOnWriteArrayList<>();

		@Override
		public Object intercept(ServerInvocation call) throws Throwable {
			methods.add(call.method().name());
			return call.proceed();
		}

	}

}
