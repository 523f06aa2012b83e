package io.rpcboot.internal.server.lifecycle;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.rpcboot.Endpoint;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.server.runtime.ServerOptions;
import io.rpcboot.internal.text.Enumeration;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry.Registration;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.server.InstanceOptions;
import io.rpcboot.server.RegistrationInfo.Mode;
import io.rpcboot.server.RegistrationInfo;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registration of a server: it is registered while the application accepts traffic and
 * its mode is ONLINE. Thread-safe; changes may block for the registry.
 */
public final class ServerRegistration {

	private static final Logger logger = LoggerFactory.getLogger("rpc.server");

	private final @Nullable Registry registry;

	private final String application;

	private final Set<ServiceId> services;

	private final Set<Protocol> protocols;

	/** True if clients may use TLS. */
	private final boolean tls;

	/** Name in the certificate that clients check; empty for the advertised host. */
	private final String serverName;

	/** Text about TLS for the log; empty for clear text. */
	private final String encryption;

	private final InstantSource clock;

	private final String id = UUID.randomUUID().toString().substring(0, 18);

	private InstanceOptions options;

	private @Nullable Endpoint endpoint;

	/** True while the application accepts traffic. */
	private boolean acceptingTraffic;

	private boolean closed;

	private @Nullable ServiceInstance instance;

	private volatile @Nullable Registration registration;

	private volatile RegistrationInfo info;

	private Consumer<Boolean> readiness = (ready) -> {
	};

	public ServerRegistration(ServerOptions options, Set<ServiceId> services, InstantSource clock) {
		this.registry = options.registry;
		this.application = options.applicationName;
		this.options = options.instance;
		this.services = services;
		this.protocols = options.protocols;
		this.tls = options.hasTls();
		this.serverName = options.serverName();
		this.encryption = options.encryption();
		this.clock = clock;
		this.info = new RegistrationInfo(Mode.ONLINE, options.instance.weight(), "", clock.instant());
	}

	/** Sets the endpoint: the server is bound. */
	public synchronized void bound(AdvertisedAddress chosen, Endpoint advertised) {
		this.endpoint = advertised;
		if (takesRegistrations()) {
			chosen.logChoice(advertised);
		}
		else {
			logOffers(whyNotRegistered());
		}
	}

	private boolean takesRegistrations() {
		return this.registry != null && this.registry.takesRegistrations();
	}

	private String whyNotRegistered() {
		return (this.registry == null) ? "not registered, because it has no registry"
				: "not registered here, but by the means of " + this.registry.description();
	}

	private void logOffers(String where) {
		logger.info("RPC server on {} offers {} over {}{}; {}", this.endpoint, ServiceId.summary(this.services),
				spoken(), placement(), where);
	}

	/** Returns the protocols: {@code native, gRPC and HTTP}. */
	private String spoken() {
		return Enumeration
			.and(Stream.of(Protocol.values()).filter(this.protocols::contains).map((each) -> switch (each) {
				case NATIVE -> "native";
				case GRPC -> "gRPC";
				case CONNECT -> "HTTP";
				case GRPC_WEB -> "gRPC-Web";
			}).toList());
	}

	/**
	 * Returns TLS, and weight, zone and tag, because calls go elsewhere without a word
	 * otherwise.
	 */
	private String placement() {
		List<String> set = new ArrayList<>();
		if (!this.encryption.isEmpty()) {
			set.add(this.encryption);
		}
		if (this.info.weight() != ServiceInstance.DEFAULT_WEIGHT) {
			set.add("weight " + this.info.weight());
		}
		if (!this.options.zone().isEmpty()) {
			set.add("zone " + this.options.zone());
		}
		if (!this.options.tag().isEmpty()) {
			set.add("tag " + this.options.tag());
		}
		return set.isEmpty() ? "" : " with " + String.join(", ", set);
	}

	/**
	 * Sets the listener of the readiness, which is true while the application accepts
	 * traffic and the mode is ONLINE.
	 * @param listener called at once and at changes, also with the same value; must not
	 * block
	 */
	public synchronized void onReadiness(Consumer<Boolean> listener) {
		this.readiness = listener;
		notifyReadiness();
	}

