package io.rpcboot.spring.autoconfigure.ssl;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.transport.TlsOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;

/**
 * TLS options of one side by SSL bundles; one object for each bundle, so that references
 * with the same bundle share connections. Follows the changes of bundles. Any thread.
 *
 * @since 0.1.0
 */
public final class TlsBundles {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private final SslBundles bundles;

	private final UnaryOperator<TlsOptions> settings;

	private final BiConsumer<TlsOptions, TlsOptions> renewal;

	private final Map<String, TlsOptions> made = new ConcurrentHashMap<>();

	/**
	 * Creates the options of a side.
	 * @param settings adds what is not in a bundle
	 * @param renewal gets the first options of a bundle and the newest ones after each
	 * change
	 */
	public TlsBundles(SslBundles bundles, UnaryOperator<TlsOptions> settings,
			BiConsumer<TlsOptions, TlsOptions> renewal) {
		this.bundles = bundles;
		this.settings = settings;
		this.renewal = renewal;
	}

	/**
	 * Returns the options for a bundle.
	 * @param property property that has the name
	 * @param name name of the bundle
	 * @throws InvalidPropertyException if there is no such bundle, or it cannot be read
	 */
	public TlsOptions get(String property, String name) {
		return this.made.computeIfAbsent(name, (any) -> {
			List<String> known = this.bundles.getBundleNames();
			if (!known.contains(name)) {
				throw new InvalidPropertyException(property, "'" + name + "'",
						"the name of a bundle of spring.ssl.bundle: "
								+ (known.isEmpty() ? "there is none" : String.join(", ", known)));
			}
			this.bundles.addBundleUpdateHandler(name, (bundle) -> renew(property, name, bundle));
			try {
				return options(this.bundles.getBundle(name));
			}
			catch (RuntimeException ex) {
				throw new InvalidPropertyException(property, "'" + name + "' cannot be read: " + ex.getMessage(),
						"a bundle whose files can be read");
			}
		});
	}

	private TlsOptions options(SslBundle bundle) {
		SslManagerBundle managers = bundle.getManagers();
		boolean hasKeys = bundle.getStores().getKeyStore() != null;
		boolean hasTrust = bundle.getStores().getTrustStore() != null;
		TlsOptions options = TlsOptions.of(hasKeys ? managers.getKeyManagerFactory() : null,
				hasTrust ? managers.getTrustManagerFactory() : null);
		SslOptions ofBundle = bundle.getOptions();
		if (ofBundle.getEnabledProtocols() != null) {
			options = options.withProtocols(List.of(ofBundle.getEnabledProtocols()));
		}
		if (ofBundle.getCiphers() != null) {
			options = options.withCiphers(List.of(ofBundle.getCiphers()));
		}
		return this.settings.apply(options);
	}

	/** Hands on the options of a changed bundle. A wrong one leaves what works. */
	private void renew(String property, String name, SslBundle bundle) {
		TlsOptions first = this.made.get(name);
		if (first == null) {
			return;
		}
		try {
			this.renewal.accept(first, options(bundle));
			logger.info("SSL bundle {} of {} has changed; new connections use it, and older ones are replaced", name,
					property);
		}
		catch (RuntimeException ex) {
			logger.error("SSL bundle {} of {} has changed and cannot be used; connections keep the one before: {}",
					name, property, ex.getMessage());
		}
	}

}
