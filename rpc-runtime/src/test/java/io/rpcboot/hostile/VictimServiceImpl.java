package io.rpcboot.hostile;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Runs the calls of the victim. */
final class VictimServiceImpl implements VictimService {

	final LongAdder noticed = new LongAdder();

	/** Results that were made once; null if each call makes its own. */
	private final Map<Integer, byte[]> shared;

	/**
	 * Create an implementation.
	 * @param sharesResults whether results of one size are one object, so that the heap
	 * holds nothing of the application for a call
	 */
	VictimServiceImpl(boolean sharesResults) {
		this.shared = sharesResults ? new ConcurrentHashMap<>() : null;
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
		return (this.shared != null) ? this.shared.computeIfAbsent(size, byte[]::new) : new byte[size];
	}

	@Override
	public int sleep(int millis) {
		Eventually.passed(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
		return millis;
	}

	@Override
	public void notice(int number) {
		this.noticed.increment();
	}

}
