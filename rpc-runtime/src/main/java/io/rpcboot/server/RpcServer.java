package io.rpcboot.server;

import java.time.Duration;
import java.util.List;

import io.rpcboot.Endpoint;

/**
 * Offers services. Thread-safe.
 */
public final class RpcServer implements AutoCloseable {

	RpcServer(RpcServerBuilder options) {
	}

	/**
	 * Set up a server.
	 * @return a builder with defaults for everything but the services
	 */
	public static RpcServerBuilder builder() {
		return new RpcServerBuilder();
	}

	/**
	 * Bind and register.
	 * @return this
	 * @throws io.rpcboot.RpcConfigurationException if the port is in use, or the address
	 * cannot be reached by those who see the registry
	 */
	public RpcServer start() {
		bind();
		register();
		return this;
	}

	/**
	 * Listen and serve whoever connects, without being registered.
	 * @throws io.rpcboot.RpcConfigurationException if the port is in use, or the address
	 * cannot be reached by those who see the registry
	 */
	public void bind() {
	}

	/**
	 * Let clients find this server. Does not wait for the registry. Twice does nothing.
	 */
	public void register() {
	}

	/** Let clients no longer find this server. It goes on serving. Twice does nothing. */
	public void deregister() {
	}

	/**
	 * Deregister, tell every client to go away, finish the calls in flight, close.
	 * Blocks.
	 * @param gracePeriod longest time for the calls in flight, 0 to cut them
	 * @return how it went
	 */
	public ShutdownReport shutdown(Duration gracePeriod) {
		throw new IllegalStateException();
	}

	/**
	 * The port that is bound.
	 * @return 1 to 65535
	 * @throws IllegalStateException before {@link #bind()}
	 */
	public int port() {
		return 0;
	}

	/**
	 * The address that is registered.
	 * @return the endpoint
	 * @throws IllegalStateException before {@link #bind()}
	 */
	public Endpoint advertisedEndpoint() {
		throw new IllegalStateException();
	}

	/**
	 * Where the registry holds this server.
	 * @return the location, for ZooKeeper the path of the node; empty when not registered
	 */
	public String registeredLocation() {
		return "";
	}

	/**
	 * The services offered.
	 * @return a snapshot
	 */
	public List<ServiceInfo> services() {
		return List.of();
	}

	/**
	 * Calls being executed or waiting for a thread.
	 * @return the number
	 */
	public int inFlightCalls() {
		return 0;
	}

	/**
	 * Established connections.
	 * @return the number
	 */
	public int connections() {
		return 0;
	}

	/** The same as a shutdown with no grace period. Twice does nothing. */
	@Override
	public void close() {
		shutdown(Duration.ZERO);
	}

}
