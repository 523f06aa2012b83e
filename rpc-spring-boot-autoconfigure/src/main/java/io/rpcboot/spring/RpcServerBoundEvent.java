package io.rpcboot.spring;

import io.rpcboot.server.RpcServer;

import org.springframework.context.ApplicationEvent;

/**
 * Event that is published when the server has bound its port. The server may not be
 * registered yet. Example: <pre class="code">
 * &#064;EventListener
 * void onBound(RpcServerBoundEvent event) {
 * 	logger.info("RPC on port {}", event.port());
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public final class RpcServerBoundEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	private final int port;

	/**
	 * Creates an event.
	 * @param server the server
	 */
	public RpcServerBoundEvent(RpcServer server) {
		super(server);
		this.port = server.port();
	}

	/**
	 * Returns the bound port.
	 * @return 1 to 65535
	 */
	public int port() {
		return this.port;
	}

}
