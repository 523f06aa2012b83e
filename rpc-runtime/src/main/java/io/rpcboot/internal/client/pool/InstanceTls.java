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
	private final @Nullable TlsContext context;

	/** Application that the certificate must name, empty for any. */
	private final String application;

	/** True if the instance is registered with TLS. */
	private boolean isRegistered;

	InstanceTls(@Nullable TlsContext context, String application) {
		this.context = context;
		this.application = application;
	}

	/** Returns the application that the certificate must name, empty for any. */
	String application() {
		return this.application;
	}

	/** Returns TLS of a new connection, null for clear text. */
	TlsContext.@Nullable Target target() {
		TlsContext tls = this.context;
		if (tls == null || (isRegistry(tls) && !this.isRegistered)) {
			return null;
		}
		return new TlsContext.Target(tls, this.application);
	}

	/**
	 * Takes whether the instance is registered with TLS.
	 * @return true if connections in clear text are to be replaced
	 */
	boolean registered(boolean speaksTls) {
		boolean isNew = speaksTls && !this.isRegistered;
		this.isRegistered = speaksTls;
		TlsContext tls = this.context;
		return isNew && tls != null && isRegistry(tls);
	}

	private static boolean isRegistry(TlsContext tls) {
		return tls.options().clientMode() == ClientMode.REGISTRY;
	}

}
