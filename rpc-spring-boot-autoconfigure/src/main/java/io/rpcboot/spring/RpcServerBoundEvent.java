package io.rpcboot.spring;

import io.rpcboot.server.RpcServer;

import org.springframework.context.ApplicationEvent;

/** The server listens. It need not be registered yet. */
public final class RpcServerBoundEvent extends ApplicationEvent {

	private static final long serialVersionUID = 1L;

	private final int port;

	/**
	 * Create an event.
	 * @param server the server
	 */
	public RpcServerBoundEvent(RpcServer server) {
		super(server);
		this.port = server.port();
	}

	/**
	 * The port that is bound.
	 * @return 1 to 65535
	 */
	public int port() {
		return this.port;
	}

}
