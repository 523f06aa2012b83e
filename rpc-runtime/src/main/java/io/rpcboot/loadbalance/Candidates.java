package io.rpcboot.loadbalance;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.registry.ServiceInstance;

/**
 * The instances among which a {@link LoadBalancer} chooses, by index, and the call for
 * which it does. Which instances these are does not change during a choice; the numbers
 * may, because event loops write them meanwhile. No method allocates, blocks or takes a
 * lock, and each number is computed when it is asked for.
 * <p>
 * The numbers are those of this client alone and belong to an endpoint: they cover all
 * references that share its connections. They are written per connection without
 * synchronization, so a reader may see them some replies late, and two of them from
 * different replies.
 * <p>
 * Latency and outcomes are measured on a connection from the first time that a balancer
 * asks for one of them; a client whose balancers never ask does not measure. Measured are
 * calls that were sent and expect an answer. Older calls fade: a call that ended
 * {@code t} seconds ago counts {@code exp(-t / 5)}, so 1 at its end, 0.37 after five
 * seconds and 0.05 after fifteen.
 * <p>
 * Each method with an index throws {@link IndexOutOfBoundsException} if the index is not
 * from 0 to {@code size() - 1}.
 */
public interface Candidates {

	/**
	 * The number of candidates.
	 * @return one or more
	 */
	int size();

	/**
	 * A candidate.
	 * @param index which one
	 * @return the instance as its registry knows it; for an address from the
	 * configuration id and application are empty
	 */
	ServiceInstance instance(int index);

	/**
	 * All candidates, in the order of their indexes. A balancer that prepares something
	 * for a set of instances can keep it with this list.
	 * @return never changes; the same list object means the same candidates as before,
	 * but the same candidates may come in another list
	 */
	List<ServiceInstance> instances();

	/**
	 * Share of the calls that a candidate should get, in relation to the others: what the
	 * instance states, less while it is starting or has just recovered. All of them are
	 * multiplied by 100 then.
	 * @param index which one
	 * @return 1 or more, 100 for an instance that states none
	 */
	default int weight(int index) {
		return instance(index).weight();
	}

	/**
	 * A candidate at random, in proportion to the weights; of those that the call has not
	 * {@linkplain #wasTried tried}, while there is one.
	 * @return its index
	 */
	default int random() {
		long total = 0;
		for (int i = 0; i < size(); i++) {
			total += wasTried(i) ? 0 : weight(i);
		}
		if (total == 0) {
			return ThreadLocalRandom.current().nextInt(size());
		}
		long point = ThreadLocalRandom.current().nextLong(total);
		int chosen = -1;
		while (point >= 0) {
			chosen++;
			point -= wasTried(chosen) ? 0 : weight(chosen);
		}
		return chosen;
	}

	/**
	 * When a candidate started, by its own clock.
	 * @param index which one
	 * @return milliseconds since 1970; 0 if unknown, as for an address from the
	 * configuration
	 */
	default long startedAtMillis(int index) {
		return instance(index).startedAtMillis();
	}

	/**
	 * Calls that this client has sent to a candidate and that have no answer yet. A call
	 * counts from when the event loop writes it, so calls that several threads start at
	 * the same time do not see each other. One-way calls do not count.
	 * @param index which one
	 * @return 0 or more
	 */
	int pendingCalls(int index);

	/**
	 * How long recent calls to a candidate took, from the start of the call to its
	 * answer: a mean over time, not over calls, in which older times fade. Calls that
	 * succeeded or whose deadline passed count, so an instance that refuses at once does
	 * not look fast. Calls that waited for an instance or came back from one do not
	 * count. Several connections to an endpoint count equally. It halves in each second
	 * without an answer, so that an instance that was spared is tried again.
	 * @param index which one
	 * @return nanoseconds; 0 if unknown, because no such call has ended in the last 30
	 * seconds or the measurement has just begun
	 */
	long latencyNanos(int index);

	/**
	 * Recent calls to a candidate whose status does not speak against it: every status
	 * but those of {@link #recentFailures} and {@code CANCELLED}, so those in which the
	 * implementation threw what its interface declares as well. They fade.
	 * @param index which one
	 * @return 0 or more, with fractions; 0 while unknown
	 */
	double recentSuccesses(int index);

	/**
	 * Recent calls to a candidate whose status speaks against it: {@code UNAVAILABLE},
	 * {@code DEADLINE_EXCEEDED}, {@code RESOURCE_EXHAUSTED}, {@code INTERNAL} and
	 * {@code APPLICATION}, whether the server answered so or this client found it out.
	 * They fade, and survive the connection on which they happened.
	 * @param index which one
	 * @return 0 or more, with fractions; 0 while unknown
	 */
	double recentFailures(int index);

	/**
	 * Whether the call was sent to the endpoint of a candidate before and came back
	 * without having run. If the choice leads to the connection from which it has just
	 * come back, the call is not sent there: it waits, the first time without a pause,
	 * and is chosen for again.
	 * @param index which one
	 * @return false for every candidate in the first attempt
	 */
	boolean wasTried(int index);

	/**
	 * The method of the call.
	 * @return the method, the same object for all calls of it through one reference
	 */
	MethodDescriptor method();

	/**
	 * The key of the call: calls with the same key should go to the same instance. It is
	 * the hash of the text that the attachment
	 * {@value io.rpcboot.resilience.RoutingOptions#KEY_ATTACHMENT} or the argument with
	 * {@link io.rpcboot.RouteKey @RouteKey} has, the same in every process.
	 * @return never 0, unless the call has no key
	 */
	default int keyHash() {
		return 0;
	}

	/**
	 * How often the call came back without having run.
	 * @return 0 for the first attempt
	 */
	int attempt();

}
