package io.rpcboot.loadbalance;

/**
 * Chooses the instance of a call. One object serves one reference. All callers of the
 * reference use it at the same time, and event loops when a call is sent again, so an
 * implementation is thread-safe and does not block. A reference with one instance does
 * not use its balancer.
 * <p>
 * A faulty implementation loses no call: if it throws, or returns an invalid index, the
 * error is logged and a random instance is chosen. For example, the less busy of two
 * random instances: <pre>{@code
 * LoadBalancer balancer = (candidates) -> {
 *     ThreadLocalRandom random = ThreadLocalRandom.current();
 *     int one = random.nextInt(candidates.size());
 *     int other = random.nextInt(candidates.size());
 *     return (candidates.pendingCalls(one) <= candidates.pendingCalls(other)) ? one : other;
 * };
 * }</pre>
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LoadBalancer {

	/**
	 * Chooses an instance.
	 * @param candidates the call, and the instances that can take it now, 1 or more;
	 * valid until this method returns
	 * @return index of the chosen candidate, from 0 to {@code candidates.size() - 1}
	 */
	int choose(Candidates candidates);

}
