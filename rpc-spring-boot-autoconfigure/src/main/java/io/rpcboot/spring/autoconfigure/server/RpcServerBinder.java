package io.rpcboot.spring.autoconfigure.server;

import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.spring.lifecycle.RpcServerLifecycle;
import io.rpcboot.transport.Options.InvalidOptionException;

/**
 * Binds the server to its port, and names the property in failures.
 *
 * @param server the server
 * @param port the value of {@code rpc.server.port}
 */
record RpcServerBinder(RpcServer server, int port) {

	void bind() {
		OptionToPropertyNames.under(RpcServerFactory.PREFIX, () -> {
			try {
				this.server.bind();
				return this.server;
			}
			catch (InvalidOptionException ex) {
				throw isHeldByThisProcess(ex) ? inUse(ex) : ex;
			}
		});
	}

	private boolean isHeldByThisProcess(InvalidOptionException ex) {
		return ex.name().equals("port") && RpcServerLifecycle.holdsPort(this.port);
	}

	private InvalidOptionException inUse(InvalidOptionException cause) {
		return InvalidOptionException.unusable("port",
				this.port + " is in use by another application context of this process",
				"Set port to 0 for any free one, as several tests in one process need it, or to another port, "
						+ "or close the other context first.",
				cause);
	}

}
