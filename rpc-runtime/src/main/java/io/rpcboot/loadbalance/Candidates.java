package io.rpcboot.loadbalance;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.registry.ServiceInstance;

/**
 * Instances among which a {@link LoadBalancer} chooses, by index, and the call. The
 * instances do not change during a choice; the numbers may, because event loops write
 * them. No method allocates, blocks or takes a lock, and each number is computed on
 * request.
 * <p>
 * The numbers are those of this client and of an endpoint: they include all references
 * that share its connections. Each connection writes them without synchronization, so a
 * value may lag by some replies, and two values may come from different replies.
 * <p>
 * Latency and outcomes are measured on a connection from the first request of a balancer
 * on; without requests nothing is measured. Only calls that were sent and expect a reply
 * are measured. Their weight decays: a call that ended {@code t} seconds ago counts
 * {@code exp(-t / 5)}: 1 at its end, 0.37 after 5 s and 0.05 after 15 s.
 * <p>
 * Each method with an index throws {@link IndexOutOfBoundsException} if the index is not
 * from 0 to {@code size() - 1}.
 *
 * @since 0.1.0
 */
public interface Candidates {

	/**
	 * Returns the number of candidates.
	 * @return 1 or more
	 */
	int size();

	/**
	 * Returns a candidate.
	 * @param index index of the candidate
	 * @return the instance as its registry describes it; an instance from a configured
	 * address has an empty id and application
	 */
	ServiceInstance instance(int index);

	/**
	 * Returns all candidates in the order of their indexes. A balancer may cache by this
	 * list what it prepares for a set of instances.
	 * @return an immutable list; the same list object means the same candidates, but the
	 * same candidates may come in another list
	 */
	List<ServiceInstance> instances();

	/**
	 * Returns the share of the calls for a candidate in relation to the others: the
	 * weight of the instance, reduced during its slow start and after an ejection. All
	 * weights are then multiplied by 100.
	 * @param index index of the candidate
	 * @return 1 or more, 100 for an instance without a configured weight
	 */
	default int weight(int index) {
		return instance(index).weight();
	}

	/**
	 * Returns a random candidate, in proportion to the weights. Candidates that the call
	 * has {@linkplain #wasTried tried} are skipped while there are others.
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
	 * Returns the start time of a candidate, by its own clock.
	 * @param index index of the candidate
	 * @return milliseconds since 1970; 0 if unknown, for example for a configured address
	 */
	default long startedAtMillis(int index) {
		return instance(index).startedAtMillis();
	}

	/**
	 * Returns the calls that this client has sent to a candidate and that have no reply
	 * yet. A call counts from its write by the event loop, so calls that several threads
	 * start at the same time do not see each other. One-way calls do not count.
	 * @param index index of the candidate
	 * @return 0 or more
	 */
	int pendingCalls(int index);

	/**
	 * Returns the latency of recent calls to a candidate, from the start of a call to its
	 * reply: a mean over time, not over calls, in which older times decay. Calls that
	 * succeeded or missed their deadline count, so that an instance that rejects at once
	 * does not look fast. Calls that waited for an instance or were returned by one do
	 * not count. Several connections to an endpoint count equally. The value halves in
	 * each second without a reply, so that a spared instance is tried again.
	 * @param index index of the candidate
	 * @return nanoseconds; 0 if unknown, because no such call has ended in the last 30 s
	 * or the measurement has just begun
	 */
	long latencyNanos(int index);

	/**
	 * Returns the recent calls to a candidate with any status but {@code CANCELLED} and
	 * those of {@link #recentFailures}, so also calls whose implementation threw a
	 * declared exception. Their weight decays.
	 * @param index index of the candidate
	 * @return 0 or more, with fractions; 0 while unknown
	 */
	double recentSuccesses(int index);

	/**
	 * Returns the recent calls to a candidate with status {@code UNAVAILABLE}, {@code
	 * DEADLINE_EXCEEDED}, {@code RESOURCE_EXHAUSTED}, {@code INTERNAL}, {@code
	 * APPLICATION}, {@code UNKNOWN} or {@code DATA_LOSS}, set by the server or by this
	 * client. Their weight decays. The number survives the connection on which they
	 * happened.
	 * @param index index of the candidate
	 * @return 0 or more, with fractions; 0 while unknown
	 */
	double recentFailures(int index);

	/**
	 * Returns true if the call was sent to the endpoint of a candidate before and was
	 * returned without execution. If the choice leads to the connection that has just
	 * returned the call, the call is not sent: it waits, the first time without a pause,
	 * and another choice is made.
	 * @param index index of the candidate
	 * @return false for every candidate in the first attempt
	 */
	boolean wasTried(int index);

	/**
	 * Returns the method of the call.
	 * @return the same object for all calls of the method through one reference
	 */
	MethodDescriptor method();

	/**
	 * Returns the key of the call: calls with the same key should go to the same
	 * instance. It is the hash of the text of attachment
	 * {@value io.rpcboot.resilience.RoutingOptions#KEY_ATTACHMENT} or of the argument
	 * with {@link io.rpcboot.RpcRouteKey @RpcRouteKey}, the same in every process.
	 * @return 0 only if the call has no key
	 */
	default int keyHash() {
		return 0;
	}

	/**
	 * Returns the number of times that the call was returned without execution.
	 * @return 0 for the first attempt
	 */
	int attempt();

}
