package io.rpcboot.internal.transport;

import java.net.InetSocketAddress;
import java.util.List;

import io.netty.channel.local.LocalAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectionAdmissionTests {

	private static ConnectionAdmission admission(String allowed, String denied) {
		return new ConnectionAdmission(list(allowed), list(denied), List.of(), new PerAddressLimit(1));
	}

	private static List<String> list(String text) {
		return text.isEmpty() ? List.of() : List.of(text.split(" "));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", value = {
			// allow | deny | address | served
			"''|''|10.1.2.3|true", "10.0.0.0/8|''|10.1.2.3|true", "10.0.0.0/8|''|11.0.0.1|false",
			"10.0.0.0/8|''|::1|false", "10.0.0.0/8 ::1|''|::1|true", "''|10.1.0.0/16|10.1.2.3|false",
			"''|10.1.0.0/16|10.2.0.1|true", "10.0.0.0/8|10.1.0.0/16|10.1.2.3|false",
			"10.0.0.0/8|10.1.0.0/16|10.2.0.1|true", "''|10.1.2.3|10.1.2.3|false", "''|10.1.2.3|10.1.2.4|true",
			"10.1.2.3/32|''|10.1.2.3|true", "10.1.2.3/31|''|10.1.2.2|true", "''|0.0.0.0/0|10.1.2.3|false",
			"''|0.0.0.0/0|fd00::1|true", "fd00::/8|''|fd12::1|true", "fd00::/8|''|fe80::1|false",
			"2001:db8::/33|''|2001:db8:7fff::1|true", "2001:db8::/33|''|2001:db8:8000::1|false",
			"''|::/0|2001:db8::1|false", "10.0.0.0/8|''|::ffff:10.1.2.3|true", "''|10.0.0.0/8|::ffff:10.1.2.3|false" })
	void client_isServed_ifListsSaySo(String allowed, String denied, String address, boolean served) {
		assertThat(admission(allowed, denied).admit(new InetSocketAddress(address, 4711)) != null).isEqualTo(served);
	}

	@Test
	void deniedClient_takesNoSlot() {
		ConnectionAdmission admission = admission("", "10.0.0.1");
		for (int i = 0; i < 3; i++) {
			assertThat(admission.admit(new InetSocketAddress("10.0.0.1", i))).isNull();
		}
		assertThat(admission.admit(new InetSocketAddress("10.0.0.2", 1))).isNotNull();
		assertThat(admission.admit(new InetSocketAddress("10.0.0.2", 2))).as("limit for each address").isNull();
	}

	@Test
	void connectionInOneProcess_hasNoAddress() {
		assertThat(admission("10.0.0.1", "").admit(new LocalAddress("here"))).isNotNull();
		assertThat(admission("10.0.0.1", "").admit(null)).isNotNull();
	}

}
