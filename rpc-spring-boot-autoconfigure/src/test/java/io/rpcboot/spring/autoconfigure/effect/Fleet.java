package io.rpcboot.spring.autoconfigure.effect;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceInfo.Instance;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.fixture.Applications;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Instances of a service, and applications that call them. */
final class Fleet implements AutoCloseable {

	final List<Member> members = new ArrayList<>();

	private final List<RpcServer> servers = new ArrayList<>();

	private final InMemoryRegistry registry = new InMemoryRegistry();

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	/** Adds an instance. It is registered as the argument changes it. */
	Fleet with(Member member, UnaryOperator<ServiceInstance> registered) {
		RpcServer server = RpcServer.builder().port(0).bindAddress("127.0.0.1").service(Depot.class, member).start();
		this.members.add(member);
		this.servers.add(server);
		this.registry.register(registered.apply(new ServiceInstance("member" + this.members.size(), "depots",
				server.advertisedEndpoint(), 100, 0, Set.of(ServiceDescriptor.of(Depot.class).id()))));
		return this;
	}

	/** Adds an instance whose method does something. */
	Fleet with(Supplier<String> work) {
		return with(new Member(work), UnaryOperator.identity());
	}

	/** Adds instances that answer at once. */
	Fleet withHealthy(int number) {
		for (int i = 0; i < number; i++) {
			with(() -> "well");
		}
		return this;
	}

	/** Adds an instance whose calls all fail. */
	Fleet withSick() {
		return with(() -> {
			throw new IllegalStateException("sick");
		});
	}

	/** Adds an instance that takes some time for each call. */
	Fleet withSlow(long millis) {
		return with(() -> {
			long end = System.nanoTime() + millis * 1_000_000;
			for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
				LockSupport.parkNanos(left);
			}
			return "slow";
		});
	}

	Callers start(Map<String, ?> properties) {
		return start(properties, Runnable.class, () -> () -> {
		});
	}

	/**
	 * Starts an application with a bean, whose client takes turns unless it is said
	 * otherwise.
	 */
	<T> Callers start(Map<String, ?> properties, Class<T> type, Supplier<T> bean) {
		Map<String, Object> all = new HashMap<>(
				Map.of("rpc.server.enabled", false, "rpc.client.timeout", "20s", "rpc.client.load-balancer",
						"round-robin", "rpc.client.warm-up", "20s", "rpc.client.shutdown.grace-period", 0));
		all.putAll(properties);
		SpringApplication application = Applications.application(WebApplicationType.NONE, Callers.class);
		application.addInitializers((started) -> {
			((GenericApplicationContext) started).registerBean(Registry.class, () -> this.registry);
			((GenericApplicationContext) started).registerBean(type, bean);
		});
		ConfigurableApplicationContext context = application.run(all.entrySet()
			.stream()
			.map((property) -> "--" + property.getKey() + "=" + property.getValue())
			.toArray(String[]::new));
		this.contexts.add(context);
		Callers callers = context.getBean(Callers.class);
		Applications.eventually(callers::areAllReady);
		return callers;
	}

	/** Changes properties of the last application while it runs. */
	void change(Map<String, ?> properties) {
		ConfigurableApplicationContext context = this.contexts.get(this.contexts.size() - 1);
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("changed", new HashMap<>(properties)));
		context.publishEvent(new EnvironmentChangeEvent(context, Set.copyOf(properties.keySet())));
	}

	int calls(int member) {
		return this.members.get(member).calls.get();
	}

	@Override
	public void close() {
		this.contexts.forEach(ConfigurableApplicationContext::close);
		this.servers.forEach(RpcServer::close);
		this.registry.close();
	}

	/** A contract. */
	public interface Depot {

		/** Is never made again. */
		String store();

		@RpcMethod(idempotent = true)
		String count();

	}

	static final class Member implements Depot {

		final AtomicInteger calls = new AtomicInteger();

		private final Supplier<String> work;

		Member(Supplier<String> work) {
			this.work = work;
		}

		@Override
		public String store() {
			this.calls.incrementAndGet();
			return this.work.get();
		}

		@Override
		public String count() {
			return store();
		}

	}

	static class Callers {

		@RpcReference
		Depot depot;

		@RpcReference(name = "depots")
		Depot named;

		final RpcClient client;

		Callers(RpcClient client) {
			this.client = client;
		}

		/** Returns the instances of the reference with a name, or without. */
		private List<Instance> instances(boolean isNamed) {
			return this.client.references().get(isNamed ? 1 : 0).instances();
		}

		boolean areAllReady() {
			return Stream.of(true, false)
				.flatMap((isNamed) -> instances(isNamed).stream())
				.allMatch((instance) -> instance.state() == State.READY);
		}

		/** Returns the ejected instances of the reference with a name, or without. */
		List<Instance> ejected(boolean isNamed) {
			return instances(isNamed).stream().filter((instance) -> instance.state() == State.EJECTED).toList();
		}

		/** Calls until an instance is ejected for the reference without a name. */
		void callUntilEjected() {
			Applications.eventually(() -> {
				call(this.depot);
				return !ejected(false).isEmpty();
			});
		}

		/** Calls whether or not it fails. */
		static void call(Depot depot) {
			try {
				depot.store();
			}
			catch (RpcException ex) {
				// an instance is sick
			}
		}

	}

}
