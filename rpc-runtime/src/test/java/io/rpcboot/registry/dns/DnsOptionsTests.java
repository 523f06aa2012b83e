package io.rpcboot.registry.dns;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DnsOptionsTests {

	@Test
	void defaultOptions_useResolverOfJvm() throws UnknownHostException {
		DnsOptions options = DnsOptions.defaults();
		assertThat(options.resolver()).isNotNull();
		assertThat(options.usesJvm()).isTrue();
		assertThat(options.resolver().resolve("localhost")).isNotEmpty().allMatch(InetAddress::isLoopbackAddress);
	}

	@Test
	void interval_leavesResolverUnchanged() {
		assertThat(DnsOptions.defaults().withInterval(Duration.ofSeconds(1)).resolver())
			.isSameAs(DnsOptions.defaults().resolver())
			.isNotNull();
	}

	@Test
	void customResolver_replacesResolverOfJvm() {
		HostResolver resolver = (host) -> List.of();
		DnsOptions options = DnsOptions.defaults().withResolver(resolver);
		assertThat(options.resolver()).isSameAs(resolver);
		assertThat(options.usesJvm()).isFalse();
	}

}
