package io.rpcboot.spring.reference;

import java.io.FileNotFoundException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.Broadcast;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Transactions around calls, and around what calls run at the server. */
@Tag("jdk25")
class TransactionalReferencesIntegrationTests {

	/** Has the annotation, which applies to references. */
	@Transactional
	public interface Accounts {

		String book(String id);

		@Transactional(readOnly = true)
		String read(String id);

		void refuse() throws FileNotFoundException;

		CompletableFuture<String> later(String id);

	}

	/** Has no annotation. */
	public interface Ledger {

		String book(String id);

	}

	private static final class AccountsService implements Accounts {

		@Override
		public String book(String id) {
			if (id.isEmpty()) {
				throw new RpcException(RpcStatus.INVALID_ARGUMENT, "no id", true);
			}
			return id + " in a transaction: " + TransactionSynchronizationManager.isActualTransactionActive();
		}

		@Override
		public String read(String id) {
			return id;
		}

		@Override
		public void refuse() throws FileNotFoundException {
			throw new FileNotFoundException("refused");
		}

		@Override
		public CompletableFuture<String> later(String id) {
			return id.isEmpty() ? CompletableFuture.failedFuture(new RpcException(RpcStatus.NOT_FOUND, "none", true))
					: CompletableFuture.completedFuture(id);
		}

	}

	/**
	 * Outside of the context, because annotations of the interface apply to its beans.
	 */
	private final RpcServer server = RpcServer.builder()
		.port(0)
		.bindAddress("127.0.0.1")
		.service(Accounts.class, new AccountsService())
		.start();

	private final ApplicationContextRunner plain = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class))
		.withPropertyValues("rpc.client.timeout=30s", "rpc.client.wait-for-instance=30s")
		.withBean(Transactions.class);

	private final ApplicationContextRunner runner = this.plain
		.withPropertyValues("rpc.client.services.Accounts.addresses=127.0.0.1:" + this.server.port());

	@AfterEach
	void stopServer() {
		this.server.close();
	}

	static Stream<Class<?>> proxies() {
		return Stream.of(ClassProxies.class, JdkProxies.class);
	}

	@ParameterizedTest
	@MethodSource("proxies")
	void transactionalInterface_hasTransactionAroundCall(Class<?> proxies) {
		this.runner.withUserConfiguration(proxies).withBean(Teller.class).run((context) -> {
			Accounts accounts = context.getBean(Teller.class).accounts;
			List<String> events = context.getBean(Transactions.class).events;
			assertThat(AopUtils.isAopProxy(accounts)).isTrue();
			assertThat(accounts.book("a")).as("the thread of the server has none")
				.isEqualTo("a in a transaction: false");
			assertThat(events).containsExactly("begin", "commit");
			events.clear();
			assertThat(accounts.read("a")).isEqualTo("a");
			assertThat(events).containsExactly("begin read-only", "commit");
		});
	}

	@ParameterizedTest
	@MethodSource("proxies")
	void failedCall_rollsBack_withItsOwnException(Class<?> proxies) {
		this.runner.withUserConfiguration(proxies).withBean(Teller.class).run((context) -> {
			Accounts accounts = context.getBean(Teller.class).accounts;
			List<String> events = context.getBean(Transactions.class).events;
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> accounts.book(""))
				.matches((ex) -> ex.status() == RpcStatus.INVALID_ARGUMENT);
			assertThat(events).containsExactly("begin", "rollback");
			events.clear();
			assertThatExceptionOfType(FileNotFoundException.class).isThrownBy(accounts::refuse);
			assertThat(events).as("as for every checked exception").containsExactly("begin", "commit");
		});
	}

	@Test
	void future_isReturned_afterCommit() {
		this.runner.withUserConfiguration(ClassProxies.class).withBean(Teller.class).run((context) -> {
			Accounts accounts = context.getBean(Teller.class).accounts;
			assertThat(accounts.later("a").join()).isEqualTo("a");
			assertThat(context.getBean(Transactions.class).events).containsExactly("begin", "commit");
			assertThat(accounts.later("").handle((value, failure) -> failure).join()).isInstanceOf(RpcException.class);
		});
	}

	@Test
	void broadcast_hasNoTransaction() {
		this.runner.withUserConfiguration(ClassProxies.class).withBean(Teller.class).run((context) -> {
			Accounts accounts = context.getBean(Teller.class).accounts;
			assertThat(Broadcast.to(accounts).call((each) -> each.read("a")).values()).containsExactly("a");
			assertThat(context.getBean(Transactions.class).events).isEmpty();
		});
	}

	@Test
	void transactionalUser_keepsItsReference() {
		this.runner.withUserConfiguration(ClassProxies.class).withBean(TransactionalTeller.class).run((context) -> {
			TransactionalTeller teller = context.getBean(TransactionalTeller.class);
			assertThat(AopUtils.isCglibProxy(teller)).isTrue();
			assertThat(teller.read("a")).isEqualTo("a");
			assertThat(context.getBean(Transactions.class).events).as("one for both")
				.containsExactly("begin", "commit");
		});
	}

	@ParameterizedTest
	@MethodSource("proxies")
	void transactionalService_hasTransactionAroundServedCall(Class<?> proxies) {
		this.plain.withConfiguration(AutoConfigurations.of(RpcServerAutoConfiguration.class))
			.withPropertyValues("rpc.server.port=0", "rpc.server.bind-address=127.0.0.1")
			.withUserConfiguration(proxies)
			.withBean("ledgerService", LedgerService.class)
			.withBean(Bookkeeper.class)
			.run((context) -> {
				Ledger ledger = context.getBean(Bookkeeper.class).ledger;
				List<String> events = context.getBean(Transactions.class).events;
				assertThat(AopUtils.isAopProxy(context.getBean("ledgerService"))).isTrue();
				assertThat(ledger.book("a")).isEqualTo("a in a transaction: true");
				assertThat(events).as("at the server alone").containsExactly("begin", "commit");
				events.clear();
				assertThatExceptionOfType(RpcException.class).isThrownBy(() -> ledger.book(""))
					.matches((ex) -> ex.status() == RpcStatus.FAILED_PRECONDITION);
				assertThat(events).containsExactly("begin", "rollback");
			});
	}

	static class Teller {

		@RpcReference
		private Accounts accounts;

	}

	@Transactional
	static class TransactionalTeller {

		@RpcReference
		private Accounts accounts;

		String read(String id) {
			return this.accounts.read(id);
		}

	}

	static class Bookkeeper {

		@RpcReference
		private Ledger ledger;

	}

	@RpcService
	@Transactional
	static class LedgerService implements Ledger {

		@Override
		public String book(String id) {
			if (id.isEmpty()) {
				throw new RpcException(RpcStatus.FAILED_PRECONDITION, "no id", true);
			}
			return id + " in a transaction: " + TransactionSynchronizationManager.isActualTransactionActive();
		}

	}

	/** Transactions of no database. */
	static class Transactions extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		private final transient List<String> events = new CopyOnWriteArrayList<>();

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected boolean isExistingTransaction(Object transaction) {
			return TransactionSynchronizationManager.isActualTransactionActive();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.events.add(definition.isReadOnly() ? "begin read-only" : "begin");
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.events.add("commit");
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.events.add("rollback");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(proxyTargetClass = true)
	static class ClassProxies {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class JdkProxies {

	}

}
