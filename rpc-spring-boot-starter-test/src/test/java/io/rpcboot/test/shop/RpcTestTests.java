package io.rpcboot.test.shop;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.test.RpcFaults;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** Shares its context with StockTests. */
@RpcTest
@TestMethodOrder(OrderAnnotation.class)
class RpcTestTests {

	@RpcReference
	private Stock stock;

	@RpcReference(timeout = "100ms")
	private Stock impatient;

	@Autowired
	private RpcServer server;

	@Autowired
	private RpcClient client;

	@Autowired
	private StockService service;

	@Test
	void slice_hasOnlyServices(@Autowired ApplicationContext context) {
		assertThat(context.getBeanNamesForType(OrderController.class)).isEmpty();
		assertThat(context.containsBean("dispatcherServlet")).isFalse();
		assertThat(this.server.services()).singleElement()
			.satisfies((info) -> assertThat(info.service()).isEqualTo(new ServiceId(Stock.class.getName(), "", "")));
	}

	@Test
	void call_usesNoSocket() {
		assertThat(this.stock.available("chair")).isEqualTo(5);
		assertThat(this.server.connections()).isNotEmpty()
			.allSatisfy((connection) -> assertThat(connection.remote()).startsWith("local:"));
	}

	@Test
	@Order(1)
	void droppedCall_fails_atDeadline(RpcFaults faults) {
		await().ignoreExceptions().until(() -> this.impatient.available("bed") == 3);
		int before = this.service.calls();
		faults.drop(Stock.class);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.impatient.available("chair"))
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED));
		assertThat(this.service.calls()).isEqualTo(before);
	}

	@Test
	@Order(2)
	void faults_areRemoved_afterTest() {
		assertThat(this.stock.available("chair")).isEqualTo(5);
	}

	@Test
	void delayedCall_runsAfterDelay(RpcFaults faults) {
		faults.delay(Stock.class, Duration.ofMillis(50));
		long start = System.nanoTime();
		assertThat(this.stock.available("chair")).isEqualTo(5);
		assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(50_000_000);
	}

	@Test
	void refusedCall_isNotSent(RpcFaults faults) {
		int before = this.service.calls();
		faults.refuse(Stock.class, RpcStatus.RESOURCE_EXHAUSTED);
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.stock.available("chair"))
			.withMessageContaining("the test refuses calls of io.rpcboot.test.shop.Stock; it did not execute")
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED))
			.satisfies((ex) -> assertThat(ex.mayHaveExecuted()).isFalse());
		assertThat(this.stock.availableLater("chair")).isCompletedExceptionally();
		assertThat(this.service.calls()).isEqualTo(before);
	}

	@Test
	void localCall_hasNoFaults(RpcFaults faults) {
		faults.drop(Stock.class);
		assertThat(this.service.available("chair")).isEqualTo(5);
	}

	@Test
	void client_reconnects_afterGoAway(RpcFaults faults) {
		assertThat(this.stock.available("chair")).isEqualTo(5);
		List<String> before = this.server.connections().stream().map((each) -> each.remote()).toList();
		faults.goAway();
		assertThat(this.stock.available("chair")).isEqualTo(5);
		assertThat(this.client.references()).isNotEmpty();
		assertThat(this.server.connections()).anySatisfy((each) -> assertThat(before).doesNotContain(each.remote()));
	}

	@Test
	void registry_publishesNothing_duringOutage(RpcFaults faults, @Autowired Registry registry) throws Exception {
		faults.registryOutage();
		assertThat(registry.state()).isEqualTo(RegistryState.DISCONNECTED);
		CompletableFuture<Integer> told = new CompletableFuture<>();
		AtomicReference<Boolean> away = new AtomicReference<>(true);
		try (Registry.Subscription subscription = registry.subscribe(new ServiceId(Stock.class.getName(), "", ""),
				(instances) -> told.complete(away.get() ? -1 : instances.size()))) {
			assertThat(subscription).isNotNull();
			assertThat(this.stock.available("chair")).isEqualTo(5);
			away.set(false);
			faults.registryBack();
			assertThat(told.get(20, TimeUnit.SECONDS)).isEqualTo(1);
		}
		assertThat(registry.state()).isEqualTo(RegistryState.CONNECTED);
	}

	@Test
	void invalidFault_isRejected(RpcFaults faults) {
		assertThatIllegalArgumentException().isThrownBy(() -> faults.drop(Runnable.class))
			.withMessage("drop: java.lang.Runnable (expected: a service that this context offers: "
					+ "[io.rpcboot.test.shop.Stock]); add a bean with @RpcService, or use refuse");
		assertThatIllegalArgumentException().isThrownBy(() -> faults.refuse(Runnable.class))
			.withMessage("refuse: java.lang.Runnable (expected: the interface of a reference of this context); "
					+ "inject one with @RpcReference");
		assertThatIllegalArgumentException().isThrownBy(() -> faults.delay(Stock.class, Duration.ZERO))
			.withMessage("delay: PT0S (expected: a positive duration)");
	}

}
