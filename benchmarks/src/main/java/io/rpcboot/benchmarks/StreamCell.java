package io.rpcboot.benchmarks;

import io.rpcboot.benchmarks.streams.Direction;

/**
 * One cell of the comparison of streams.
 *
 * @param direction who sends
 * @param streams streams that are open at the same time
 * @param bytes size of an element
 */
record StreamCell(Direction direction, int streams, int bytes) {

	/** The file of 1 GB, seen as parts of this size. */
	static final StreamCell FILE = new StreamCell(Direction.BYTES, 1, 64 * 1024);

	private static final int GIB = 1024 * 1024 * 1024;

	private static final int KIB = 1024;

	private static final int FIRST = 64;

	/** The streams of one turn do not wait for each other, so each has some elements. */
	private static final int LEAST = 16;

	/**
	 * Elements of each stream of a turn.
	 * @param rate elements a second over all streams, 0 if unknown
	 * @param millis how long the turn shall take
	 */
	int elements(double rate, long millis) {
		if (this.direction == Direction.BYTES) {
			return GIB / this.bytes;
		}
		if (rate <= 0) {
			return FIRST;
		}
		return (int) Math.max(LEAST, rate * millis / 1e3 / this.streams);
	}

	@Override
	public String toString() {
		if (this.direction == Direction.BYTES) {
			return this.direction.label() + " of 1 GB";
		}
		String size = (this.bytes % KIB == 0) ? this.bytes / KIB + " KB" : this.bytes + " B";
		return this.direction.label() + ", " + this.streams + " of " + size;
	}

}
