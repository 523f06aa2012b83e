package io.rpcboot.internal.relay.http2;

import io.rpcboot.internal.client.connection.http2.PassedFields;
import io.rpcboot.internal.client.reference.ServiceProxy;
import io.rpcboot.internal.server.connection.http2.PassedRequests;
import io.rpcboot.internal.server.connection.http2.RequestHeaders;
import io.rpcboot.internal.transport.http2.Passage;

/** Relay as its server sees it: makes the call of each request. Any event loop. */
public final class Http2Relay implements PassedRequests.Relay {

	private final RouteTable<ServiceProxy> routes;

	public Http2Relay(RouteTable<ServiceProxy> routes) {
		this.routes = routes;
	}

	@Override
	public PassedRequests.Call call(RequestHeaders.Head head, Passage request, PassedRequests.Answer answer) {
		RouteTable.Target<ServiceProxy> target = this.routes.choose(head);
		PassedFields fields = target.route().rules().rewrite(head);
		return new RelayedCall(target, head, fields, request, answer);
	}

}
