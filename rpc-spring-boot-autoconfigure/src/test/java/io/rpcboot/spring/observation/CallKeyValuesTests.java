package io.rpcboot.spring.observation;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.micrometer.common.KeyValue;
import io.micrometer.common.docs.KeyName;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.interceptor.CallOutcome;
import io.rpcboot.metrics.micrometer.RpcMeters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class CallKeyValuesTests {

	@ParameterizedTest
	@CsvSource({ "10.0.0.7:51234,10.0.0.7,51234", "[fe80::1]:80,fe80::1,80", "local:E:1a2b,local:E:1a2b,",
			"nothing,nothing,", ":,:,", ":9,'',9" })
	void peerAddressAndPort_areParsed(String remote, String address, String port) {
		List<String> values = CallKeyValues.peer(remote).stream().map(KeyValue::getValue).toList();
		assertThat(values).isEqualTo((port != null) ? List.of(address, port) : List.of(address));
	}

	@ParameterizedTest
	@EnumSource
	void serverErrors_areFaultsOfServer(RpcStatus status) {
		CallOutcome outcome = new CallOutcome(status, Duration.ofMillis(1), null, Attachments.none());
		assertThat(new DefaultRpcServerObservationConvention().isError(outcome)).isEqualTo(switch (status) {
			case APPLICATION, UNKNOWN, INTERNAL, DATA_LOSS, DEADLINE_EXCEEDED, UNAVAILABLE, UNIMPLEMENTED -> true;
			default -> false;
		});
	}

	@Test
	void observationNames_differFromMeterNames() {
		for (RpcMeters meter : RpcMeters.values()) {
			assertThat(meter.meterName()).isNotIn(DefaultRpcClientObservationConvention.NAME,
					DefaultRpcServerObservationConvention.NAME, DefaultRpcClientObservationConvention.NAME + ".active",
					DefaultRpcServerObservationConvention.NAME + ".active");
		}
	}

	@Test
	void keys_areDocumentedOnce() {
		for (RpcObservationDocumentation observation : RpcObservationDocumentation.values()) {
			Set<String> names = new HashSet<>();
			for (KeyName[] keys : List.of(observation.getLowCardinalityKeyNames(),
					observation.getHighCardinalityKeyNames())) {
				for (KeyName key : keys) {
					assertThat(names.add(key.asString())).as(key.asString()).isTrue();
				}
			}
			assertThat(names).hasSize(6).contains("rpc.method", "error.type");
		}
	}

}
