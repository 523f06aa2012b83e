package io.rpcboot.benchmarks.away;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceOptions;

/** Ports of this host that nobody listens on. */
final class Ports {

	private Ports() {
	}

	static ReferenceOptions refusing(int count) throws IOException {
		List<ServerSocket> sockets = new ArrayList<>();
		try {
			for (int i = 0; i < count; i++) {
				sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
			}
			return ReferenceOptions.defaults()
				.withEndpoints(sockets.stream()
					.map((each) -> new Endpoint("127.0.0.1", each.getLocalPort()))
					.toArray(Endpoint[]::new));
		}
		finally {
			for (ServerSocket socket : sockets) {
				socket.close();
			}
		}
	}

}
