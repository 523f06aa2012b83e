package io.rpcboot.loadbalance;

/**
 * Maximum of pending calls of an instance: {@code factor * weight * (1 + allPendingCalls)
 * / allWeights}. For example, factor 1.25, weight 100 of 400 and 39 pending calls: up to
 * 12 calls. The sum of pending calls is taken at each choice among up to 16 instances,
 * among n instances at each choice of {@code n / 16}, so that its cost does not grow. Any
 * thread; an outdated sum is harmless.
 */
final class LoadBound {

	/** An instance with fewer pending calls is never overloaded. */
	private static final int LEAST = 4;

	/** Number of instances per choice whose calls are summed up. */
	private static final int AT_ONCE = 16;

	private final double factor;

	private final double weights;

	private final int choices;

	private int left;

	private volatile double callsByWeight;

	LoadBound(Candidates candidates, double factor) {
		this.factor = factor;
		long sum = 0;
		for (int i = 0; i < candidates.size(); i++) {
			sum += candidates.weight(i);
		}
		this.weights = sum;
		this.choices = candidates.size() / AT_ONCE;
	}

	void update(Candidates candidates) {
		int before = this.left;
		if (before > 0) {
			this.left = before - 1;
			return;
		}
		this.left = this.choices;
		long calls = 1;
		for (int i = 0; i < candidates.size(); i++) {
			calls += candidates.pendingCalls(i);
		}
		this.callsByWeight = calls / this.weights;
	}

	boolean isBelow(int index, Candidates candidates) {
		int pending = candidates.pendingCalls(index);
		return pending < LEAST || pending < this.factor * this.callsByWeight * candidates.weight(index);
	}

}
