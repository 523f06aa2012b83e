package io.rpcboot.client;

import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

import io.rpcboot.ServiceId;
import io.rpcboot.context.Attachments;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.internal.client.runtime.ClientOptions;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.dns.DnsOptions;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.serialization.Serializer;
import io.rpcboot.transport.BatchingOptions;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.Options;
import io.rpcboot.transport.RpcConnectionListener;
import io.rpcboot.transport.SocketOptions;

/**
 * Sets up a {@link RpcClient}. Every option has a default. For one thread.
 */
public final class RpcClientBuilder {

	final ClientOptions options = new ClientOptions();

	RpcClientBuilder() {
	}

	/**
	 * The name that servers see in their logs.
	 * @param name any text, empty for none
	 * @return this
	 */
	public RpcClientBuilder applicationName(String name) {
		this.options.applicationName = name;
		return this;
	}

	/**
	 * Where to find instances. Without one, references need addresses of their own.
	 * @param registry the registry; the client does not close it
	 * @return this
	 */
	public RpcClientBuilder registry(Registry registry) {
		this.options.registry = registry;
		return this;
	}

	/**
	 * How hosts are looked up of references with {@code dns:} addresses. Default:
	 * {@link DnsOptions#defaults()}.
	 * @param dns how often, and by what
	 * @return this
	 */
	public RpcClientBuilder dns(DnsOptions dns) {
		this.options.dns = dns;
		return this;
	}

	/**
	 * How objects become bytes, unless a reference has a serializer of its own. Default:
	 * protostuff.
	 * @param serializer one that the servers accept
	 * @return this
	 */
	public RpcClientBuilder serializer(Serializer serializer) {
		Options.require(Serializer.hasValidName(serializer), "serializer", "'" + serializer.name() + "'",
				"a name of lower-case letters, digits and '-', at most 32");
		this.options.serializer = serializer;
		return this;
	}

	/**
	 * Where to report. Default: nowhere.
	 * @param metrics the recorder
	 * @return this
	 */
	public RpcClientBuilder metrics(RpcMetrics metrics) {
		this.options.metrics = metrics;
		return this;
	}

	/**
	 * Time allowed for a call, from its start to its result. Default: 3 s.
	 * @param timeout more than 0
	 * @return this
	 */
	public RpcClientBuilder timeout(Duration timeout) {
		this.options.timeout = Options.positive("timeout", timeout);
		return this;
	}

	/**
	 * How long a call waits for an instance where there is a reason to wait: before the
	 * registry has answered or the first attempt to connect has an outcome, and after the
	 * last instance was lost, from the loss on. Where every known instance was tried and
	 * refused, calls fail at once whatever the value. Default: 1 s.
	 * @param time 0 to never wait; a call never waits beyond its deadline
	 * @return this
	 */
	public RpcClientBuilder waitForInstance(Duration time) {
		this.options.waitForInstance = ReferenceOptions.requireWait(time);
		return this;
	}

	/**
	 * What to say, beside what the client knows, to those whose call fails because the
	 * registry names no instance. Default: nothing.
	 * @param advice the text for a service, empty for none; called by event loops, so it
	 * must not block
	 * @return this
	 */
	public RpcClientBuilder adviceWithoutInstance(Function<ServiceId, String> advice) {
		this.options.adviceWithoutInstance = advice;
		return this;
	}

	/**
	 * Connections to each server. Default: 1, for a connection carries many calls.
	 * @param connections 1 to 64
	 * @return this
	 */
	public RpcClientBuilder connectionsPerEndpoint(int connections) {
		Options.require(connections >= 1 && connections <= 64, "connections-per-endpoint", connections, "1 to 64");
		this.options.connectionsPerEndpoint = connections;
		return this;
	}

	/**
	 * Most calls under way in the whole client; {@link #whenFull} says what happens to
	 * one more. Default: 65536.
	 * @param calls 1 or more
	 * @return this
	 */
	public RpcClientBuilder maxPendingCalls(int calls) {
		Options.require(calls >= 1, "max-pending-calls", calls, "1 or more");
		this.options.maxPendingCalls = calls;
		return this;
	}

	/**
	 * How much memory the client takes for bodies, and how long a server may keep it.
	 * Default: {@link MemoryOptions#defaults()}.
	 * @param options limit and least rate
	 * @return this
	 */
	public RpcClientBuilder memory(MemoryOptions options) {
		this.options.memory = options;
		return this;
	}

	/**
	 * What an asynchronous call does when there is no room for it. Default: the calling
	 * thread waits.
	 * @param whenFull the choice
	 * @return this
	 */
	public RpcClientBuilder whenFull(OverflowPolicy whenFull) {
		this.options.whenFull = whenFull;
		return this;
	}

	/**
	 * Largest body that is sent or accepted, in bytes. Default: 8 MiB.
	 * @param bytes 1024 or more
	 * @return this
	 */
	public RpcClientBuilder maxFrameSize(int bytes) {
		Options.require(bytes >= 1024, "max-frame-size", bytes, "1024 (1KB) or more bytes");
		this.options.maxFrameSize = bytes;
		return this;
	}

	/**
	 * Most bytes of attachments that a call takes along, or that are taken with an
	 * answer. Default: 8192.
	 * @param bytes 0 (none) to 65535
	 * @return this
	 */
	public RpcClientBuilder maxAttachmentsSize(int bytes) {
		this.options.maxAttachments = Options.attachmentsSize(bytes);
		return this;
	}

