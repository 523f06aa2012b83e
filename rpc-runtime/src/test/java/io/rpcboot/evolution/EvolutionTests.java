package io.rpcboot.evolution;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two versions of a service, each compiled into a class loader of its own, read what the
 * other writes.
 */
class EvolutionTests {

	static List<EvolutionRow> rows() {
		return EvolutionRows.all();
	}

	@ParameterizedTest
	@MethodSource("rows")
	void oldClientAtNewServer(EvolutionRow row) {
		Exchange exchange = Exchange.between(CompiledVersion.of(row.oldBody()), CompiledVersion.of(row.newBody()));
		assertThat(exchange.difference()).isEqualTo(row.oldClientRefused());
		if (row.oldClientRefused().isEmpty()) {
			exchange.requireArgument(row.oldAtNew());
			exchange.requireReply(row.newAtOld());
		}
		exchange.requireUntouched();
	}

	@ParameterizedTest
	@MethodSource("rows")
	void newClientAtOldServer(EvolutionRow row) {
		Exchange exchange = Exchange.between(CompiledVersion.of(row.newBody()), CompiledVersion.of(row.oldBody()));
		assertThat(exchange.difference()).isEqualTo(row.newClientRefused());
		if (row.newClientRefused().isEmpty()) {
			exchange.requireArgument(row.newAtOld());
			exchange.requireReply(row.oldAtNew());
		}
		exchange.requireUntouched();
	}

}
