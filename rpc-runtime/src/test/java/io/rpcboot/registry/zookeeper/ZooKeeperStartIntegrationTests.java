package io.rpcboot.registry.zookeeper;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.registry.zookeeper.node.ConnectString;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.registry.Snapshots;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Curator fails before it has started. */
@Timeout(60)
class ZooKeeperStartIntegrationTests {

	private static final ServiceId USERS = new ServiceId("com.acme.UserService", "", "");

	private final AtomicInteger attempts = new AtomicInteger();

	private final AtomicInteger closed = new AtomicInteger();

	@Test
	void start_isRetried_afterErrors() {
		try (EmbeddedZooKeeper server = new EmbeddedZooKeeper()) {
			ZooKeeperRegistryOptions options = ZooKeeperRegistryIntegrationTests.options(server.connectString(),
					"/rpc");
			try (ZooKeeperRegistry late = new ZooKeeperRegistry(options, failing(clients(options)));
					ZooKeeperRegistry consumer = new ZooKeeperRegistry(options)) {
				late.register(new ServiceInstance("a", "app", new Endpoint("127.0.0.1", 1),
						ServiceInstance.DEFAULT_WEIGHT, 0, Set.of(USERS)));
				Snapshots seen = new Snapshots();
				consumer.subscribe(USERS, seen);
				seen.await("a");
				Snapshots own = new Snapshots();
				late.subscribe(USERS, own);
				own.await("a");
				assertThat(this.attempts).hasValue(4);
				assertThat(this.closed).as("the one that was made and did not start").hasValue(1);
			}
		}
	}

	@Test
	void unstartedRegistry_canBeClosed() {
		ZooKeeperRegistryOptions options = ZooKeeperRegistryIntegrationTests.options("127.0.0.1:1", "/rpc");
		ZooKeeperRegistry registry = new ZooKeeperRegistry(options, () -> {
			this.attempts.incrementAndGet();
			throw new OutOfMemoryError("injected");
		});
		Eventually.until("it tries again", () -> this.attempts.get() > 2);
		registry.close();
		int before = this.attempts.get();
		assertThat(List.of(before, before + 1)).as("and then no more").contains(this.attempts.get());
	}

	@Test
	void unknownHost_isNamed_inLogAndProblemAndAdvice() {
		ZooKeeperRegistryOptions options = ZooKeeperRegistryIntegrationTests
			.options("nohost.invalid:2181,127.0.0.1:1,other.invalid:2181", "/rpc");
		try (RegistryLog log = new RegistryLog(); ZooKeeperRegistry registry = new ZooKeeperRegistry(options)) {
			String problem = "has unknown hosts: nohost.invalid, other.invalid";
			Eventually.until("it is named", () -> registry.problem().equals(problem));
			Eventually.until("it is logged", () -> log.said("cannot be reached yet: it " + problem + "; trying again"));
			assertThat(registry.adviceWithoutInstance(USERS)).isEqualTo("it " + problem);
			assertThat(registry.state()).isEqualTo(RegistryState.CONNECTING);
			assertThat(log.lines("cannot be reached")).hasSize(1);
		}
	}

	@Test
	void problem_isEmpty_whenHostIsKnownAndDoesNotAnswer() {
		ZooKeeperRegistryOptions options = ZooKeeperRegistryIntegrationTests.options("127.0.0.1:1", "/rpc");
		try (RegistryLog log = new RegistryLog(); ZooKeeperRegistry registry = new ZooKeeperRegistry(options)) {
			Eventually.until("it is logged", () -> log.said("cannot be reached yet; trying again"));
			assertThat(registry.problem()).isEmpty();
		}
	}

	private static Supplier<CuratorFramework> clients(ZooKeeperRegistryOptions options) {
		return new CuratorClients(options, ConnectString.parse(options.connectString()), (task) -> {
			Thread thread = new Thread(task);
			thread.setDaemon(true);
			return thread;
		});
	}

	/** Twice there is none, the third does not start. */
	private Supplier<CuratorFramework> failing(Supplier<CuratorFramework> clients) {
		return () -> switch (this.attempts.incrementAndGet()) {
			case 1 -> throw new OutOfMemoryError("injected");
			case 2 -> throw new IllegalStateException("injected");
			case 3 -> failsToStart(clients.get());
			default -> clients.get();
		};
	}

	private CuratorFramework failsToStart(CuratorFramework real) {
		return (CuratorFramework) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { CuratorFramework.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("start")) {
						throw new StackOverflowError("injected");
					}
					if (method.getName().equals("close")) {
						this.closed.incrementAndGet();
					}
					try {
						return method.invoke(real, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

}
