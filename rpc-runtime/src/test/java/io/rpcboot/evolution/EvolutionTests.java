package io.rpcboot.evolution;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.rpcboot.serialization.Serializer;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two versions of a service, each compiled into a class loader of its own, read what the
 * other writes, with every serializer.
 */
class EvolutionTests {

	private static final List<Serializer> SERIALIZERS = List.of(new ProtostuffSerializer(), new JacksonSerializer());

	static List<EvolutionRow> rows() {
		return EvolutionRows.all();
	}

	@ParameterizedTest
	@MethodSource("rows")
	void oldClient_followsEvolutionRules_withNewServer(EvolutionRow row) {
		CompiledVersion oldVersion = CompiledVersion.of(row.oldBody());
		CompiledVersion newVersion = CompiledVersion.of(row.newBody());
		for (Serializer each : SERIALIZERS) {
			Exchange exchange = Exchange.between(each, oldVersion, newVersion);
			assertThat(exchange.difference()).isEqualTo(row.oldClientRefused());
			if (row.oldClientRefused().isEmpty()) {
				exchange.requireArgument(row.oldAtNew());
				exchange.requireReply(row.newAtOld());
			}
			exchange.requireUntouched();
		}
	}

	@ParameterizedTest
	@MethodSource("rows")
	void newClient_followsEvolutionRules_withOldServer(EvolutionRow row) {
		CompiledVersion oldVersion = CompiledVersion.of(row.oldBody());
		CompiledVersion newVersion = CompiledVersion.of(row.newBody());
		for (Serializer each : SERIALIZERS) {
			Exchange exchange = Exchange.between(each, newVersion, oldVersion);
			assertThat(exchange.difference()).isEqualTo(row.newClientRefused());
			if (row.newClientRefused().isEmpty()) {
				exchange.requireArgument(row.newAtOld());
				exchange.requireReply(row.oldAtNew());
			}
			exchange.requireUntouched();
		}
	}

}
