package io.rpcboot.spring.autoconfigure.ssl;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.transport.TlsOptions;
import io.rpcboot.transport.TlsOptions.ClientMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.core.env.Environment;

/**
 * TLS options of one side by SSL bundles; one object for each bundle, so that references
 * with the same bundle share connections. Follows the changes of bundles. Any thread.
 *
 * @since 0.1.0
 */
public final class TlsBundles implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	private static final List<String> KEY_TYPES = List.of("RSA", "EC", "EdDSA", "DSA");

	private final SslBundles bundles;

	private final UnaryOperator<TlsOptions> settings;

	private final BiConsumer<TlsOptions, TlsOptions> renewal;

	private final Executor later;

	private final Map<String, TlsOptions> made = new ConcurrentHashMap<>();

	/** Options of references that always use TLS, by name of the bundle. */
	private final Map<String, TlsOptions> required = new ConcurrentHashMap<>();

	/** Reasons why the newest material of bundles is not used, by name of the bundle. */
	private final Map<String, String> problems = new ConcurrentHashMap<>();

	private volatile boolean closed;

	/**
	 * Creates the options of a side.
	 * @param settings adds what is not in a bundle
	 * @param renewal gets the first options of a bundle and the newest ones after each
	 * change
	 */
	public TlsBundles(SslBundles bundles, UnaryOperator<TlsOptions> settings,
			BiConsumer<TlsOptions, TlsOptions> renewal) {
		this(bundles, settings, renewal, CompletableFuture.delayedExecutor(1, TimeUnit.MINUTES));
	}

	/**
	 * Creates the options of a side.
	 * @param later runs a task after a pause
	 */
	TlsBundles(SslBundles bundles, UnaryOperator<TlsOptions> settings, BiConsumer<TlsOptions, TlsOptions> renewal,
			Executor later) {
		this.bundles = bundles;
		this.settings = settings;
		this.renewal = renewal;
		this.later = later;
	}

	/** Returns true if a property has a value, whatever its default is. */
	public static boolean isSet(Environment environment, String property) {
		return Binder.get(environment).bind(property, String.class).isBound();
	}

	/**
	 * Returns the refusal of a setting that has no effect without a bundle.
	 * @param prefix prefix of the side, with a dot at its end
	 * @param option the setting below it
	 */
	public static InvalidPropertyException missing(String prefix, String option, Object value) {
		String text = value.toString().toLowerCase(Locale.ROOT);
		String bundle = prefix + "ssl.bundle";
		return new InvalidPropertyException(prefix + option, prefix + option,
				"%s, but %s is not set".formatted(text, bundle),
				"a bundle, because there is only clear text without one",
				"Set %s to the name of a bundle of spring.ssl.bundle, or remove %s.".formatted(bundle,
						prefix + option));
	}

	/**
	 * Returns why the newest material of bundles is not used.
	 * @return reasons by name of the bundle; empty if all is in use
	 */
	public Map<String, String> problems() {
		return Map.copyOf(this.problems);
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
			this.bundles.addBundleUpdateHandler(name, (bundle) -> renew(property, name, bundle, false));
			try {
				return options(name, this.bundles.getBundle(name));
			}
			catch (RuntimeException ex) {
				throw new InvalidPropertyException(property, "'" + name + "' cannot be read: " + ex.getMessage(),
						"a bundle whose files can be read");
			}
		});
	}

	/**
	 * Returns the options of a reference with its own bundle, which always uses TLS.
	 * @param property property that has the name
	 * @param name name of the bundle
	 * @throws InvalidPropertyException if there is no such bundle, or it cannot be read
	 */
	public TlsOptions always(String property, String name) {
		TlsOptions options = get(property, name);
		return (options.clientMode() == ClientMode.REQUIRED) ? options
				: this.required.computeIfAbsent(name, (any) -> options.withClientMode(ClientMode.REQUIRED));
	}

	private TlsOptions options(String name, SslBundle bundle) {
		SslManagerBundle managers = bundle.getManagers();
		boolean hasKeys = bundle.getStores().getKeyStore() != null || hasKey(managers.getKeyManagers());
		TlsOptions options = TlsOptions.of(hasKeys ? managers.getKeyManagerFactory() : null,
				managers.getTrustManagerFactory());
		SslOptions ofBundle = bundle.getOptions();
		if (ofBundle.getEnabledProtocols() != null) {
			options = options.withProtocols(List.of(ofBundle.getEnabledProtocols()));
		}
		if (ofBundle.getCiphers() != null) {
			options = options.withCiphers(List.of(ofBundle.getCiphers()));
		}
		return this.settings.apply(options.withName(name));
	}

	/** Returns true if a bundle without a key store brings key managers with a key. */
	private static boolean hasKey(KeyManager[] managers) {
		return Stream.of(managers)
			.filter(X509KeyManager.class::isInstance)
			.map(X509KeyManager.class::cast)
			.anyMatch((each) -> KEY_TYPES.stream().anyMatch((type) -> each.getClientAliases(type, null) != null));
	}

	/**
	 * Hands on the options of a changed bundle. A wrong one leaves what works, and is
	 * tried again: its certificate may not be valid yet, or a file not be written.
	 */
	private void renew(String property, String name, SslBundle bundle, boolean again) {
		TlsOptions first = this.made.get(name);
		if (first == null || this.closed) {
			return;
		}
		try {
			TlsOptions next = options(name, bundle);
			this.renewal.accept(first, next);
			TlsOptions required = this.required.get(name);
			if (required != null) {
				this.renewal.accept(required, next.withClientMode(ClientMode.REQUIRED));
			}
			this.problems.remove(name);
			logger.info("SSL bundle {} of {} has changed; new connections use it, and older ones are replaced", name,
					property);
		}
		catch (RuntimeException ex) {
			String problem = String.valueOf(ex.getMessage());
			String before = this.problems.put(name, problem);
			if (!problem.equals(before)) {
				logger.error("SSL bundle {} of {} has changed and cannot be used; connections keep the one before: {}",
						name, property, problem);
			}
			if (before == null || again) {
				this.later.execute(() -> tryAgain(property, name));
			}
		}
	}

	private void tryAgain(String property, String name) {
		if (this.problems.containsKey(name)) {
			renew(property, name, this.bundles.getBundle(name), true);
		}
	}

	/** Ends the attempts to use a wrong bundle. */
	@Override
	public void close() {
		this.closed = true;
	}

}
