package io.rpcboot.spring.lifecycle;

import java.time.Duration;

import io.rpcboot.relay.RpcRelay;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds a relay before the application is ready, and shuts it down as the server. A
 * non-daemon thread keeps the application alive while the relay is bound.
 *
 * @since 0.1.0
 */
public final class RpcRelayLifecycle extends PortLifecycle {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final RpcRelay relay;

	private final Duration gracePeriod;

	/**
	 * Creates a lifecycle.
	 * @param relay the relay
	 * @param gracePeriod time for calls in flight at shutdown, 0 to cut them
	 */
	public RpcRelayLifecycle(RpcRelay relay, Duration gracePeriod) {
		super("relay");
		this.relay = relay;
		this.gracePeriod = gracePeriod;
	}

	/**
	 * Binds the relay, once.
	 * @throws io.rpcboot.RpcConfigurationException if the port is in use
	 */
	@Override
	public void start() {
		this.relay.start();
		bound(this.relay.port());
		logger.info("RPC relay listens on port {}", this.relay.port());
	}

	@Override
	void drain() {
		this.relay.shutdown(this.gracePeriod);
	}

}
