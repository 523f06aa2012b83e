package io.rpcboot.benchmarks;

import java.util.Arrays;
import java.util.List;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.system.RpcSystemContract;
import io.rpcboot.benchmarks.tls.TlsFiles;
import io.rpcboot.benchmarks.workload.BenchCall;
import org.junit.jupiter.api.BeforeAll;

/**
 * Tests of the systems of this module: ours, raw Netty and grpc-java.
 */
class OwnSystemsIntegrationTests extends RpcSystemContract {

	private static final boolean VIRTUAL_THREADS = Runtime.version().feature() >= 21;

	@BeforeAll
	static void makeCertificates() {
		System.setProperty(TlsFiles.PROPERTY, TlsFiles.folder().toString());
	}

	@Override
	protected List<RpcSystem> systems() {
		return RpcSystem.all()
			.stream()
			.filter((system) -> Arrays.stream(BenchCall.values()).anyMatch(system::supports)) // has
																								// a
																								// client
			.filter((system) -> VIRTUAL_THREADS || !system.name().equals("ours-virtual"))
			.toList();
	}

}
