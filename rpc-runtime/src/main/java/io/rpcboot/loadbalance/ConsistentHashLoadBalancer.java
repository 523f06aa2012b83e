package io.rpcboot.loadbalance;

/**
 * Sends calls with the same {@linkplain Candidates#keyHash key} to the same instance, in
 * proportion to the weights, and leaves calls without a key to another balancer. When an
 * instance comes or goes, only the keys move that it gets or had. All clients choose
 * alike. An instance that has clearly more calls under way than its share is passed
 * ("bounded load"), so a key that everybody asks for cannot overrun its instance.
 */
public final class ConsistentHashLoadBalancer implements LoadBalancer {

	/**
	 * An instance may have a quarter more than its share: with less keys move without
	 * need, with more a hot key is felt.
	 */
	private static final double LOAD_FACTOR = 1.25;

	/** Lists of candidates that are known at once: there is one for each tag. */
	private static final int MOST_RINGS = 16;

	private final LoadBalancer withoutKey;

	private final double loadFactor;

	/** The newest first. */
	private volatile HashRing[] rings = {};

	/**
	 * Create a balancer that gives an instance at most 1.25 times its share of the calls
	 * under way.
	 * @param withoutKey chooses for calls without a key
	 */
	public ConsistentHashLoadBalancer(LoadBalancer withoutKey) {
		this(withoutKey, LOAD_FACTOR);
	}

	/**
	 * Create a balancer.
	 * @param withoutKey chooses for calls without a key
	 * @param loadFactor most calls under way at an instance in relation to its share,
	 * above 1; with {@link Double#POSITIVE_INFINITY} a key stays whatever its instance
	 * has to do. Fewer than four calls are no load
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
