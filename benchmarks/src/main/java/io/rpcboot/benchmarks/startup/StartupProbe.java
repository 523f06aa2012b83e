package io.rpcboot.benchmarks.startup;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.OperatingSystemMXBean;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;

/**
 * The measured process: starts an application, alone ({@code empty}) or with the
 * generated services, and prints one line with its figures.
 */
public final class StartupProbe {

	/** Before the figures. */
	static final String FIGURES = "FIGURES ";

	static final String EMPTY = "empty";

	private StartupProbe() {
	}

	/**
	 * Start an application, measure it, and call every method once.
	 * @param args which application
	 */
	public static void main(String[] args) {
		boolean isEmpty = args[0].equals(EMPTY);
		Class<?> application = isEmpty ? EmptyApplication.class : ServicesApplication.class;
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(application)
			.properties(Map.of("spring.main.banner-mode", "off", "spring.jmx.enabled", "false", "rpc.server.port", "0",
					"rpc.registry.type", "in-memory", "spring.application.name", "startup"))
			.run()) {
			long millis = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
			long cpuMillis = cpuMillis();
			double heap = usedHeap();
			double metaspace = used(MemoryType.NON_HEAP, "Metaspace");
			long start = System.nanoTime();
			context.getBeansOfType(Runnable.class).values().forEach(Runnable::run);
			double callMillis = (System.nanoTime() - start) / (double) TimeUnit.MILLISECONDS.toNanos(1);
			double heapAfterCalls = isEmpty ? heap : usedHeap();
			System.out.println(FIGURES + String.format(Locale.ROOT, "%d %d %.3f %.3f %.1f %.3f", millis, cpuMillis,
					heap, metaspace, callMillis, heapAfterCalls));
		}
	}

	private static long cpuMillis() {
		OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
		return (system instanceof com.sun.management.OperatingSystemMXBean counters)
				? TimeUnit.NANOSECONDS.toMillis(counters.getProcessCpuTime()) : 0;
	}

	/** After collections, the first of which clears what only weak references hold. */
	private static double usedHeap() {
		double least = Double.MAX_VALUE;
		for (int i = 0; i < 3; i++) {
			System.gc();
			least = Math.min(least, used(MemoryType.HEAP, ""));
		}
		return least;
	}

	private static double used(MemoryType type, String name) {
		return ManagementFactory.getMemoryPoolMXBeans()
			.stream()
			.filter((pool) -> pool.getType() == type && pool.getName().contains(name))
			.map(MemoryPoolMXBean::getUsage)
			.mapToLong((usage) -> usage.getUsed())
			.sum() / (double) (1 << 20);
	}

	/** Nothing but what the starter configures. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class EmptyApplication {

	}

	/** With the generated beans. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@ComponentScan(GeneratedServices.PACKAGE)
	static class ServicesApplication {

	}

}