	/**
	 * Which attachments of a call at a server of this process go on to the calls that are
	 * made for it. Default: none.
	 * @param names in any case, as {@link Attachments#put} takes them
	 * @return this
	 */
	public RpcClientBuilder forwardAttachments(Collection<String> names) {
		Set<String> forwarded = new TreeSet<>();
		for (String name : names) {
			String key = name.toLowerCase(Locale.ROOT);
			Options.require(Attachments.isName(key) && !key.startsWith(Attachments.RESERVED_PREFIX),
					"forward-attachments", "'" + name + "'",
					"names of 1 to 64 letters, digits, '.', '_' and '-', which do not begin with 'rpc-'");
			forwarded.add(key);
		}
		this.options.forwardedAttachments = Set.copyOf(forwarded);
		return this;
	}

	/**
	 * Stand around the calls of all references. Default: nobody.
	 * @param interceptor inside of those that were given before
	 * @return this
	 */
	public RpcClientBuilder interceptor(RpcClientInterceptor interceptor) {
		this.options.interceptors.add(interceptor);
		return this;
	}

	/**
	 * Which thread completes futures, unless a reference says otherwise. Default: one of
	 * the callback pool.
	 * @param callbacks the choice
	 * @return this
	 */
	public RpcClientBuilder callbacks(CallbackThread callbacks) {
		this.options.callbacks = callbacks;
		return this;
	}

	/**
	 * Most threads of the callback pool that complete futures. Default: 0, twice the
	 * number of cores.
	 * @param threads 0 (automatic) or more
	 * @return this
	 */
	public RpcClientBuilder callbackThreads(int threads) {
		Options.require(threads >= 0, "callback-threads", threads, "0 (automatic) or more");
		this.options.callbackThreads = threads;
		return this;
	}

	/**
	 * Time allowed for a connection to be made and its handshake to be answered. Default:
	 * 3 s.
	 * @param timeout more than 0
	 * @return this
	 */
	public RpcClientBuilder connectTimeout(Duration timeout) {
		this.options.connectTimeout = Options.positive("connect-timeout", timeout);
		return this;
	}

	/**
	 * Probe a connection on which nothing arrived. Defaults: after 15 s; it is closed
	 * when nothing arrives for 10 s more.
	 * @param interval quiet time before a probe, 10 ms or more
	 * @param timeout time allowed for any sign of life, 10 ms or more
	 * @return this
	 */
	public RpcClientBuilder keepAlive(Duration interval, Duration timeout) {
		this.options.keepAliveInterval = atLeast10Millis("keep-alive.interval", interval);
		this.options.keepAliveTimeout = atLeast10Millis("keep-alive.timeout", timeout);
		return this;
	}

	/**
	 * Pause between attempts to connect: it starts at the minimum and doubles to the
	 * maximum, each time multiplied by a random factor from 0.8 to 1.2. Defaults: 100 ms,
	 * 10 s.
	 * @param min the first pause, more than 0
	 * @param max the longest pause, at least the first
	 * @return this
	 */
	public RpcClientBuilder backoff(Duration min, Duration max) {
		this.options.minBackoff = Options.positive("backoff.min", min);
		Options.require(max.compareTo(min) >= 0, "backoff.max", max, "at least backoff.min, which is " + min);
		this.options.maxBackoff = max;
		return this;
	}

	/**
	 * How long {@link RpcClient#close()} waits for calls that were sent. Default: 0.
	 * @param gracePeriod longest time, 0 to cut them
	 * @return this
	 */
	public RpcClientBuilder gracePeriod(Duration gracePeriod) {
		Options.require(!gracePeriod.isNegative(), "shutdown.grace-period", gracePeriod, "0 or more");
		this.options.gracePeriod = gracePeriod;
		return this;
	}

	/**
	 * When connections flush.
	 * @param batching the options
	 * @return this
	 */
	public RpcClientBuilder batching(BatchingOptions batching) {
		this.options.batching = batching;
		return this;
	}

	/**
	 * The event loops.
	 * @param eventLoop the options
	 * @return this
	 */
	public RpcClientBuilder eventLoop(EventLoopOptions eventLoop) {
		this.options.eventLoop = eventLoop;
		return this;
	}

	/**
	 * The sockets.
	 * @param socket the options
	 * @return this
	 */
	public RpcClientBuilder socket(SocketOptions socket) {
		this.options.socket = socket;
		return this;
	}

	/**
	 * Tell someone of connections. Default: nobody.
	 * @param listener told after those that were given before
	 * @return this
	 */
	public RpcClientBuilder connectionListener(RpcConnectionListener listener) {
		this.options.connectionListeners.add(listener);
		return this;
	}

	/**
	 * How an instance is chosen. Default: calls with a {@linkplain io.rpcboot.RpcRouteKey
	 * key} by that, others at random by weight.
	 * @param loadBalancer makes one for each reference
	 * @return this
	 */
	public RpcClientBuilder loadBalancer(Supplier<LoadBalancer> loadBalancer) {
		this.options.loadBalancer = loadBalancer;
		return this;
	}

	/**
	 * How calls get along with their instances, unless a reference says otherwise.
	 * Default: {@link ResilienceOptions#defaults()}.
	 * @param resilience all of it
	 * @return this
	 */
	public RpcClientBuilder resilience(ResilienceOptions resilience) {
		this.options.resilience = resilience;
		return this;
	}

	/**
	 * What was said last of how calls get along with their instances, for those who
	 * change a part of it.
	 * @return the options
	 */
	public ResilienceOptions resilience() {
		return this.options.resilience;
	}

	/**
	 * Make the client. It connects when it gets its first reference.
	 * @return the client
	 */
	public RpcClient build() {
		return new RpcClient(this.options.frozen());
	}

	private static Duration atLeast10Millis(String name, Duration value) {
		Options.require(value.compareTo(Duration.ofMillis(10)) >= 0, name, value, "10ms or more");
		return value;
	}

}
