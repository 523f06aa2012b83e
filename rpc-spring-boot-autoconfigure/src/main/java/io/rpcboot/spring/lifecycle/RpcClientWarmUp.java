package io.rpcboot.spring.lifecycle;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationStartupAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.metrics.ApplicationStartup;
import org.springframework.core.metrics.StartupStep;

/**
 * Waits at start-up for the connections of references, at most
 * {@code rpc.client.warm-up}, so that runners and the first requests find them open.
 * Services without an instance are logged, and the application starts.
 *
 * @since 0.1.0
 */
public final class RpcClientWarmUp implements SmartLifecycle, ApplicationStartupAware {

	/** After the server is bound and registered, before runners. */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 256;

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final RpcClients clients;

	private final Duration atMost;

	private final Predicate<ReferenceInfo> isNamedLater;

	private ApplicationStartup startup = ApplicationStartup.DEFAULT;

	private volatile boolean running;

	/**
	 * Creates a warm-up.
	 * @param clients the clients to wait for
	 * @param atMost longest time, 0 to not wait
	 * @param isNamedLater true for a reference whose missing instance is logged elsewhere
	 */
	public RpcClientWarmUp(RpcClients clients, Duration atMost, Predicate<ReferenceInfo> isNamedLater) {
		this.clients = clients;
		this.atMost = atMost;
		this.isNamedLater = isNamedLater;
	}

	@Override
	public void setApplicationStartup(ApplicationStartup startup) {
		this.startup = startup;
	}

	@Override
	public void start() {
		this.running = true;
		if (this.atMost.isZero()) {
			return;
		}
		this.clients.inUse().forEach(this::await);
	}

	private void await(RpcClient client) {
		StartupStep step = this.startup.start("rpc.client.warm-up")
			.tag("references", String.valueOf(client.references().size()));
		long start = System.nanoTime();
		List<ReferenceInfo> missing = client.awaitConnected(this.atMost);
		step.tag("missing", String.valueOf(missing.size())).end();
		String named = missing.stream()
			.filter(this.isNamedLater.negate())
			.map((each) -> each.service() + ": " + each.state()
					+ (each.isResolved() ? "" : ", which has not answered yet"))
			.collect(Collectors.joining("; "));
		if (!named.isEmpty()) {
			logger.warn("Starting after {} ms (rpc.client.warm-up) without an instance of {}",
					(System.nanoTime() - start) / 1_000_000, named);
		}
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
