package io.rpcboot.internal.net;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClientNetworkTests {

	private static String of(String address) {
		try {
			return ClientNetwork.of(InetAddress.getByName(address));
		}
		catch (UnknownHostException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	@Test
	void ipv4Address_isItself() {
		assertThat(of("10.0.0.1")).isEqualTo(ClientNetwork.of("10.0.0.1:1001")).isEqualTo("10.0.0.1");
		assertThat(of("::ffff:10.0.0.1")).isEqualTo("10.0.0.1");
	}

	@Test
	void ipv6Address_isItsFirst64Bits() {
		assertThat(of("2001:db8:1:f002::1")).isEqualTo(ClientNetwork.of("[2001:db8:1:f002:7::9]:1001"))
			.isEqualTo("2001:db8:1:f002::/64");
		assertThat(of("2001:db8:1:f003::1")).isEqualTo("2001:db8:1:f003::/64");
	}

	@Test
	void scopeOfIpv6Address_isLeftOut() {
		assertThat(ClientNetwork.of("[fe80::1%eth0]:1001")).isEqualTo("fe80:0:0:0::/64");
	}

	@Test
	void otherText_isItself() {
		assertThat(ClientNetwork.of("local:7")).isEqualTo("local");
		assertThat(ClientNetwork.of("embedded")).isEqualTo("embedded");
	}

}
