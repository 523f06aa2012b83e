package io.rpcboot.loadbalance;

/**
 * How many calls an instance may have under way: a factor times its share of all of them.
 * Their sum is taken anew for each choice among 16, for fewer choices among more, so that
 * its cost does not grow with them. Any thread; a sum that is a little old does no harm.
 */
final class LoadBound {

	/** An instance with fewer calls than that has room, however idle the others are. */
	private static final int LEAST = 4;

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

	void look(Candidates candidates) {
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

	boolean hasRoom(int index, Candidates candidates) {
		int pending = candidates.pendingCalls(index);
		return pending < LEAST || pending < this.factor * this.callsByWeight * candidates.weight(index);
	}

}
