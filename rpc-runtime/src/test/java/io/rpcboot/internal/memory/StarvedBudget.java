package io.rpcboot.internal.memory;

import io.rpcboot.fixture.HeapHog;

/** A process in which reservations of a budget wait and enter without memory. */
final class StarvedBudget {

	private static final int WAITERS = 6;

	private final MemoryBudget budget = new MemoryBudget(1000, 0);

	private final Waiter[] waiters = new Waiter[WAITERS];

	private final int[] admitted = new int[WAITERS];

	private StarvedBudget() {
		this.budget.tryReserve(Direction.INCOMING, 700);
		this.budget.overdraw(Direction.OUTGOING, 700);
	}

	public static void main(String[] arguments) {
		HeapHog hog = new HeapHog();
		hog.report((round) -> isRight(hog, round, false) && isRight(hog, round, true));
	}

	/** Starves what waiters do when they come, or when they enter. */
	private static boolean isRight(HeapHog hog, int round, boolean entering) {
		StarvedBudget starved = new StarvedBudget();
		hog.starve(entering ? -1 : round, starved::await);
		hog.starve(entering ? round : -1, starved::release);
		return starved.isRight();
	}

	/** Two owners of outgoing bytes and small and large peers. */
	private void await() {
		for (int i = 0; i < WAITERS; i++) {
			int number = i;
			Runnable task = () -> this.admitted[number]++;
			this.waiters[i] = (i % 3 > 0)
					? this.budget.reserveInTurnOf("owner " + i % 3, 600, i > 3, (waiter) -> task.run())
					: this.budget.reserveInTurn(Direction.INCOMING, (i > 0) ? 600 : 40, i > 0, 0, task);
		}
	}

	private void release() {
		for (int i = 0; i < 2 * WAITERS; i++) {
			for (Direction direction : Direction.values()) {
				this.budget.release(direction, this.budget.used(direction));
			}
		}
	}

	private boolean isRight() {
		release();
		boolean isRight = this.budget.waiting() == 0;
		for (int i = 0; i < WAITERS; i++) {
			isRight &= this.admitted[i] == ((this.waiters[i] != null) ? 1 : 0);
		}
		if (!isRight) {
			System.out.println(
					"waiting: " + this.budget.waiting() + ", admitted: " + java.util.Arrays.toString(this.admitted));
		}
		return isRight;
	}

}
