package io.rpcboot.samples.quickstart;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** What the quickstart can let happen, so that there is something to see. */
enum Show {

	/** A method that takes 1.5 s beside quick ones. */
	SLOW_METHOD("24 callers ask for OrderService.report, which takes 1.5 s", "nobody asks for it"),

	/** The only provider stops in good order and starts again. */
	PROVIDER_COMES_AND_GOES("the only provider stops", "it is back"),

	/** Some callers that do not wait for answers. */
	BURST("4 callers ask for OrderService.stock and do not wait for the answers", "they stop"),

	/** Two instances, one of which stands still; needs {@code sh} and {@code kill}. */
	FROZEN_INSTANCE("the second instance stands still (kill -STOP)", "it goes on (kill -CONT)",
			"--rpc.client.keep-alive.interval=3s", "--rpc.client.keep-alive.timeout=2s",
			"--rpc.registry.zookeeper.session-timeout=60s"),

	/** Two instances, one of which fails each call of a method; no call of it is lost. */
	SICK_INSTANCE("the first instance fails each call of OrderService.stock", "it is well again"),

	/** Two instances, one of which an operator takes out for a while. */
	TAKEN_OUT("an operator takes the first instance out (offline)", "it is back (online)"),

	/** ZooKeeper is away; calls go on. */
	REGISTRY_GONE("ZooKeeper stops", "it is back, without its data"),

	/** Many callers, and each frame is written by itself. */
	BATCHING_OFF("200 callers call getUser while rpc.client.batching.mode is never", "they stop",
			"--rpc.client.batching.mode=never", "--rpc.server.batching.mode=never"),

	/** One-way calls whose time is over before a thread begins them. */
	LOST_CALLS("8 callers ask for the report, which has 2 threads; OrderService.looked comes too late",
			"nobody asks for it", "--rpc.server.services.OrderService.max-threads=2"),

	/** Documents that fill the memory of both sides. */
	LARGE_CALLS("64 callers archive documents of 100 KB; each side may use 2 MB", "they stop",
			"--rpc.client.max-frame-size=256KB", "--rpc.client.memory.limit=2MB", "--rpc.server.max-frame-size=256KB",
			"--rpc.server.memory.limit=2MB"),

	/** A method on the event loop that takes long. */
	BLOCKED_LOOP("2 callers ask for OrderService.report, which takes 100 ms of an event loop", "nobody asks for it",
			"--rpc.server.services.OrderService.methods.report.dispatch=event-loop"),

	/** Callbacks on the event loop that take long. */
	SLOW_CALLBACK("callbacks of OrderService.stock take 100 ms each, on the event loop", "nobody asks for it",
			"--rpc.client.callbacks=event-loop"),

	/** Calls that fail by a bug on either side. */
	FAILING_METHOD("OrderService.place and stock throw; createUser and buyer carry a user of a class that nobody knows",
			"they stop");

	/** The property that names one. */
	static final String PROPERTY = "quickstart.show";

	private final String begins;

	private final String ends;

	private final List<String> arguments;

	Show(String begins, String ends, String... arguments) {
		this.begins = begins;
		this.ends = ends;
		this.arguments = List.of(arguments);
	}

	/** What is said when it begins. */
	String begins() {
		return this.begins;
	}

	/** What is said when it ends. */
	String ends() {
		return this.ends;
	}

	/** Arguments that both applications need for it. */
	List<String> arguments() {
		return this.arguments;
	}

	/** The value of the property. */
	String value() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Find what the arguments ask for.
	 * @param args of the command line
	 * @return null if there is no {@code --quickstart.show=}
	 * @throws IllegalArgumentException if there is none of that name
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
