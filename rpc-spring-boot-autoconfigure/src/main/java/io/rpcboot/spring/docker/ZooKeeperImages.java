package io.rpcboot.spring.docker;

import java.util.List;

/** Images of ZooKeeper and its client port. */
final class ZooKeeperImages {

	static final String[] NAMES = { "zookeeper", "bitnami/zookeeper", "bitnamilegacy/zookeeper" };

	static final int PORT = 2181;

	private ZooKeeperImages() {
	}

	static List<String> names() {
		return List.of(NAMES);
	}

	static String connectString(String host, int port) {
		return (host.indexOf(':') >= 0) ? "[" + host + "]:" + port : host + ":" + port;
	}

}
