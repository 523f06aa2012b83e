package io.rpcboot.benchmarks.sick;

import java.util.List;

import org.junit.jupiter.api.Test;

import io.rpcboot.benchmarks.sick.SickOptions.Whose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of {@link SickOptions}.
 */
class SickOptionsTests {

	@Test
	void propertiesGoToTheirProcesses() {
		SickOptions options = SickOptions.parse("--balancer=power-of-two", "--client.rpc.client.timeout=1s",
				"--server.rpc.server.pool.max-threads=4", "--with.a=b=c", "--without.a=d");
		assertThat(options.with(Whose.CLIENT, "--first=1")).containsExactly("--first=1",
				"--rpc.client.load-balancer=power-of-two", "--rpc.client.timeout=1s");
		assertThat(options.with(Whose.SERVER)).containsExactly("--rpc.server.pool.max-threads=4");
		assertThat(options.with(Whose.WITH)).containsExactly("--a=b=c");
		assertThat(options.with(Whose.WITHOUT)).containsExactly("--a=d");
	}

	@Test
	void theLastOfAPropertyCounts() {
		assertThat(SickOptions.last(List.of("--a=1", "--b=1", "--a=2=3"))).containsExactly("--a=2=3", "--b=1");
	}

	@Test
	void oneScenarioMayBeMeasuredAlone() {
		SickOptions options = SickOptions.parse("--scenario=storm-slow,kill", "--instances=3", "--runs=1");
		assertThat(options.scenarios()).containsExactly(Scenario.STORM_SLOW, Scenario.KILL);
		assertThat(options.instances()).containsExactly(3);
		assertThat(options.runs()).isEqualTo(1);
		assertThat(SickOptions.parse().scenarios()).containsExactly(Scenario.values());
	}

	@Test
	void wrongOptionsAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> SickOptions.parse("--scenario=ill"))
			.withMessageContaining("storm-slow");
		assertThatIllegalArgumentException().isThrownBy(() -> SickOptions.parse("--runs=0"));
		assertThatIllegalArgumentException().isThrownBy(() -> SickOptions.parse("--instances=1"));
		assertThatIllegalArgumentException().isThrownBy(() -> SickOptions.parse("--client.rpc"));
		assertThatIllegalArgumentException().isThrownBy(() -> SickOptions.parse("--unknown=1"));
	}

}
