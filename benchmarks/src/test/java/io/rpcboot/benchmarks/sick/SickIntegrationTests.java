package io.rpcboot.benchmarks.sick;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the processes, and of what the ledgers say of one that is killed.
 */
@Timeout(180)
class SickIntegrationTests {

	@TempDir
	Path directory;

	@Test
	void nothingRunsTwiceAndNothingIsDeniedWhenAnInstanceIsKilled() throws Exception {
		Table table = new Table("one round");
		Restarts.measure(Scenario.KILL, SickOptions.parse("--rounds=1", "--output=" + this.directory), table);
		assertThat(table.lines())
			.filteredOn((line) -> line.contains("ran twice") || line.contains("denies") || line.contains("did not run")
					|| line.contains("not at a killed one"))
			.hasSize(4)
			.allMatch((line) -> line.stripTrailing().endsWith("PASS"));
		assertThat(this.directory).isDirectoryNotContaining("glob:**ledger-*");
	}

	@Test
	void aSickInstanceIsSeen() throws Exception {
		SickOptions options = SickOptions.parse("--output=" + this.directory);
		try (Fleet fleet = Fleet.fixed(options, 1); Consumer consumer = fleet.consumer(1, true, List.of())) {
			fleet.become("fail 1 UNAVAILABLE");
			consumer.load(100, 0.5);
			Instance instance = fleet.instance(0);
			while (instance.arrivals().count() < 20) {
				LockSupport.parkNanos(1_000_000);
			}
			List<Call> calls = consumer.stop();
			assertThat(calls).isNotEmpty().allMatch(Call::isFailed);
			assertThat(calls).extracting(Call::outcome).containsOnly("UNAVAILABLE");
			assertThat(instance.arrivals().numbers()).containsAll(calls.stream().map(Call::number).toList());
		}
	}

	@Test
	void whatIsLostArrivesLaterInItsOrder() throws IOException {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				LossyProxy way = new LossyProxy(server.getLocalPort());
				Socket near = new Socket(InetAddress.getLoopbackAddress(), way.port());
				Socket far = server.accept()) {
			way.lose(0.5);
			OutputStream out = near.getOutputStream();
			InputStream in = far.getInputStream();
			for (int i = 0; i < 10; i++) {
				out.write(i);
			}
			near.shutdownOutput();
			assertThat(in.readAllBytes()).containsExactly(IntStream.range(0, 10).toArray());
		}
	}

	@Test
	void aProcessThatDoesNotStartIsToldAtOnce() throws Exception {
		SickOptions options = SickOptions.parse("--output=" + this.directory, "--server.rpc.server.prot=1");
		try {
			Fleet.fixed(options, 1).close();
		}
		catch (IllegalStateException ex) {
			assertThat(ex).hasMessageContaining("sick.log");
			assertThat(this.directory.resolve(Child.LOG)).content().contains("rpc.server.prot");
			return;
		}
		throw new AssertionError("it has started");
	}

}
