package io.rpcboot.metrics.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Event loops that are ready to run and get no processor. */
class ProcessorWaitTests {

	@TempDir
	Path tasks;

	private void thread(String id, String name, String schedstat) throws IOException {
		Path thread = Files.createDirectories(this.tasks.resolve(id));
		Files.writeString(thread.resolve("comm"), name + "\n");
		Files.writeString(thread.resolve("schedstat"), schedstat + "\n");
	}

	@Test
	void waitsOfLoops_areSummedUp_sinceLastCall() throws IOException {
		thread("7", "rpc-client-loop", "100 1000 5");
		thread("8", "rpc-server-loop", "100 2000 5");
		thread("9", "rpc-worker-1", "100 9000 5");
		ProcessorWait wait = new ProcessorWait(this.tasks);
		assertThat(wait.take()).as("what was before is not of this time").isZero();
		thread("7", "rpc-client-loop", "100 1300 6");
		thread("8", "rpc-server-loop", "100 2040 6");
		thread("9", "rpc-worker-1", "100 90000 5");
		assertThat(wait.take()).isEqualTo(340);
		thread("10", "rpc-client-loop", "1 5000 1");
		assertThat(wait.take()).as("a new loop").isZero();
		thread("10", "rpc-client-loop", "1 5001 1");
		assertThat(wait.take()).isEqualTo(1);
	}

	@Test
	void wait_isUnknown_whereSystemDoesNotTell() throws IOException {
		assertThat(new ProcessorWait(this.tasks.resolve("none")).take()).isNegative();
		thread("7", "rpc-client-loop", "no numbers");
		ProcessorWait wait = new ProcessorWait(this.tasks);
		assertThat(wait.take()).isNegative();
		assertThat(wait.take()).isNegative();
	}

}
