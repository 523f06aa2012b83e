package io.rpcboot.test.faults;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.interceptor.ServerInvocation;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.test.RpcFaults;
import io.rpcboot.test.RpcTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.ComponentScan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
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
