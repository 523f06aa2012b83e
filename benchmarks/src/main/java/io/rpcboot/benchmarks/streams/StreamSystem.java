package io.rpcboot.benchmarks.streams;

import java.util.List;

import io.rpcboot.benchmarks.system.BenchServer;

/**
 * One of the systems whose streams are compared.
 */
public interface StreamSystem {

	/**
	 * Name in options and reports.
	 * @return a short word
	 */
	String name();

	/**
	 * Windows, demand and executors of both sides.
	 * @return one line
	 */
	String settings();

	/**
	 * Whether it is measured in a direction.
	 * @param direction the direction
	 * @return false if there is nothing to compare
	 */
	boolean supports(Direction direction);

	/**
	 * Starts a server on a free port of the loopback address.
	 * @return the server
	 * @throws Exception if it cannot start
	 */
	BenchServer startServer() throws Exception;

	/**
	 * Connects to a server.
	 * @param port where it listens
	 * @return the client
	 * @throws Exception if it cannot connect
	 */
	StreamClient connect(int port) throws Exception;

	/**
	 * Every system.
	 * @return the systems
	 */
	static List<StreamSystem> all() {
		OurStreams ours = OurStreams.withDefaults();
		OurStreams loop = OurStreams.onEventLoops();
		GrpcStreams grpc = new GrpcStreams();
		return List.of(ours, loop, grpc, new RSocketStreams(), new MixedStreams("grpc-to-ours", grpc, loop),
				new MixedStreams("ours-to-grpc", loop, grpc), new SocketStreams());
	}

	/**
	 * The system with this name.
	 * @param name its name
	 * @return the system
	 * @throws IllegalArgumentException if there is none
	 */
	static StreamSystem of(String name) {
		return all().stream()
			.filter((system) -> system.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"system: " + name + " (expected one of " + all().stream().map(StreamSystem::name).toList() + ")"));
	}

}
