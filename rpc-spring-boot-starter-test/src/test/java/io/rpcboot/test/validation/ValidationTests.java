package io.rpcboot.test.validation;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcContext;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.test.RpcTest;
import io.rpcboot.test.validation.Orders.Line;
import io.rpcboot.test.validation.Orders.Order;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Constraints of the interface, checked by the server. */
@RpcTest
class ValidationTests {

	private static final Order GOOD = new Order("Ada", List.of(new Line(1)));

	private static final BlockingQueue<String> notes = new LinkedBlockingQueue<>();

	@RpcReference
	private Orders orders;

	@RpcReference
	private Plain plain;

	@Test
	void validArguments_reachService() throws Exception {
		assertThat(this.orders.place(GOOD, 2)).isEqualTo("Ada 2");
		assertThat(this.orders.placeLater(null, GOOD).get()).isEqualTo("Ada of true");
		this.orders.note("hello");
		assertThat(notes.poll(10, TimeUnit.SECONDS)).isEqualTo("hello");
		assertThat(this.orders.free("")).isEmpty();
		assertThat(this.plain.same("")).isEmpty();
	}

	@Test
	void violations_areNamedByPath() {
		Order bad = new Order(" ", List.of(new Line(1), new Line(0)));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.orders.place(bad, -1))
			.withMessageContaining("INVALID_ARGUMENT")
			.withMessageContaining(
					"3 invalid arguments: copies: must be greater than 0; order.customer: must not be blank;"
							+ " order.lines[1].amount: must be greater than 0; it did not execute")
			.matches((ex) -> ex.status() == RpcStatus.INVALID_ARGUMENT && !ex.mayHaveExecuted())
			.satisfies((ex) -> assertThat(ex.replyAttachments().get("violations")).isEqualTo(
					"copies: must be greater than 0\norder.customer: must not be blank\norder.lines[1].amount: must be greater than 0"));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.orders.place(null, 1))
			.withMessageContaining("order: must not be null");
	}

	@Test
	void futureAndOneWayCalls_areValidated() throws Exception {
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> this.orders.placeLater(null, new Order("", List.of())).get())
			.withMessageContaining("order.customer: must not be blank");
		this.orders.note(" ");
		this.orders.note("after");
		assertThat(notes.poll(10, TimeUnit.SECONDS)).as("the first was dropped").isEqualTo("after");
	}

	@Test
	void validationGroups_areTakenFromMethod() {
		assertThat(this.orders.strict(-1, "abc")).isEqualTo("abc");
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.orders.strict(-1, "abcd"))
			.withMessageContaining("invalid argument: text: size must be between 0 and 3;");
	}

	@Test
	void violations_areCut_whenMany() {
		Order bad = new Order("Ada", IntStream.range(0, 1000).mapToObj((i) -> new Line(0)).toList());
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.orders.place(bad, 1))
			.withMessageContaining("1000 invalid arguments: order.lines[0].amount: must be greater than 0; ")
			.withMessageEndingWith("; ...; it did not execute")
			.satisfies((ex) -> assertThat(ex.replyAttachments().get("violations").lines()).hasSizeBetween(10, 30));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@ComponentScan
	static class ValidatedApplication {

	}

	public interface Plain {

		String same(String text);

	}

	@RpcService
	static class PlainService implements Plain {

		@Override
		public String same(String text) {
			return text;
		}

	}

	@RpcService
	static class OrderService implements Orders {

		@Override
		public String place(Order order, int copies) {
			return order.customer() + " " + copies;
		}

		@Override
		public CompletableFuture<String> placeLater(@Nullable RpcContext call, Order order) {
			return CompletableFuture.completedFuture(order.customer() + " of " + (call != null));
		}

		@Override
		public void note(String text) {
			notes.add(text);
		}

		@Override
		public String strict(int ignored, String text) {
			return text;
		}

		@Override
		public String free(String text) {
			return text;
		}

	}

}
