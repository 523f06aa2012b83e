package io.rpcboot.spring;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Waits a moment for the connections of the references, so that runners and the first
 * requests find them open. Who is not there then is named, and the application starts all
 * the same.
 */
public final class RpcClientWarmUp implements SmartLifecycle {

	/** After the server is bound and registered, before runners. */
	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 256;

	private static final Logger logger = LoggerFactory.getLogger(RpcClientWarmUp.class);

	private final RpcClients clients;

	private final Duration atMost;

	private volatile boolean running;

	/**
	 * Create a warm-up.
	 * @param clients whose references are waited for
	 * @param atMost longest time, 0 for none
	 */
	public RpcClientWarmUp(RpcClients clients, Duration atMost) {
		this.clients = clients;
		this.atMost = atMost;
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
		long start = System.nanoTime();
		List<ReferenceInfo> missing = client.awaitConnected(this.atMost);
		if (!missing.isEmpty()) {
			logger.warn("Starting after {} ms without an instance of {}", (System.nanoTime() - start) / 1_000_000,
					missing.stream()
						.map((each) -> each.service() + ": " + each.state())
						.collect(Collectors.joining("; ")));
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
