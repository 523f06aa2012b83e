package io.rpcboot.registry;

import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

import io.rpcboot.ServiceId;
import org.jspecify.annotations.Nullable;

/**
 * The directory: who offers which service where. Thread-safe. Nothing blocks: neither
 * creating a registry nor any method waits for a server to be reachable.
 */
public interface Registry extends AutoCloseable {

	/**
	 * Offer an instance until the registration is closed. It is written as soon as the
	 * registry can be reached, and again whenever the registry has lost it.
	 * @param instance the instance
	 * @return closing it takes the instance out
	 */
	Registration register(ServiceInstance instance);

	/**
	 * Follow the instances of a service. The service need not exist yet.
	 * @param service the service
	 * @param listener called with a complete snapshot, once soon and then at each change,
	 * one call at a time, never on a thread of the registry's own client. While the
	 * registry is away nothing is called: the last good snapshot holds.
	 * @return closing it ends the calls
	 */
	Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener);

	/**
	 * Whether the registry can be reached now.
	 * @return the state
	 */
	RegistryState state();

	/**
	 * Since when the state is what it is, by the clock of this host.
	 * @return the instant, null if the registry does not keep it
	 */
	default @Nullable Instant stateSince() {
		return null;
	}

	/**
	 * How often the registry could be reached no longer since it was created.
	 * @return the number, which only rises; 0, too, if the registry does not count
	 */
	default long outages() {
		return 0;
	}

	/**
	 * Whether instances are registered here. If not, something else makes them known, and
	 * {@link #register} is never called by a server.
	 * @return true unless the registry says otherwise
	 */
	default boolean takesRegistrations() {
		return true;
	}

	/**
	 * Whether all who see this registry are on this host, so that a loopback address may
	 * be advertised.
	 * @return true for an in-memory registry and for servers on loopback
	 */
	boolean isLocal();

	/**
	 * A word for people: what kind, and where.
	 * @return for example {@code zookeeper at 10.0.0.5:2181}
	 */
	String description();

	/**
	 * What a person should know beside the state: that the registry does not let this
	 * process in, or where lists of instances come from while it is away. Asked by event
	 * loops, too, so it must not block.
	 * @return for example
	 * {@code refuses the user 'shop' (NoAuth for /rpc/services): set ...}; empty for
	 * nothing
	 */
	default String problem() {
		return "";
	}

	/**
	 * What helps a person whose call found no instance of a service. Asked at each such
	 * failure by event loops, so it must not block.
	 * @param service the service that nobody offers
	 * @return for example {@code known here: demo.Greeting:1}; empty for nothing
	 */
	default String adviceWithoutInstance(ServiceId service) {
		return "";
	}

	/**
	 * Take out every registration of this object and end every subscription. Waits at
	 * most a few seconds.
	 */
	@Override
	void close();

	/** An instance that is offered. */
	interface Registration extends AutoCloseable {

		/**
		 * Whether the registry holds the instance now, as far as is known.
		 * @return true once it is written
		 */
		boolean isRegistered();

		/**
		 * Where the registry holds the instance.
		 * @return for example the path of the node
		 */
		String location();

		/**
		 * Say something else of the instance, such as another weight, while it stays
		 * where it is. Does not wait for the registry.
		 * @param instance with the same id, application, endpoint and services
		 * @return false if the registry cannot do that, so that the instance has to be
		 * taken out and registered again
		 */
		default boolean update(ServiceInstance instance) {
			return false;
		}

		/**
		 * Take the instance out. Returns when that is done or after a few seconds when
		 * the registry cannot be reached; its own expiry then takes it out. Twice does
		 * nothing.
		 */
		@Override
		void close();

	}

	/** A service that is followed. */
	interface Subscription extends AutoCloseable {

		/**
		 * An instance cannot be reached, or none is known: a registry that is asked from
		 * time to time is asked now. One that tells changes by itself does nothing.
		 * Called by event loops, often, so it must not block.
		 */
		default void lookAgain() {
		}

		/**
		 * Whether the last list is what the registry said when it was last heard. Does
		 * not block.
		 * @return false if it names no instance any more and the list before that is
		 * kept; true, too, if the registry does not know
		 */
		default boolean isCurrent() {
			return true;
		}

		/** End the calls of the listener. Twice does nothing. */
		@Override
		void close();

	}

}
