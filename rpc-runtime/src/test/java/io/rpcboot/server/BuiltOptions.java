package io.rpcboot.server;

import io.rpcboot.internal.server.runtime.ServerOptions;

/** Options as a builder has them before its server is built. */
public final class BuiltOptions {

	private BuiltOptions() {
	}

	/** The builder's own, not a copy. */
	public static ServerOptions of(RpcServerBuilder builder) {
		return builder.options;
	}

}
