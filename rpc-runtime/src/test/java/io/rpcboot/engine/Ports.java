package io.rpcboot.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports for tests. */
final class Ports {

	private Ports() {
	}

	/** One on which nobody listened a moment ago. */
	static int free() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

}
