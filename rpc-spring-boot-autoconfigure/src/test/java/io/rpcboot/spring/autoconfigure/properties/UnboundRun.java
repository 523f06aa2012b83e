package io.rpcboot.spring.autoconfigure.properties;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;

import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Takes the binding of some properties away, one after the other, and runs the tests that
 * name it in {@code @PropertyEffect}: one of them has to fail. Profile {@code unbound}
 * runs it.
 */
public final class UnboundRun {

	private static final long SEED = 20261126;

	/** They are read from the environment; the record has no use for them. */
	private static final Set<String> OF_ENVIRONMENT = Set.of("rpc.registry.type", "rpc.registry.use-in-tests");

	private UnboundRun() {
	}

	/**
	 * Runs the tests of some properties.
	 * @param arguments number of properties, drawn by a fixed seed, or the begin of their
	 * names
	 * @throws IllegalStateException if no test misses a property
	 */
	public static void main(String[] arguments) {
		List<String> unseen = new ArrayList<>();
		SortedMap<String, List<DiscoverySelector>> tests = PropertyEffects.tests();
		for (String property : choose(new ArrayList<>(tests.keySet()), arguments[0])) {
			long start = System.nanoTime();
			TestExecutionSummary summary;
			try (UnboundProperty unbound = UnboundProperty.take(property)) {
				summary = run(tests.get(property));
				if (unbound.failure() != null) {
					throw new IllegalStateException(property, unbound.failure());
				}
			}
			if (summary.getTotalFailureCount() == 0) {
				unseen.add(property);
			}
			System.out.printf("unbound: %s: %d of %d tests fail, %d s%n", property, summary.getTotalFailureCount(),
					summary.getTestsFoundCount(), TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
		}
		if (!unseen.isEmpty()) {
			throw new IllegalStateException("no test of " + unseen + " fails without its binding");
		}
		System.out.println("unbound: a test fails without the binding of each property");
	}

	private static List<String> choose(List<String> properties, String wanted) {
		properties.removeAll(OF_ENVIRONMENT);
		if (!wanted.matches("\\d+")) {
			return properties.stream().filter((property) -> property.startsWith(wanted)).toList();
		}
		Collections.shuffle(properties, new Random(SEED));
		return properties.subList(0, Math.min(properties.size(), Integer.parseInt(wanted)));
	}

	private static TestExecutionSummary run(List<DiscoverySelector> tests) {
		LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request().selectors(tests).build();
		SummaryGeneratingListener listener = new SummaryGeneratingListener();
		LauncherFactory.create().execute(request, listener);
		return listener.getSummary();
	}

}
