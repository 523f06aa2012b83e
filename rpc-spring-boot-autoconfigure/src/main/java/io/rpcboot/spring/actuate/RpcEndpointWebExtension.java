package io.rpcboot.spring.actuate;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** Over the web, who asks decides whether values of settings are shown. */
@EndpointWebExtension(endpoint = RpcEndpoint.class)
public class RpcEndpointWebExtension {

	private final RpcEndpoint delegate;

	private final RpcEndpointProperties properties;

	RpcEndpointWebExtension(RpcEndpoint delegate, RpcEndpointProperties properties) {
		this.delegate = delegate;
		this.properties = properties;
	}

	/**
	 * One part of the endpoint, or one of its things.
	 * @param security who asks
	 * @param path as for {@link RpcEndpoint#part}
	 * @param since as for {@link RpcEndpoint#part}
	 * @return null if there is no such thing
	 */
	@ReadOperation
	public @Nullable Object part(SecurityContext security,
			@Selector(match = Selector.Match.ALL_REMAINING) String[] path, @Nullable Long since) {
		return this.delegate.part(path, since, this.properties.showsValues(security));
	}

}
