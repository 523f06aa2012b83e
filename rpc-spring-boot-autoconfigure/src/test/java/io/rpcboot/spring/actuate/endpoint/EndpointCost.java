package io.rpcboot.spring.actuate.endpoint;

import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import com.sun.management.ThreadMXBean;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.actuate.descriptor.HistoryDescriptor;
import io.rpcboot.spring.actuate.endpoint.LargeApplicationTests.WarehouseInventoryReservationService;
import io.rpcboot.spring.actuate.findings.DiagnosticScheduler;
import io.rpcboot.transport.EventLoopOptions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the documents of the endpoint cost in an application with 500 services of 20
 * methods, references to all of them at 30 instances, and a full history; what calls
 * notice that share their event loop with all of it; and what share of a processor an
 * open page takes, and {@link DiagnosticScheduler}, which look without it. No part of the
 * build: it is run by name, see CONTRIBUTING.md.
 */
class EndpointCost {

	private static final int SERVICES = 500;

	private static final int INSTANCES = 30;

	private static final int REQUESTS = 100;

	private static final int REFRESHES = 24;

	private static final Duration REFRESH = Duration.ofSeconds(5);

	private static final String LINE = "%-12s %10s %10s %12s %14s %14s %14s%n";

	private final EventLoopOptions oneLoop = EventLoopOptions.defaults()
		.withTransport(EventLoopOptions.Transport.IN_PROCESS)
		.withThreads(1);

	private final AtomicLong nanos = new AtomicLong(System.nanoTime());

	private final RpcHistory history = RpcHistory.builder()
		.clock(this.nanos::get, () -> Clock.systemUTC().instant())
		.build();

	private final GenericApplicationContext context = new GenericApplicationContext();

	private final List<RpcServer> others = new ArrayList<>();

	private final List<CallRecorder> recorders = new ArrayList<>();

	private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	@Test
	void endpointCost_isPrinted() throws Exception {
		Greeter greeter = start();
		Map<String, Supplier<Object>> documents = documents();
		documents.values().forEach((each) -> ask(each, REQUESTS));
		System.out.printf(LINE, "", "size KB", "CPU ms", "garbage KB", "call p50 ms", "call p99 ms", "longest ms");
		printLine("nothing", () -> "", greeter);
		for (Map.Entry<String, Supplier<Object>> each : documents.entrySet()) {
			printLine(each.getKey(), each.getValue(), greeter);
		}
		printShares(documents);
		this.context.close();
		this.others.forEach(RpcServer::close);
	}

	private Greeter start() {
		InMemoryRegistry registry = new InMemoryRegistry();
		RpcServer server = serve(registry, Greeter.class.getName());
		for (int i = 1; i < INSTANCES; i++) {
			this.others.add(serve(registry, ""));
		}
		RpcClient client = RpcClient.builder().registry(registry).eventLoop(this.oneLoop).metrics(this.history).build();
		for (int i = 0; i < SERVICES; i++) {
			client.reference(WarehouseInventoryReservationService.class,
					ReferenceOptions.defaults().withVersion("1." + i));
			for (MethodDescriptor method : service(i).methods()) {
				this.recorders.add(this.history.calls(Side.SERVER, method));
			}
		}
		Greeter greeter = client.reference(Greeter.class);
		assertThat(client.awaitConnected(Duration.ofMinutes(1))).isEmpty();
		for (int tick = 0; tick < 180; tick++) {
			tick();
		}
		this.context.registerBean(Registry.class, () -> registry);
		this.context.registerBean(RpcServer.class, () -> server);
		this.context.registerBean(RpcClient.class, () -> client);
		this.context.registerBean(RpcHistory.class, () -> this.history);
		this.context.refresh();
		return greeter;
	}

	private void tick() {
		this.recorders.forEach((each) -> each.record(RpcStatus.OK, 1_000_000, "10.0.0.5:9090"));
		this.nanos.addAndGet(REFRESH.toNanos());
		this.history.tick();
	}

	private RpcServer serve(Registry registry, String greeter) {
		RpcServerBuilder builder = RpcServer.builder().port(0).eventLoop(this.oneLoop).registry(registry);
		for (int i = 0; i < SERVICES; i++) {
			builder.service(service(i), () -> null);
		}
		if (!greeter.isEmpty()) {
			builder.service(Greeter.class, (Greeter) (name) -> name);
		}
		return builder.start();
	}

	private static io.rpcboot.ServiceDescriptor service(int number) {
		return io.rpcboot.ServiceDescriptor.of(WarehouseInventoryReservationService.class, "1." + number, "");
	}

