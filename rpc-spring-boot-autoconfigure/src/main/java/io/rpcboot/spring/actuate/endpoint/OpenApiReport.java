package io.rpcboot.spring.actuate.endpoint;

import io.rpcboot.server.RpcServer;
import org.jspecify.annotations.Nullable;

/** Report of the OpenAPI document of the services which this process offers as JSON. */
final class OpenApiReport {

	private final RpcBeans beans;

	OpenApiReport(RpcBeans beans) {
		this.beans = beans;
	}

	private String require() {
		RpcServer server = this.beans.server();
		if (server == null) {
			throw new IllegalStateException("no OpenAPI, because this process has no server");
		}
		return server.openApi();
	}

	/** Returns the document; null if there is none. */
	@Nullable String document() {
		try {
			return require();
		}
		catch (IllegalStateException ex) {
			return null;
		}
	}

	/** Returns the reason why there is no document; empty if there is one. */
	String problem() {
		try {
			require();
			return "";
		}
		catch (IllegalStateException ex) {
			return String.valueOf(ex.getMessage());
		}
	}

}
