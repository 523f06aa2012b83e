package io.rpcboot.internal.client.pool;

import io.rpcboot.internal.transport.tls.TlsContext;
import io.rpcboot.transport.TlsOptions.ClientMode;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the connections to an instance: always with mode {@code required}, else if the
 * instance is registered with it. Control thread only.
 */
final class InstanceTls {

	/** Null for clear text. */
	private final TlsContext.@Nullable Target target;

	/** True if the instance is registered with TLS. */
	private boolean isRegistered;

	InstanceTls(@Nullable TlsContext context, PoolKey key) {
		this.target = (context != null) ? new TlsContext.Target(context, key.serverName(), key.application()) : null;
	}

	/** Returns TLS of a new connection, null for clear text. */
	TlsContext.@Nullable Target target() {
		return (this.isRegistered || !followsRegistry()) ? this.target : null;
	}

	/**
	 * Takes whether the instance is registered with TLS.
	 * @return true if connections in clear text are to be replaced
	 */
	boolean registered(boolean speaksTls) {
		boolean isNew = speaksTls && !this.isRegistered;
		this.isRegistered = speaksTls;
		return isNew && followsRegistry();
	}

	private boolean followsRegistry() {
		TlsContext.Target used = this.target;
		return used != null && used.context().options().clientMode() == ClientMode.REGISTRY;
	}

}
