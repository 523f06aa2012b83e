package io.rpcboot.samples.quickstart;

import java.io.File;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.samples.quickstart.consumer.Answer;
import io.rpcboot.samples.quickstart.consumer.ConsumerApplication;
import io.rpcboot.samples.quickstart.consumer.Load;
import io.rpcboot.samples.quickstart.consumer.OrderCalls;
import io.rpcboot.samples.quickstart.consumer.UserCalls;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceInfo;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.system.ApplicationHome;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs ZooKeeper, a provider and a consumer. The two applications share nothing but the
 * connect string.
 */
final class Quickstart implements AutoCloseable {

	/** Argument of a process that is only a provider. */
	static final String PROVIDER = "--provider";

	/** True to end when the parent process has ended. */
	static final String END_WITH_PARENT = "rpc.quickstart.end-with-parent";

	private static final Duration START_TIME = Duration.ofSeconds(60);

	private static final int THREADS = 32;

	private final Deque<Runnable> closing;

	private final Backstage backstage;

	private final ConfigurableApplicationContext consumer;

	private final @Nullable Show show;

	private Quickstart(Deque<Runnable> closing, Backstage backstage, ConfigurableApplicationContext consumer,
			@Nullable Show show) {
		this.closing = closing;
		this.backstage = backstage;
		this.consumer = consumer;
		this.show = show;
	}

	/**
	 * Starts all three and waits until the consumer has found the provider.
	 * @param args command line arguments of both applications
	 * @return the running quickstart
	 * @throws IllegalArgumentException if {@code --quickstart.show} has an unknown value
	 */
	static Quickstart start(String... args) {
		Show show = Show.of(args);
		List<String> arguments = new ArrayList<>(List.of(args));
		if (show != null) {
			show.arguments().stream().filter((each) -> !isGiven(each, args)).forEach(arguments::add);
		}
		Deque<Runnable> closing = new ArrayDeque<>();
		try {
			Backstage backstage = new Backstage(arguments);
			closing.push(backstage::close);
			await("the provider is registered", () -> !backstage.server().registeredLocation().isEmpty());

			arguments.add(backstage.connectArgument());
			ConfigurableApplicationContext consumer = ConsumerApplication.start(false,
					arguments.toArray(String[]::new));
			closing.push(consumer::close);
			RpcClient client = consumer.getBean(RpcClient.class);
			await("the consumer has found the provider",
					() -> client.references().stream().allMatch(ReferenceInfo::isReady));
			return new Quickstart(closing, backstage, consumer, show);
		}
		catch (RuntimeException ex) {
			closing.forEach(Runnable::run);
			throw ex;
		}
	}

	/**
	 * Returns true if a property is set already, because two values would form a list.
	 */
	private static boolean isGiven(String argument, String... args) {
		String name = argument.substring(0, argument.indexOf('=') + 1);
		return Arrays.stream(args).anyMatch((each) -> each.startsWith(name));
	}

	/** Calls each method once, then one of them from many threads. */
	Report callEverything() throws InterruptedException {
		UserCalls users = this.consumer.getBean(UserCalls.class);
		long before = providerCalls();
		List<Answer> answers = users.callEach();
		Duration time = property("rpc.quickstart.load-time", Duration.class, Duration.ofSeconds(2));
		Load warmUp = Load.run(THREADS, time.dividedBy(2), users::getUser);
		Load load = Load.run(THREADS, time, users::getUser);
		long calls = answers.size() + warmUp.calls() + load.calls();
		RpcServer server = this.backstage.server();
		return new Report(answers, server.registeredLocation(), server.advertisedEndpoint(), calls,
				providerCalls() - before, warmUp.wrong(), load,
				actuator(property("local.server.port", Integer.class, 0)), actuator(this.backstage.webPort()),
				providerCommand());
	}

	/** Returns the number of calls that the first provider has answered. */
	long providerCalls() {
		return this.backstage.server().services().stream().mapToLong(ServiceInfo::calls).sum();
	}

