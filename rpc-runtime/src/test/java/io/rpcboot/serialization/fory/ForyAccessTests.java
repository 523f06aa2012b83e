package io.rpcboot.serialization.fory;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.workload.UserService;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/** Where Fory cannot work, its serializer says so before anything is sent. */
class ForyAccessTests {

	@Test
	void isRefusedWhereAccessIsDenied() {
		if (!ForyAccess.isDenied()) {
			assertThatNoException().isThrownBy(ForySerializer::new);
			return;
		}
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(ForySerializer::new)
			.withMessageContaining("serializer fory")
			.satisfies((ex) -> assertThat(ex.action()).contains("--add-opens"));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_24)
	void whatTheMessageSaysHelps() throws Exception {
		assertThat(start(ForyAccess.DENY)).contains("serializer fory: Apache Fory cannot work");
		assertThat(start(ForyAccess.DENY, "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED")).contains("works");
	}

	private static String start(String... options) throws Exception {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of(options));
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		try {
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
			return output;
		}
		finally {
			process.destroyForcibly();
		}
	}

	/** Tells whether Fory works. */
	public static final class Main {

		private Main() {
		}

		public static void main(String[] arguments) {
			try {
				new ForySerializer().codec(ServiceDescriptor.of(UserService.class));
				System.out.println("works");
			}
			catch (RpcConfigurationException ex) {
				System.out.println(ex.getMessage());
			}
		}

	}

}
