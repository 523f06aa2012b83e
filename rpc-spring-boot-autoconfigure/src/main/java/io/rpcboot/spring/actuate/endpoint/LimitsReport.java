package io.rpcboot.spring.actuate.endpoint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.rpcboot.Side;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.actuate.descriptor.LimitDescriptor;

/** Report of the limits of server and clients that adapt to the load. */
final class LimitsReport {

	/** Most limits of the list. */
	private static final int MOST = 500;

	private final RpcBeans beans;

	LimitsReport(RpcBeans beans) {
		this.beans = beans;
	}

	LimitDescriptor.All all() {
		List<LimitDescriptor> all = new ArrayList<>();
		this.beans.clients()
			.forEach((client) -> client.limits().forEach((limit) -> all.add(LimitDescriptor.of(Side.CLIENT, limit))));
		RpcServer server = this.beans.server();
		if (server != null) {
			server.limits().forEach((limit) -> all.add(LimitDescriptor.of(Side.SERVER, limit)));
		}
		all.sort(Comparator.comparing(LimitDescriptor::movedAt, Comparator.nullsLast(Comparator.reverseOrder())));
		return new LimitDescriptor.All(all.stream().limit(MOST).toList(), Math.max(0, all.size() - MOST));
	}

}
