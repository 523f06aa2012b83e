package io.rpcboot.registry;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

import io.rpcboot.ServiceId;
import org.jspecify.annotations.Nullable;

/**
 * Directory of service instances: servers register, clients subscribe. Thread-safe. No
 * method waits for a server, except {@link #close()}, and neither does a constructor.
 * <p>
 * A registry of your own implements this interface and is given to {@code
 * RpcClient.builder().registry(...)} and {@code RpcServer.builder().registry(...)}, or
 * declared as a bean. For example, the instances of a file that other tools write:
 * <pre>{@code
 * public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
 *     Lookup<List<ServiceInstance>> lookup = new Lookup<>("Instances of " + service,
 *             () -> read(service), listener, Duration.ofSeconds(10), this.threads);
 *     lookup.now();
 *     return lookup::close;
 * }
 * }</pre>
 *
 * @see Lookup
 * @since 0.1.0
 */
public interface Registry extends AutoCloseable {

	/**
	 * Registers an instance until the registration is closed. The instance is written as
	 * soon as the registry is reachable, and again whenever the registry has lost it.
	 * @param instance the instance
	 * @return the registration; closing it removes the instance
	 * @throws IllegalStateException if this registry is closed
	 */
	Registration register(ServiceInstance instance);

	/**
	 * Subscribes to the instances of a service, which need not exist yet.
	 * @param service the service
	 * @param listener receives complete lists: the first one soon, then one at each
	 * change. One call at a time, never on a thread of the registry's client library.
	 * While the registry is unreachable there are no calls: the last list stays valid
	 * @return the subscription; closing it ends the calls
	 * @throws IllegalStateException if this registry is closed
	 */
	Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener);

	/**
	 * Returns the current state.
	 * @return the state
	 */
	RegistryState state();

	/**
	 * Returns the time at which the current state began, by the clock of this host.
	 * @return the instant, null if the registry does not record it
	 */
	default @Nullable Instant stateSince() {
		return null;
	}

	/**
	 * Returns the number of times that the registry became unreachable since it was
	 * created.
	 * @return 0 or more, never falls; 0 also if the registry does not count
	 */
	default long outages() {
		return 0;
	}

	/**
	 * Returns true if servers register their instances here. Otherwise another system
	 * registers them, and servers never call {@link #register}.
	 * @return true by default
	 */
	default boolean takesRegistrations() {
		return true;
	}

	/**
	 * Returns true if subscribers know an instance as soon as {@link #register} returns.
	 * Then a list without instances is final until the next registration, and calls fail
	 * at once. Otherwise an instance may be registered and not named yet, and calls wait
	 * for it.
	 * @return false by default
	 * @since 0.1.0
	 */
	default boolean isSynchronous() {
		return false;
	}

	/**
	 * Returns true if all users of this registry run on this host, so that a server may
	 * register a loopback address.
	 * @return true for an in-memory registry and for registry servers on loopback
	 */
	boolean isLocal();

	/**
	 * Returns the kind and the address of this registry, for messages.
	 * @return for example {@code zookeeper at 10.0.0.5:2181}
	 */
	String description();

	/**
	 * Returns the kind of this registry: one word in lower case, the same for every
	 * registry of the kind. Tools choose advice by it; nothing in the engine depends on
	 * it. Known kinds are {@code zookeeper}, {@code in-memory}, {@code discovery-client}
	 * and {@code dns}. A decorator returns the kind of the registry that it decorates.
	 * @return for example {@code consul}; {@code custom} by default
	 * @since 0.1.0
	 */
	default String kind() {
		return "custom";
	}

	/**
	 * Returns a problem that the state does not show: the registry refuses this process,
	 * or the instances come from a snapshot. Event loops call this, so it must not block.
	 * @return for example {@code refuses the user 'shop' (NoAuth for /rpc/services): set
	 * ...}; empty if there is none
	 */
	default String problem() {
		return "";
	}

	/**
	 * Returns a hint for the message of a call that found no instance. Event loops call
	 * this for each such call, so it must not block.
	 * @param service the service without instances
	 * @return for example {@code known here: demo.Greeting:1}; empty for no hint
	 */
	default String adviceWithoutInstance(ServiceId service) {
		return "";
	}

	/**
	 * Removes all registrations of this object and ends all subscriptions. Waits at most
	 * a few seconds.
	 */
	@Override
	void close();

	/** A registered instance. */
	interface Registration extends AutoCloseable {

		/**
		 * Returns true if the registry has the instance, as far as this process knows.
		 * @return true once the instance is written
		 */
		boolean isRegistered();

		/**
		 * Returns the place of the instance in the registry.
		 * @return for example the path of a node
		 */
		String location();

		/**
		 * Changes the instance, for example its weight, without removing it. Does not
		 * wait for the registry.
		 * @param instance an instance with the same id, application, endpoint and
		 * services
		 * @return false if the registry cannot change an instance, so that it must be
		 * removed and registered again
		 */
		default boolean update(ServiceInstance instance) {
			return false;
		}

		/**
		 * Removes the instance. Returns when that is done, or after a few seconds if the
		 * registry is unreachable; the instance then expires there. Repeated calls have
		 * no effect.
		 */
		@Override
		void close();

	}

	/** A subscription to the instances of a service. */
	interface Subscription extends AutoCloseable {

		/**
		 * Requests a look-up, because an instance is unreachable or none is known. A
		 * registry that polls does it now; a registry that is notified of changes does
		 * nothing. Event loops call this often, so it must not block.
		 */
		default void lookAgain() {
		}

		/**
		 * Returns true if the last list is what the registry reported last. Does not
		 * block.
		 * @return false if the registry lists no instance any more and the earlier list
		 * is kept; true also if the registry does not know
		 */
		default boolean isCurrent() {
			return true;
		}

		/** Ends the calls of the listener. Repeated calls have no effect. */
		@Override
		void close();

	}

}
