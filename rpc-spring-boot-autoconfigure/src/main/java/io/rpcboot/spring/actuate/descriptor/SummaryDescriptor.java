package io.rpcboot.spring.actuate.descriptor;

import java.util.List;

import io.rpcboot.registry.RegistryState;
import org.jspecify.annotations.Nullable;

/**
 * The summary of the endpoint {@code rpc}: at most 50 KB, however many services there
 * are. Times are milliseconds since 1970. What comes from the history is null without
 * one.
 *
 * @param at when it was made
 * @param application the name of the application, empty for none
 * @param version the version of the starter, null if its classes are not in a jar
 * @param java the version of Java
 * @param startedAt when the application began to start
 * @param registry the registry, null if there is none
 * @param server the server, null if there is none
 * @param client the client, null if nothing has needed one
 * @param references what this process calls, those that are not ready first, 100 at most
 * @param referencesLeftOut those that there are beside
 * @param methods the 20 busiest methods, null without a history
 * @param findings what seems to be wrong, the worst first
 * @param ended what seemed to be wrong in the last 15 minutes and does no longer, the
 * latest first
 */
public record SummaryDescriptor(long at, String application, @Nullable String version, String java, long startedAt,
		@Nullable RegistryDescriptor registry, @Nullable ServerDescriptor server, @Nullable ClientDescriptor client,
		List<ReferenceDescriptor.Line> references, int referencesLeftOut, @Nullable List<MethodStatsDescriptor> methods,
		List<Finding> findings, List<Finding.Ended> ended) {

	/**
	 * The registry.
	 *
	 * @param description what kind, and where
	 * @param state whether it can be reached now
	 * @param since when that changed last, null if it is not known
	 * @param problem why it does not let this process in, or which lists of instances are
	 * those of its snapshot; null for nothing of that
	 */
	public record RegistryDescriptor(String description, RegistryState state, @Nullable Long since,
			@Nullable String problem) {
	}

	/** Whether a server takes calls. */
	public enum ServerState {

		/** It does. */
		ACCEPTING,

		/** An operator has taken it out of the registry; calls that come are served. */
		OFFLINE,

		/** An operator has taken it out, and clients are told to go away. */
		DRAINED,

		/** It shuts down, and finishes what is under way. */
		DRAINING,

		/** It is not bound, or is closed. */
		DOWN

	}

	/**
	 * The server. Rates and percentiles are those of all its calls: rates of the last
	 * minute, percentiles of the newest interval with calls.
	 *
	 * @param state whether it takes calls
	 * @param reason who has taken it out, null if nobody has
	 * @param since when that was, null if nobody has
	 * @param weight its share of the calls in relation to other instances
	 * @param port the port that is bound, null if it is down
	 * @param advertisedEndpoint what clients connect to, null if it is down
	 * @param location where the registry holds it, empty when not registered
	 * @param inFlightCalls calls that execute or wait for a thread
	 * @param pool the threads that run calls, and who had them when none was free
	 * @param connections the number of open connections
	 * @param services the number of services offered
	 * @param callsPerSecond calls in a second
	 * @param errorsPerSecond calls in a second that failed
	 * @param p50Millis the median
	 * @param p99Millis what one call in a hundred exceeds
	 * @param memory its memory account
	 * @param loops its event loops
	 * @param batch frames in a flush
	 * @param batching when its connections flush, null while there is none
	 */
	public record ServerDescriptor(ServerState state, @Nullable String reason, @Nullable Long since, int weight,
			@Nullable Integer port, @Nullable String advertisedEndpoint, String location, int inFlightCalls,
			PoolDescriptor pool, int connections, int services, @Nullable Double callsPerSecond,
			@Nullable Double errorsPerSecond, @Nullable Double p50Millis, @Nullable Double p99Millis,
			@Nullable MemoryDescriptor memory, @Nullable LoopsDescriptor loops, @Nullable Double batch,
			@Nullable String batching) {
	}

	/**
	 * The client. Rates and percentiles as those of the server.
	 *
	 * @param pendingCalls calls under way
	 * @param maxPendingCalls most calls that may be under way
	 * @param queuedCalls calls that wait because as many are under way
	 * @param connections the number of established connections
	 * @param references the number of references
	 * @param callsPerSecond calls in a second
	 * @param errorsPerSecond calls in a second that failed
	 * @param p50Millis the median
	 * @param p99Millis what one call in a hundred exceeds
	 * @param memory its memory account
	 * @param loops its event loops
	 * @param batch frames in a flush
	 * @param batching when its connections flush, null while there is none
	 */
	public record ClientDescriptor(int pendingCalls, int maxPendingCalls, int queuedCalls, int connections,
			int references, @Nullable Double callsPerSecond, @Nullable Double errorsPerSecond,
			@Nullable Double p50Millis, @Nullable Double p99Millis, @Nullable MemoryDescriptor memory,
			@Nullable LoopsDescriptor loops, @Nullable Double batch, @Nullable String batching) {
	}

	/**
	 * A memory account.
	 *
	 * @param used bytes in use, of both directions
	 * @param limit most bytes
	 */
	public record MemoryDescriptor(long used, long limit) {
	}

	/**
	 * Event loops.
	 *
	 * @param threads how many there are
	 * @param busyShare the part of their time in which they work, 0 to 1
	 * @param pendingTasks tasks that wait for them
	 */
	public record LoopsDescriptor(@Nullable Integer threads, @Nullable Double busyShare, @Nullable Long pendingTasks) {
	}

}
