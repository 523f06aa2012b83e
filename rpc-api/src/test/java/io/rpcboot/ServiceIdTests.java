package io.rpcboot;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ServiceIdTests {

	@ParameterizedTest
	@CsvSource({ "com.acme.Users,'',''", "com.acme.Users:2.0-rc_1,2.0-rc_1,''", "com.acme.Users@blue,'',blue",
			"com.acme.Users:2@blue,2,blue" })
	void serviceId_printsAndParsesAsSameText(String text, String version, String group) {
		ServiceId id = new ServiceId("com.acme.Users", version, group);
		assertThat(id).hasToString(text);
		assertThat(ServiceId.parse(text)).isEqualTo(id);
	}

	@Test
	void summary_listsFiveSortedIdsAndCountsRest() {
		List<ServiceId> services = IntStream.rangeClosed(1, 200)
			.mapToObj((i) -> new ServiceId("app.S", String.valueOf(1000 - i), ""))
			.toList();
		assertThat(ServiceId.summary(services))
			.isEqualTo("app.S:800, app.S:801, app.S:802, app.S:803, app.S:804 and 195 more");
		assertThat(ServiceId.summary(services.subList(195, 200)))
			.isEqualTo("app.S:800, app.S:801, app.S:802, app.S:803, app.S:804");
		assertThat(ServiceId.summary(List.of())).isEmpty();
	}

	@Test
	void nestedInterface_hasBinaryName() {
		assertThat(ServiceId.of(java.util.Map.Entry.class)).hasToString("java.util.Map$Entry");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "com/acme", "com.acme.Users ", "../x", "größe", "@blue", ":1" })
	void invalidServiceName_isRejected_withItsText(String text) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> ServiceId.parse(text))
			.withMessageStartingWith("service name: '")
			.withMessageEndingWith("' (expected: the name of a Java interface)");
	}

	@ParameterizedTest
	@CsvSource({ "a:1 2,version", "a:1/2,version", "a:1:2,version", "a@b@c,group", "a@b:1,group", "a@b/c,group" })
	void invalidVersionOrGroup_isRejected_withItsText(String text, String what) {
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> ServiceId.parse(text))
			.withMessageStartingWith(what + ": '")
			.withMessageContaining("(expected: letters, digits, '_', '.' or '-'; empty for none)")
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo("Correct the %s.", what));
	}

}
