package io.rpcboot.registry.zookeeper;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.rpcboot.Endpoint;

/**
 * Look-up of ZooKeeper's hosts while no server answers, because an unknown host is the
 * usual reason. Runs on a thread of its own, because the name service may block.
 */
final class HostLookup {

	private final List<Endpoint> servers;

	HostLookup(List<Endpoint> servers) {
		this.servers = servers;
	}

	/**
	 * Looks all hosts up in the background.
	 * @param problem receives the problem, empty if all hosts are known
	 */
	void start(Consumer<String> problem) {
		RegistryThread.daemon(() -> problem.accept(problem()), "rpc-registry-hosts").start();
	}

	private String problem() {
		List<String> unknown = new ArrayList<>();
		for (Endpoint server : this.servers) {
			try {
				InetAddress.getByName(server.host());
			}
			catch (UnknownHostException ex) {
				unknown.add(server.host());
			}
		}
		return switch (unknown.size()) {
			case 0 -> "";
			case 1 -> "has an unknown host: " + unknown.get(0);
			default -> "has unknown hosts: " + String.join(", ", unknown);
		};
	}

}
