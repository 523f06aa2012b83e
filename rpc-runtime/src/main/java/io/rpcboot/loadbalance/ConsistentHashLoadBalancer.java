package io.rpcboot.loadbalance;

/**
 * Sends calls with the same {@linkplain Candidates#keyHash key} to the same instance, in
 * proportion to the weights; another balancer chooses for calls without a key. If an
 * instance joins or leaves, only its own keys move. All clients choose alike. An instance
 * with clearly more pending calls than its share is skipped, so that a hot key cannot
 * overload its instance.
 * <p>
 * The algorithm is consistent hashing with bounded loads (Mirrokni, Thorup,
 * Zadimoghaddam, 2016).
 *
 * @since 0.1.0
 */
public final class ConsistentHashLoadBalancer implements LoadBalancer {

	/**
	 * Maximum load in relation to the share of an instance. A lower factor moves keys
	 * without need, a higher one overloads the instance of a hot key.
	 */
	private static final double LOAD_FACTOR = 1.25;

	/** Maximum of cached rings. There is one list of candidates for each tag. */
	private static final int MOST_RINGS = 16;

	private final LoadBalancer withoutKey;

	private final double loadFactor;

	/** Newest first. */
	private volatile HashRing[] rings = {};

	/**
	 * Creates a balancer with a load factor of 1.25.
	 * @param withoutKey chooses for calls without a key
	 */
	public ConsistentHashLoadBalancer(LoadBalancer withoutKey) {
		this(withoutKey, LOAD_FACTOR);
	}

	/**
	 * Creates a balancer.
	 * @param withoutKey chooses for calls without a key
	 * @param loadFactor maximum of the pending calls of an instance in relation to its
	 * share, above 1. With {@link Double#POSITIVE_INFINITY} a key always stays with its
	 * instance. Fewer than four pending calls are never too many
	 * @throws IllegalArgumentException if the factor is 1 or less
	 */
	public ConsistentHashLoadBalancer(LoadBalancer withoutKey, double loadFactor) {
		if (!(loadFactor > 1)) {
			throw new IllegalArgumentException("load factor %s (expected: more than 1)".formatted(loadFactor));
		}
		this.withoutKey = withoutKey;
		this.loadFactor = loadFactor;
	}

	@Override
	public int choose(Candidates candidates) {
		int key = candidates.keyHash();
		return (key == 0) ? this.withoutKey.choose(candidates) : ring(candidates).choose(key, candidates);
	}

	private HashRing ring(Candidates candidates) {
		for (HashRing each : this.rings) {
			if (each.isOf(candidates)) {
				return each;
			}
		}
		return add(candidates);
	}

	private synchronized HashRing add(Candidates candidates) {
		HashRing[] known = this.rings;
		for (HashRing each : known) {
			if (each.isOf(candidates)) {
				return each;
			}
		}
		HashRing[] more = new HashRing[Math.min(MOST_RINGS, known.length + 1)];
		more[0] = new HashRing(candidates, this.loadFactor);
		System.arraycopy(known, 0, more, 1, more.length - 1);
		this.rings = more;
		return more[0];
	}

}