	private Map<String, Supplier<Object>> documents() {
		RpcBeans beans = new RpcBeans(this.context.getDefaultListableBeanFactory());
		SummaryReport summary = new SummaryReport(beans, this.context, Clock.systemUTC());
		MethodsReport methods = new MethodsReport(beans);
		ServicesReport services = new ServicesReport(beans, methods,
				new EffectiveOptionsReport(beans, new StandardEnvironment()));
		ReferencesReport references = new ReferencesReport(beans, methods,
				new EffectiveOptionsReport(beans, new StandardEnvironment()));
		String one = service(77).id().toString();
		Map<String, Supplier<Object>> documents = new LinkedHashMap<>();
		documents.put("summary", summary::describe);
		documents.put("services", services::all);
		documents.put("service", () -> services.one(one));
		documents.put("references", references::all);
		documents.put("reference", () -> references.one(one));
		documents.put("instances", references::instances);
		documents.put("methods", methods::all);
		documents.put("method", () -> methods.one(Side.SERVER, one, "reserveNumber7(java.lang.String,int)"));
		documents.put("connections", new ConnectionsReport(beans)::all);
		documents.put("streams", new StreamsReport(beans, System::nanoTime)::all);
		documents.put("limits", new LimitsReport(beans)::all);
		documents.put("calls", methods::calls);
		documents.put("history", () -> HistoryDescriptor.of(this.history.values(0)));
		return documents;
	}

	private int ask(Supplier<Object> document, int times) {
		int size = 0;
		for (int i = 0; i < times; i++) {
			size = JsonMapper.shared().writeValueAsBytes(document.get()).length;
		}
		return size;
	}

	private void printLine(String name, Supplier<Object> document, Greeter greeter) throws InterruptedException {
		double[] cpuMillis = new double[REQUESTS];
		long garbage = this.threads.getCurrentThreadAllocatedBytes();
		int size = 0;
		Caller caller = new Caller(greeter);
		caller.start();
		for (int i = 0; i < REQUESTS; i++) {
			long before = this.threads.getCurrentThreadCpuTime();
			size = ask(document, 1);
			cpuMillis[i] = (this.threads.getCurrentThreadCpuTime() - before) / 1e6;
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
		}
		garbage = this.threads.getCurrentThreadAllocatedBytes() - garbage;
		long[] calls = caller.end();
		Arrays.sort(cpuMillis);
		System.out.printf(LINE, name, size / 1024, text(cpuMillis[REQUESTS / 2]), garbage / REQUESTS / 1024,
				text(calls[calls.length / 2] / 1e6), text(calls[calls.length * 99 / 100] / 1e6),
				text(calls[calls.length - 1] / 1e6));
	}

	/** What is done every 5 seconds, at that pace: caches are cold by then. */
	private void printShares(Map<String, Supplier<Object>> documents) {
		List<String> overview = List.of("summary", "calls", "instances", "connections");
		SummaryReport summary = new SummaryReport(new RpcBeans(this.context.getDefaultListableBeanFactory()),
				this.context, Clock.systemUTC());
		double[] looks = new double[REFRESHES];
		double[] refreshes = new double[REFRESHES];
		for (int i = 0; i < REFRESHES; i++) {
			LockSupport.parkNanos(REFRESH.toNanos());
			long last = System.currentTimeMillis();
			tick();
			looks[i] = share(summary::check);
			refreshes[i] = share(() -> {
				overview.forEach((each) -> ask(documents.get(each), 1));
				ask(() -> HistoryDescriptor.of(this.history.values(last)), 1);
			});
		}
		printShare("a run of rpc-findings", looks);
		printShare("a refresh of the overview", refreshes);
	}

	/** Of a processor, if it is done so often. */
	private double share(Runnable work) {
		long before = this.threads.getCurrentThreadCpuTime();
		work.run();
		return (double) (this.threads.getCurrentThreadCpuTime() - before) / REFRESH.toNanos();
	}

	private static void printShare(String what, double[] shares) {
		Arrays.sort(shares);
		System.out.printf(Locale.ROOT, "%s every %d s: %.2f %% of a processor (median; %.2f to %.2f)%n", what,
				REFRESH.toSeconds(), shares[shares.length / 2] * 100, shares[0] * 100, shares[shares.length - 1] * 100);
	}

	private static String text(double value) {
		return String.format(Locale.ROOT, "%.2f", value);
	}

	/** Calls without a pause, on the event loop that has all references. */
	private static final class Caller extends Thread {

		private final Greeter greeter;

		private final AtomicBoolean over = new AtomicBoolean();

		private final List<Long> nanos = new ArrayList<>();

		Caller(Greeter greeter) {
			this.greeter = greeter;
		}

		@Override
		public void run() {
			while (!this.over.get()) {
				long start = System.nanoTime();
				this.greeter.greet("Ann");
				this.nanos.add(System.nanoTime() - start);
			}
		}

		/** How long each of the calls took, sorted. */
		long[] end() throws InterruptedException {
			this.over.set(true);
			join();
			return this.nanos.stream().mapToLong(Long::longValue).sorted().toArray();
		}

	}

}
