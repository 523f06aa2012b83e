package io.rpcboot.internal.transport.tls;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.transport.TlsInfo;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a client: a context for each protocol and each of the options with which the
 * client or references were made. Thread-safe.
 */
public final class TlsContexts implements AutoCloseable {

	private final Map<TlsOptions, Map<String, TlsContext>> contexts = new LinkedHashMap<>();

	/** Newest options by those with which references or the client were made. */
	private final Map<TlsOptions, TlsOptions> newest = new HashMap<>();

	private final GaugeRegistrations gauges;

	private final InstantSource clock;

	/**
	 * Creates an empty set of contexts.
	 * @param metrics receives the time until certificates expire
	 */
	public TlsContexts(RpcMetrics metrics, InstantSource clock) {
		this.gauges = new GaugeRegistrations(metrics);
		this.clock = clock;
	}

	/**
	 * Returns the context of connections.
	 * @param options options with which their reference or the client was made
	 * @param protocol name of their protocol in ALPN
	 * @return null without TLS
	 * @throws io.rpcboot.RpcConfigurationException if TLS cannot be used with these
	 * options
	 */
	public synchronized @Nullable TlsContext get(@Nullable TlsOptions options, String protocol) {
		if (options == null) {
			return null;
		}
		Map<String, TlsContext> made = this.contexts.computeIfAbsent(options, (any) -> new LinkedHashMap<>());
		TlsContext context = made.get(protocol);
		if (context == null) {
			context = TlsContext.client(this.newest.getOrDefault(options, options), protocol);
			context.offer(this.gauges, this.clock);
			made.put(protocol, context);
		}
		return context;
	}

	/**
	 * Changes options of handshakes that begin from now on.
	 * @param before options with which references or the client were made
	 * @throws io.rpcboot.RpcConfigurationException if TLS cannot be used with these
	 * options; nothing has changed then
	 */
	public synchronized void renew(TlsOptions before, TlsOptions next) {
		TlsContext.client(next, TlsContext.NATIVE).requireValid();
		this.newest.put(before, next);
		this.contexts.getOrDefault(before, Map.of()).values().forEach((each) -> each.renew(next));
	}

	/** Returns the state for tools. */
	public synchronized List<TlsInfo> describe() {
		return this.contexts.values()
			.stream()
			.flatMap((each) -> each.values().stream().limit(1))
			.map((each) -> each.describe(Map.of()))
			.toList();
	}

	/** Removes the gauges. */
	@Override
	public void close() {
		this.gauges.close();
	}

}
