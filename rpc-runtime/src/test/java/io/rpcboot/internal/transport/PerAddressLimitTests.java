package io.rpcboot.internal.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

import io.netty.channel.local.LocalAddress;
import io.rpcboot.internal.transport.PerAddressLimit.Slot;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PerAddressLimitTests {

	private final PerAddressLimit limit = new PerAddressLimit(2);

	private static InetSocketAddress at(String address, int port) {
		try {
			return new InetSocketAddress(InetAddress.getByName(address), port);
		}
		catch (UnknownHostException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	@Test
	void address_isLimited_untilConnectionLeaves() {
		Slot first = this.limit.enter(at("10.0.0.1", 1001));
		assertThat(first).isNotNull();
		assertThat(this.limit.enter(at("10.0.0.1", 1002))).isNotNull();
		assertThat(this.limit.enter(at("10.0.0.1", 1003))).isNull();
		assertThat(this.limit.enter(at("10.0.0.2", 1001))).isNotNull();
		first.leave();
		assertThat(this.limit.enter(at("10.0.0.1", 1004))).isNotNull();
		assertThat(this.limit.enter(at("10.0.0.1", 1005))).isNull();
	}

	@Test
	void slot_isReleasedOnce() {
		Slot first = this.limit.enter(at("10.0.0.1", 1001));
		Slot second = this.limit.enter(at("10.0.0.1", 1002));
		first.leave();
		first.leave();
		assertThat(this.limit.enter(at("10.0.0.1", 1003))).isNotNull();
		assertThat(this.limit.enter(at("10.0.0.1", 1004))).isNull();
		assertThat(second).isNotNull();
	}

	@Test
	void addresses_areForgotten_afterTheirLastConnection() {
		for (int host = 1; host < 200; host++) {
			this.limit.enter(at("10.0.0." + host, 1001)).leave();
		}
		assertThat(this.limit.addresses()).isZero();
	}

	@Test
	void ipv6Network_countsAsOneAddress() {
		assertThat(this.limit.enter(at("2001:db8:1:2::1", 1001))).isNotNull();
		assertThat(this.limit.enter(at("2001:db8:1:2:ffff::1", 1001))).isNotNull();
		assertThat(this.limit.enter(at("2001:db8:1:2:0:1::7", 1001))).isNull();
		assertThat(this.limit.enter(at("2001:db8:1:3::1", 1001))).isNotNull();
	}

	@Test
	void ipv4Address_isDistinctFromIpv6Network() {
		assertThat(new PerAddressLimit(1).enter(at("::ffff:10.0.0.1", 1))).isNotNull();
		PerAddressLimit one = new PerAddressLimit(1);
		assertThat(one.enter(at("0.0.0.5", 1))).isNotNull();
		assertThat(one.enter(at("0:0:0:5::1", 1))).isNotNull();
	}

	@Test
	void zero_disablesLimit() {
		PerAddressLimit none = new PerAddressLimit(0);
		for (int port = 1; port < 100; port++) {
			assertThat(none.enter(at("10.0.0.1", port))).isNotNull();
		}
	}

	@Test
	void otherAddressTypes_areNotLimited() {
		for (int i = 0; i < 5; i++) {
			assertThat(this.limit.enter(new LocalAddress("a"))).isNotNull();
			assertThat(this.limit.enter(null)).isNotNull();
		}
	}

}