	private void notifyReadiness() {
		this.readiness.accept(this.acceptingTraffic && this.info.mode() == Mode.ONLINE);
	}

	/** Registers the server: the application accepts traffic. */
	public synchronized void register() {
		this.acceptingTraffic = !this.closed;
		notifyReadiness();
		if (this.info.mode() != Mode.ONLINE && this.acceptingTraffic && takesRegistrations()) {
			logOffers("not registered, because it is " + this.info.mode());
		}
		publish();
	}

	private void publish() {
		Registry found = this.registry;
		if (this.registration == null && found != null && found.takesRegistrations() && this.acceptingTraffic
				&& this.info.mode() == Mode.ONLINE) {
			Endpoint advertised = requireBound();
			RegistryState state = found.state();
			logOffers((state == RegistryState.CONNECTED) ? "registered in " + found.description() + reach(found)
					: "will be registered in %s, which is %s".formatted(found.description(), state));
			this.instance = new ServiceInstance(this.id, this.application, advertised, this.options.weight(),
					this.clock.millis(), this.services, this.options.zone(), this.options.tag(), this.protocols,
					this.tls, this.serverName);
			this.registration = found.register(this.instance);
		}
	}

	private static String reach(Registry registry) {
		return (registry instanceof InMemoryRegistry) ? " (this process only)" : "";
	}

	private Endpoint requireBound() {
		if (this.endpoint == null) {
			throw new IllegalStateException("the server is not bound");
		}
		return this.endpoint;
	}

	/** Deregisters the server: the application accepts no traffic. */
	public synchronized void deregister() {
		this.acceptingTraffic = false;
		notifyReadiness();
		withdraw();
	}

	private void withdraw() {
		Registration found = this.registration;
		if (found != null) {
			this.registration = null;
			found.close();
		}
	}

	/**
	 * Changes the mode.
	 * @param changes run after deregistration, or before registration
	 * @return false if the server is in this mode
	 */
	public synchronized boolean change(Mode mode, String reason, Runnable changes) {
		requireOpen();
		if (mode == Mode.OFFLINE && !takesRegistrations()) {
			throw new IllegalStateException(
					"offline: this server is %s, so it cannot leave the choice of clients like this"
						.formatted(whyNotRegistered())
							+ " (expected: a registry that takes registrations; drain works without)");
		}
		if (this.info.mode() == mode) {
			publish(); // the registry may have failed before
			return false;
		}
		this.info = new RegistrationInfo(mode, this.info.weight(), reason, this.clock.instant());
		logger.info("RPC server on {} is {} now: {}", this.endpoint, mode, reason);
		try {
			if (mode != Mode.ONLINE) {
				notifyReadiness();
				withdraw();
			}
		}
		finally { // also if the registry fails
			changes.run();
		}
		notifyReadiness();
		publish();
		return true;
	}

	/** Changes the weight. */
	public synchronized void weight(int weight, String reason) {
		requireOpen();
		InstanceOptions changed = this.options.withWeight(weight);
		if (!takesRegistrations()) {
			throw new IllegalStateException(
					"weight: this server is %s, so clients cannot learn of it".formatted(whyNotRegistered())
							+ " (expected: a registry that takes registrations)");
		}
		int before = this.options.weight();
		if (before == weight) {
			return;
		}
		this.options = changed;
		this.info = new RegistrationInfo(this.info.mode(), weight, this.info.reason(), this.info.since());
		logger.info("RPC server on {} has weight {} now, {} before: {}", this.endpoint, weight, before, reason);
		ServiceInstance registered = this.instance;
		Registration found = this.registration;
		if (found != null && registered != null) {
			this.instance = registered.withWeight(weight);
			if (!found.update(this.instance)) {
				withdraw();
				publish();
			}
		}
	}

	private void requireOpen() {
		if (this.closed) {
			throw new IllegalStateException("the server is closed, or is shutting down");
		}
	}

	/** Deregisters for ever. */
	public synchronized void close() {
		this.closed = true;
		deregister();
	}

	/** Returns the location in the registry, empty if not registered. Never blocks. */
	public String location() {
		Registration found = this.registration;
		return (found != null && found.isRegistered()) ? found.location() : "";
	}

	public RegistrationInfo info() {
		return this.info;
	}

}