	/** Returns the command that starts another provider, with its arguments. */
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
		command.addAll(List.of(PROVIDER, this.backstage.connectArgument()));
		return command;
	}

	/** Returns true if the process ends after the calls. */
	boolean exit() {
		return property("rpc.quickstart.exit", Boolean.class, false);
	}

	/** True to end when the parent process has ended. */
	boolean endsWithParent() {
		return property(END_WITH_PARENT, Boolean.class, false);
	}

	/**
	 * Calls ten times a second until closed, and prints the providers. Waits for nothing
	 * except the second provider of a show that has one.
	 */
	synchronized void goOnCalling(PrintStream out) {
		Traffic traffic = new Traffic(this.consumer.getBean(UserCalls.class), this.consumer.getBean(RpcClient.class),
				out);
		ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
		executor.scheduleAtFixedRate(traffic::call, 0, 100, TimeUnit.MILLISECONDS);
		this.closing.push(executor::shutdownNow);
		if (this.show != null) {
			show(this.show, out);
		}
	}

	private void show(Show wanted, PrintStream out) {
		Duration turn = property("quickstart.show-turn", Duration.class, Duration.ofSeconds(20));
		OrderCalls orders = this.consumer.getBean(OrderCalls.class);
		Stage stage = new Stage(out, wanted, scene(wanted, orders, turn),
				new Crowd(4, Duration.ofMillis(100), orders::shop));
		stage.open(turn);
		this.closing.push(stage::close);
	}

	private Scene scene(Show wanted, OrderCalls orders, Duration turn) {
		UserCalls users = this.consumer.getBean(UserCalls.class);
		return switch (wanted) {
			case SLOW_METHOD -> crowd(24, () -> orders.report(30));
			case PROVIDER_COMES_AND_GOES -> new Scene(this.backstage::stopProvider, this.backstage::startProvider);
			case BURST -> crowd(4, orders::ask);
			case FROZEN_INSTANCE -> frozen(turn);
			case SICK_INSTANCE -> sick(orders);
			case TAKEN_OUT -> takenOut();
			case REGISTRY_GONE -> new Scene(this.backstage::stopZooKeeper, this.backstage::startZooKeeper);
			case BATCHING_OFF -> crowd(200, () -> users.getUser(1));
			case LOST_CALLS -> crowd(8, () -> orders.report(30));
			case LARGE_CALLS -> crowd(64, orders::archive);
			case BLOCKED_LOOP -> crowd(2, () -> orders.report(2));
			case SLOW_CALLBACK -> crowd(4, orders::askAndTakeLong);
			case FAILING_METHOD -> both(both(crowd(2, orders::orderTheUnknown), crowd(2, orders::askForTheUnknown)),
					both(crowd(1, users::createOddUser), crowd(1, orders::askForOddBuyer)));
		};
	}

	private static Scene both(Scene one, Scene other) {
		return new Scene(() -> {
			one.begin().run();
			other.begin().run();
		}, () -> {
			one.end().run();
			other.end().run();
		});
	}

	private Scene crowd(int callers, Crowd.Call call) {
		Crowd crowd = new Crowd(callers, Duration.ZERO, call);
		this.closing.push(crowd::end);
		return new Scene(crowd::begin, crowd::end);
	}

	private Scene frozen(Duration turn) {
		startSecond(Show.FROZEN_INSTANCE);
		return new Scene(() -> this.backstage.freezeSecond(turn), () -> {
		});
	}

	private Scene sick(OrderCalls orders) {
		startSecond(Show.SICK_INSTANCE);
		Crowd crowd = new Crowd(4, Duration.ofMillis(20), orders::askAndWait);
		crowd.begin();
		this.closing.push(crowd::end);
		return new Scene(() -> this.backstage.sickness().begin(), () -> this.backstage.sickness().end());
	}

	private Scene takenOut() {
		startSecond(Show.TAKEN_OUT);
		return new Scene(() -> this.backstage.server().offline("the show"),
				() -> this.backstage.server().online("the show"));
	}

	private void startSecond(Show wanted) {
		List<String> command = new ArrayList<>(providerCommand());
		command.add("--" + Show.PROPERTY + "=" + wanted.value());
		command.add("--" + END_WITH_PARENT + "=true");
		command.addAll(wanted.arguments());
		this.backstage.startSecond(command);
		RpcClient client = this.consumer.getBean(RpcClient.class);
		await("calls go to the second provider", () -> client.references().stream().allMatch(Quickstart::goesToBoth));
	}

	private static boolean goesToBoth(ReferenceInfo reference) {
		return reference.instances().stream().filter((each) -> each.state() == ReferenceInfo.State.READY).count() == 2;
	}

	private static String actuator(int port) {
		return "http://127.0.0.1:" + port + "/actuator/";
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

	/** Stops the calls, then the consumer, the provider and ZooKeeper. */
	@Override
	public synchronized void close() {
		while (!this.closing.isEmpty()) {
			this.closing.pop().run();
		}
	}

}
