package io.rpcboot.spring.autoconfigure.ssl;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.transport.TlsOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests bundles that change while an application runs. */
class TlsBundlesTests {

	private final DefaultSslBundleRegistry registry = new DefaultSslBundleRegistry("own", bundle());

	private final List<TlsOptions> used = new ArrayList<>();

	private final Queue<Runnable> later = new ArrayDeque<>();

	/** Why material is refused; null if it can be used. */
	private @Nullable String refusal;

	private final TlsBundles bundles = new TlsBundles(this.registry, (options) -> options, (before, next) -> {
		if (this.refusal != null) {
			throw new RpcConfigurationException(this.refusal, "Wait.");
		}
		this.used.add(next);
	}, this.later::add);

	private static SslBundle bundle() {
		return SslBundle.of(null);
	}

	@Test
	void changedBundle_isUsed() {
		TlsOptions first = this.bundles.get("rpc.server.ssl.bundle", "own");
		assertThat(first.name()).isEqualTo("own");
		this.registry.updateBundle("own", bundle());
		assertThat(this.used).singleElement().isNotSameAs(first);
		assertThat(this.bundles.problems()).isEmpty();
		assertThat(this.later).isEmpty();
	}

	/** For example a certificate that is valid from the next minute on. */
	@Test
	void refusedBundle_isTriedAgain_untilItIsUsed() {
		this.bundles.get("rpc.server.ssl.bundle", "own");
		this.refusal = "not yet valid";
		this.registry.updateBundle("own", bundle());
		assertThat(this.bundles.problems()).containsEntry("own", "not yet valid");
		for (int i = 0; i < 3; i++) {
			this.later.remove().run();
			assertThat(this.bundles.problems()).hasSize(1);
		}
		this.refusal = null;
		this.later.remove().run();
		assertThat(this.used).hasSize(1);
		assertThat(this.bundles.problems()).isEmpty();
		assertThat(this.later).isEmpty();
	}

	@Test
	void attempts_endWithApplication() {
		this.bundles.get("rpc.server.ssl.bundle", "own");
		this.refusal = "expired";
		this.registry.updateBundle("own", bundle());
		this.registry.updateBundle("own", bundle());
		this.bundles.close();
		this.later.remove().run();
		assertThat(this.later).as("one chain of attempts").isEmpty();
	}

}
