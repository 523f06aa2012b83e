package io.rpcboot.hostile.victim;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

import io.rpcboot.fixture.Eventually;

/** Runs the calls of the victim. */
public final class VictimServiceImpl implements VictimService {

	/** Results of these sizes are there from the beginning where they are shared. */
	public static final List<Integer> SHARED_SIZES = List.of(100, 1000, 60_000, 500_000, 7_000_000);

	final LongAdder noticed = new LongAdder();

	/** Results by size; null if each call makes its own. */
	private final Map<Integer, byte[]> shared;

	/**
	 * Create an implementation.
	 * @param sharesResults whether results of one size are one object, so that the heap
	 * holds nothing of the application for a call; only {@link #SHARED_SIZES} may be
	 * asked for then
	 */
	VictimServiceImpl(boolean sharesResults) {
		this.shared = sharesResults ? SHARED_SIZES.stream().collect(Collectors.toMap((size) -> size, byte[]::new))
				: null;
	}

	@Override
	public int add(int left, int right) {
		return left + right;
	}

	@Override
	public byte[] echo(byte[] bytes) {
		return bytes;
	}

	@Override
	public byte[] make(int size) {
		return (this.shared != null) ? this.shared.get(size) : new byte[size];
	}

	@Override
	public int sleep(int millis) {
		Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
		return millis;
	}

	@Override
	public int count(VictimGroup group) {
		return (group.kids != null) ? group.kids.size() : 0;
	}

	@Override
	public void notice(int number) {
		this.noticed.increment();
	}

}
