package io.rpcboot.benchmarks.sick;

import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/**
 * Has the kernel lose packets from and to one port, by {@code nft}. Only in a network
 * namespace that has nothing but its loopback interface: elsewhere others would miss
 * them.
 */
final class PacketLoss implements AutoCloseable {

	private static final String WHERE = "a network namespace of its own: unshare --net --map-root-user "
			+ "sh -c 'ip link set lo up && mvn -o ...'";

	private static final String BEGIN = """
			table inet rpc_sick {
				chain input {
					type filter hook input priority 0;
					tcp dport %1$d numgen random mod 100 < %2$d drop
					tcp sport %1$d numgen random mod 100 < %2$d drop
				}
			}
			""";

	private static final String END = "delete table inet rpc_sick\n";

	/**
	 * Begin to lose packets.
	 * @param port whose
	 * @param percent how many of a hundred, in each direction
	 */
	PacketLoss(int port, int percent) throws IOException, InterruptedException {
		requireOwnNamespace();
		nft(BEGIN.formatted(port, percent));
	}

	/** Refuse to run beside anything else. */
	static void requireOwnNamespace() throws SocketException {
		if (NetworkInterface.networkInterfaces().anyMatch((each) -> !each.getName().equals("lo"))) {
			throw new IllegalArgumentException("--scenario: packets needs " + WHERE);
		}
	}

	private static void nft(String script) throws IOException, InterruptedException {
		Process process = new ProcessBuilder("nft", "-f", "-").redirectErrorStream(true).start();
		process.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
		process.getOutputStream().close();
		String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IOException("nft: " + said.strip());
		}
	}

	/** Lose no more. */
	@Override
	public void close() throws IOException {
		try {
			nft(END);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
