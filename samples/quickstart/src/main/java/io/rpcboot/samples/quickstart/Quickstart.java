package io.rpcboot.samples.quickstart;

import java.io.File;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.samples.quickstart.consumer.Answer;
import io.rpcboot.samples.quickstart.consumer.ConsumerApplication;
import io.rpcboot.samples.quickstart.consumer.Load;
import io.rpcboot.samples.quickstart.consumer.UserCalls;
import io.rpcboot.samples.quickstart.provider.ProviderApplication;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceInfo;

import org.springframework.boot.system.ApplicationHome;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * ZooKeeper, a provider and a consumer: two applications that share nothing but the
 * connect string.
 */
final class Quickstart implements AutoCloseable {

	/** The argument that makes a process a provider only. */
	static final String PROVIDER = "--provider";

	private static final Duration START_TIME = Duration.ofSeconds(60);

	private static final int THREADS = 32;

	private final Deque<Runnable> closing;

	private final String connectString;

	private final RpcServer server;

	private final ConfigurableApplicationContext consumer;

	private Quickstart(Deque<Runnable> closing, String connectString, RpcServer server,
			ConfigurableApplicationContext consumer) {
		this.closing = closing;
		this.connectString = connectString;
		this.server = server;
		this.consumer = consumer;
	}

	/**
	 * Start all three and wait until the consumer has found the provider.
	 * @param args command line arguments of both applications
	 * @return to be closed
	 */
	static Quickstart start(String... args) {
		Deque<Runnable> closing = new ArrayDeque<>();
		try {
			EmbeddedZooKeeper zooKeeper = new EmbeddedZooKeeper();
			closing.push(zooKeeper::close);
			String[] arguments = with(connectArgument(zooKeeper.connectString()), args);

			ConfigurableApplicationContext provider = ProviderApplication.start(false, arguments);
			closing.push(provider::close);
			RpcServer server = provider.getBean(RpcServer.class);
			await("the provider is registered", () -> !server.registeredLocation().isEmpty());

			ConfigurableApplicationContext consumer = ConsumerApplication.start(false, arguments);
			closing.push(consumer::close);
			RpcClient client = consumer.getBean(RpcClient.class);
			await("the consumer has found the provider",
					() -> client.references().stream().allMatch(ReferenceInfo::isReady));
			return new Quickstart(closing, zooKeeper.connectString(), server, consumer);
		}
		catch (RuntimeException ex) {
			closing.forEach(Runnable::run);
			throw ex;
		}
	}

	private static String[] with(String argument, String[] args) {
		List<String> arguments = new ArrayList<>(List.of(args));
		arguments.add(argument);
		return arguments.toArray(String[]::new);
	}

	private static String connectArgument(String connectString) {
		return "--rpc.registry.zookeeper.connect-string=" + connectString;
	}

	/** Call each method once, then one of them from many threads. */
	Report callEverything() throws InterruptedException {
		UserCalls users = this.consumer.getBean(UserCalls.class);
		long before = providerCalls();
		List<Answer> answers = users.callEach();
		Duration time = property("rpc.quickstart.load-time", Duration.class, Duration.ofSeconds(2));
		Load warmUp = Load.run(THREADS, time.dividedBy(2), users::getUser);
		Load load = Load.run(THREADS, time, users::getUser);
		long calls = answers.size() + warmUp.calls() + load.calls();
		return new Report(answers, this.server.registeredLocation(), this.server.advertisedEndpoint(), calls,
				providerCalls() - before, warmUp.wrong(), load,
				"http://127.0.0.1:" + property("local.server.port", Integer.class, 0) + "/actuator/",
				providerCommand());
	}

	/** How many calls the first provider has answered. */
	long providerCalls() {
		return this.server.services().stream().mapToLong(ServiceInfo::calls).sum();
	}

	/** The command that starts one more provider, with its arguments. */
	List<String> providerCommand() {
		List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
		File source = new ApplicationHome(Quickstart.class).getSource();
		if (source != null && source.isFile()) {
			command.addAll(List.of("-jar", source.getPath()));
		}
		else {
			command
				.addAll(List.of("-cp", System.getProperty("java.class.path"), QuickstartApplication.class.getName()));
		}
		command.addAll(List.of(PROVIDER, connectArgument(this.connectString)));
		return command;
	}

	/** Whether to end after the calls. */
	boolean exit() {
		return property("rpc.quickstart.exit", Boolean.class, false);
	}

	/** Whether to end when the process that started this one has ended. */
	boolean endsWithParent() {
		return property("rpc.quickstart.end-with-parent", Boolean.class, false);
	}

	/** Call ten times a second until closed, and say who is there. Does not wait. */
	synchronized void goOnCalling(PrintStream out) {
		Traffic traffic = new Traffic(this.consumer.getBean(UserCalls.class), this.consumer.getBean(RpcClient.class),
				out);
		ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
		executor.scheduleAtFixedRate(traffic::call, 0, 100, TimeUnit.MILLISECONDS);
		this.closing.push(executor::shutdownNow);
	}

	private <T> T property(String name, Class<T> type, T otherwise) {
		return this.consumer.getEnvironment().getProperty(name, type, otherwise);
	}

	private static void await(String what, BooleanSupplier condition) {
		long deadline = System.nanoTime() + START_TIME.toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - deadline > 0) {
				throw new IllegalStateException("Not within %d s: %s".formatted(START_TIME.toSeconds(), what));
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
		}
	}

	/** Stop calling, then the consumer, the provider, ZooKeeper. */
	@Override
	public synchronized void close() {
		while (!this.closing.isEmpty()) {
			this.closing.pop().run();
		}
	}

}
