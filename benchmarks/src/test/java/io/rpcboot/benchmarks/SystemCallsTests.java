package io.rpcboot.benchmarks;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link SystemCalls}.
 */
class SystemCallsTests {

	@Test
	void readsTheCount() {
		assertThat(SystemCalls.parse("# started\n573344,,raw_syscalls:sys_enter,978912721,100.00,,\n"))
			.isEqualTo(573344);
	}

	@Test
	void whatWasNotCountedIsNoNumber() {
		assertThat(SystemCalls.parse("<not counted>,,raw_syscalls:sys_enter,0,100.00,,")).isNaN();
		assertThat(SystemCalls.parse("event syntax error")).isNaN();
		assertThat(SystemCalls.parse("")).isNaN();
	}

}
