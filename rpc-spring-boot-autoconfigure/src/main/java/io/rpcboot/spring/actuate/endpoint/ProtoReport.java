package io.rpcboot.spring.actuate.endpoint;

import java.util.SortedMap;
import java.util.TreeMap;

import io.rpcboot.server.RpcServer;
import org.jspecify.annotations.Nullable;

/** Report of the files that declare the services which this process offers over gRPC. */
final class ProtoReport {

	private final RpcBeans beans;

	ProtoReport(RpcBeans beans) {
		this.beans = beans;
	}

	All all() {
		RpcServer server = this.beans.server();
		return new All((server != null) ? server.protoFiles() : new TreeMap<>());
	}

	/** Returns a file; null if there is none. */
	@Nullable One one(String name) {
		String text = all().files().get(name);
		return (text != null) ? new One(name, text) : null;
	}

	/**
	 * All files.
	 *
	 * @param files texts by name
	 */
	record All(SortedMap<String, String> files) {
	}

	/** File with its text. */
	record One(String name, String text) {
	}

}
