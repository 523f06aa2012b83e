package io.rpcboot.spring.actuate.descriptor;

import java.util.List;

import io.rpcboot.registry.RegistryState;
import org.jspecify.annotations.Nullable;

/**
 * Summary of the endpoint {@code rpc}, at most 50 KB. Times are milliseconds since 1970.
 * Values of the history are null without a history.
 *
 * @param at when the summary was made
 * @param application name of the application, empty for none
 * @param version version of the starter, null if its classes are not in a jar
 * @param java version of Java
 * @param startedAt when the application context was created
 * @param registry the registry, null for none
 * @param server the server, null for none
 * @param client the client, null if none was created
 * @param tls TLS of server and client, empty for clear text
 * @param references services that this process calls, those that are not ready first, at
 * most 100
 * @param referencesLeftOut number of omitted references
 * @param methods the 20 busiest methods, null without a history
 * @param findings current problems, worst first
 * @param ended problems of the last 15 minutes that are over, latest first
 * @since 0.1.0
 */
public record SummaryDescriptor(long at, String application, @Nullable String version, String java, long startedAt,
		@Nullable RegistryDescriptor registry, @Nullable ServerDescriptor server, @Nullable ClientDescriptor client,
		List<TlsDescriptor> tls, List<ReferenceDescriptor.Line> references, int referencesLeftOut,
		@Nullable List<MethodStatsDescriptor> methods, List<Finding> findings, List<Finding.Ended> ended) {

	/**
	 * The registry.
	 *
	 * @param description kind and address
	 * @param state whether the registry can be reached
	 * @param since last change of the state, null if unknown
	 * @param problem why the registry refuses this process, or which lists of instances
	 * come from the snapshot; null for none
	 */
	public record RegistryDescriptor(String description, RegistryState state, @Nullable Long since,
			@Nullable String problem) {
	}

	/** State of the server, with regard to new calls. */
	public enum ServerState {

		/** The server takes calls. */
		ACCEPTING,

		/** An operator deregistered the server; connected clients are still served. */
		OFFLINE,

		/** An operator deregistered the server, and clients were told to go away. */
		DRAINED,

		/** The server shuts down and finishes calls in flight. */
		DRAINING,

		/** The server is not bound or is closed. */
		DOWN

	}

	/**
	 * The server. Rates and percentiles cover all calls: rates of the last minute,
	 * percentiles of the newest interval with calls.
	 *
	 * @param state whether the server takes calls
	 * @param reason who took the server out, null if no operator did
	 * @param since when the server was taken out, null if it was not
	 * @param weight share of calls in relation to other instances
	 * @param port the bound port, null if the server is down
	 * @param advertisedEndpoint address for clients, null if the server is down
	 * @param location location in the registry, empty if not registered
	 * @param inFlightCalls calls that run or wait for a thread, with open streams
	 * @param openStreams open streams
	 * @param pool the threads that run calls
	 * @param connections number of open connections
	 * @param services number of offered services
	 * @param callsPerSecond rate of calls
	 * @param errorsPerSecond rate of failed calls
	 * @param p50Millis median
	 * @param p99Millis 99th percentile
	 * @param memory its memory account
	 * @param loops its event loops
	 * @param batch mean frames of a flush
	 * @param batching batching mode of the connections, null without a connection
	 */
	public record ServerDescriptor(ServerState state, @Nullable String reason, @Nullable Long since, int weight,
			@Nullable Integer port, @Nullable String advertisedEndpoint, String location, int inFlightCalls,
			int openStreams, PoolDescriptor pool, int connections, int services, @Nullable Double callsPerSecond,
			@Nullable Double errorsPerSecond, @Nullable Double p50Millis, @Nullable Double p99Millis,
			@Nullable MemoryDescriptor memory, @Nullable LoopsDescriptor loops, @Nullable Double batch,
			@Nullable String batching) {
	}

	/**
	 * The client. Rates and percentiles as for the server.
	 *
	 * @param pendingCalls pending calls
	 * @param maxPendingCalls most pending calls
	 * @param queuedCalls calls that wait because {@code maxPendingCalls} is reached
	 * @param openStreams open streams
	 * @param connections number of established connections
	 * @param references number of references
	 * @param callsPerSecond rate of calls
	 * @param errorsPerSecond rate of failed calls
	 * @param p50Millis median
	 * @param p99Millis 99th percentile
	 * @param memory its memory account
	 * @param loops its event loops
	 * @param batch mean frames of a flush
	 * @param batching batching mode of the client
	 */
	public record ClientDescriptor(int pendingCalls, int maxPendingCalls, int queuedCalls, int openStreams,
			int connections, int references, @Nullable Double callsPerSecond, @Nullable Double errorsPerSecond,
			@Nullable Double p50Millis, @Nullable Double p99Millis, @Nullable MemoryDescriptor memory,
			@Nullable LoopsDescriptor loops, @Nullable Double batch, @Nullable String batching) {
	}

	/**
	 * A memory account.
	 *
	 * @param used bytes in use, both directions
	 * @param limit most bytes
	 */
	public record MemoryDescriptor(long used, long limit) {
	}

	/**
	 * Event loops.
	 *
	 * @param threads number of event loops
	 * @param busyShare fraction of time in which they work, 0 to 1
	 * @param pendingTasks tasks that wait for an event loop
	 */
	public record LoopsDescriptor(@Nullable Integer threads, @Nullable Double busyShare, @Nullable Long pendingTasks) {
	}

}
