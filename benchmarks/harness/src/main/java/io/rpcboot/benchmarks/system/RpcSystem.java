package io.rpcboot.benchmarks.system;

import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;

import io.rpcboot.benchmarks.workload.BenchCall;
import io.rpcboot.benchmarks.workload.BenchService;

/**
 * One of the systems that are compared.
 */
public interface RpcSystem {

	/**
	 * What the options and the report call it.
	 * @return a short word
	 */
	String name();

	/**
	 * Whether it can make a call.
	 * @param call the call
	 * @return false if there is nothing to compare
	 */
	default boolean supports(BenchCall call) {
		return true;
	}

	/**
	 * Start a server on a free port of the loopback address.
	 * @return the server
	 * @throws Exception if it cannot start
	 */
	BenchServer startServer() throws Exception;

	/**
	 * Start a server that offers a given implementation.
	 * @param service the implementation, thread-safe
	 * @return the server
	 * @throws Exception if it cannot start
	 * @throws UnsupportedOperationException if this system offers its own only
	 */
	default BenchServer startServer(BenchService service) throws Exception {
		throw new UnsupportedOperationException("system: " + name() + " (expected: one that offers any service)");
	}

	/**
	 * Open one connection to a server.
	 * @param port where it listens
	 * @return the client
	 * @throws Exception if it cannot connect
	 * @throws UnsupportedOperationException if this system is a server alone
	 */
	default BenchClient connect(int port) throws Exception {
		throw new UnsupportedOperationException("system: " + name() + " (expected: one that has a client)");
	}

	/**
	 * Open one connection to a server, through a client that limits the time of a call.
	 * @param port where it listens
	 * @param timeout the time allowed for a call
	 * @return the client
	 * @throws Exception if it cannot connect
	 * @throws UnsupportedOperationException if this system is measured without timeout
	 */
	default BenchClient connect(int port, Duration timeout) throws Exception {
		throw new UnsupportedOperationException("system: " + name() + " (expected: one whose timeout can be set)");
	}

	/**
	 * What a failed call is counted as.
	 * @param failure what the call ended with
	 * @return one word
	 */
	default String status(Throwable failure) {
		return failure.getClass().getSimpleName();
	}

	/**
	 * Every system on this class path.
	 * @return the systems
	 */
	static List<RpcSystem> all() {
		return ServiceLoader.load(SystemProvider.class)
			.stream()
			.flatMap((provider) -> provider.get().systems().stream())
			.toList();
	}

	/**
	 * The system with this name.
	 * @param name its name
	 * @return the system
	 * @throws IllegalArgumentException if there is none
	 */
	static RpcSystem of(String name) {
		return all().stream()
			.filter((system) -> system.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"system: " + name + " (expected one of " + all().stream().map(RpcSystem::name).toList() + ")"));
	}

}
