package io.rpcboot.samples.quickstart;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** Shows of the quickstart: events that endpoint, dashboard and meters make visible. */
enum Show {

	/** A method that takes 1.5 s, among fast ones. */
	SLOW_METHOD("24 callers ask for OrderService.report, which takes 1.5 s", "the callers stop"),

	/** The only provider shuts down gracefully and starts again. */
	PROVIDER_COMES_AND_GOES("the only provider stops", "it is back"),

	/** Callers that do not wait for results. */
	BURST("4 callers ask for OrderService.stock and do not wait for the answers", "they stop"),

	/** Two instances, one of which is stopped; needs {@code sh} and {@code kill}. */
	FROZEN_INSTANCE("the second instance stands still (kill -STOP)", "it goes on (kill -CONT)",
			"--rpc.client.keep-alive.interval=3s", "--rpc.client.keep-alive.timeout=2s",
			"--rpc.registry.zookeeper.session-timeout=60s"),

	/**
	 * Two instances, one of which fails each call of a method; retries hide the failures.
	 */
	SICK_INSTANCE("the first instance fails each call of OrderService.stock", "it is well again"),

	/** Two instances, one of which an operator takes out for a while. */
	TAKEN_OUT("an operator takes the first instance out (offline)", "it is back (online)"),

	/** ZooKeeper is unreachable; calls continue. */
	REGISTRY_GONE("ZooKeeper stops", "it is back, without its data"),

	/** Many callers, and each frame is flushed alone. */
	BATCHING_OFF("200 callers call getUser while rpc.client.batching.mode is never", "they stop",
			"--rpc.client.batching.mode=never", "--rpc.server.batching.mode=never"),

	/** One-way calls that expire before a thread runs them. */
	LOST_CALLS("8 callers ask for the report, which has 2 threads; OrderService.looked comes too late",
			"the callers stop", "--rpc.server.services.OrderService.max-threads=2"),

	/** Documents that fill the memory of both sides. */
	LARGE_CALLS("64 callers archive documents of 100 KB; each side may use 2 MB", "they stop",
			"--rpc.client.max-frame-size=256KB", "--rpc.client.memory.limit=2MB", "--rpc.server.max-frame-size=256KB",
			"--rpc.server.memory.limit=2MB"),

	/** A slow method on the event loop. */
	BLOCKED_LOOP("2 callers ask for OrderService.report, which takes 100 ms of an event loop", "the callers stop",
			"--rpc.server.services.OrderService.methods.report.dispatch=event-loop"),

	/** Slow callbacks on the event loop. */
	SLOW_CALLBACK("callbacks of OrderService.stock take 100 ms each, on the event loop", "the callers stop",
			"--rpc.client.callbacks=event-loop"),

	/** Calls that fail because of a bug on either side. */
	FAILING_METHOD("OrderService.place and stock throw; createUser and buyer carry a user of an unknown class",
			"they stop");

	/** Name of the property that selects a show. */
	static final String PROPERTY = "quickstart.show";

	private final String begins;

	private final String ends;

	private final List<String> arguments;

	Show(String begins, String ends, String... arguments) {
		this.begins = begins;
		this.ends = ends;
		this.arguments = List.of(arguments);
	}

	/** Returns the text that is printed when it begins. */
	String begins() {
		return this.begins;
	}

	/** Returns the text that is printed when it ends. */
	String ends() {
		return this.ends;
	}

	/** Returns the arguments that both applications need. */
	List<String> arguments() {
		return this.arguments;
	}

	/** Returns the value of the property. */
	String value() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Returns the show that the arguments select.
	 * @param args arguments of the command line
	 * @return null without {@code --quickstart.show=}
	 * @throws IllegalArgumentException for an unknown value
	 */
	static @Nullable Show of(String... args) {
		String prefix = "--" + PROPERTY + "=";
		for (String arg : args) {
			if (arg.startsWith(prefix)) {
				return named(arg.substring(prefix.length()));
			}
		}
		return null;
	}

	private static Show named(String value) {
		return Arrays.stream(values())
			.filter((show) -> show.value().equals(value))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("%s: %s (expected: one of %s)".formatted(PROPERTY, value,
					Arrays.stream(values()).map(Show::value).collect(Collectors.joining(", ")))));
	}

}
