package io.rpcboot.internal.stream;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Iterator;

/**
 * Iterator as its user has it: one that is given up before its end is cancelled once the
 * collector of garbage finds it, because its producer would wait forever.
 */
final class TakenIterator implements Iterator<Object> {

	private static final Cleaner cleaner = Cleaner.create((task) -> {
		Thread thread = new Thread(task, "rpc-abandoned-streams");
		thread.setDaemon(true);
		return thread;
	});

	private final BlockingIterator values;

	/**
	 * Creates an iterator.
	 * @param abandoned takes note that the user has forgotten the values
	 */
	TakenIterator(BlockingIterator values, Runnable abandoned) {
		this.values = values;
		cleaner.register(this, () -> {
			if (!values.isOver()) {
				values.cancel();
				abandoned.run();
			}
		});
	}

	@Override
	public boolean hasNext() {
		try {
			return this.values.hasNext();
		}
		finally {
			Reference.reachabilityFence(this); // it is not forgotten while it waits
		}
	}

	@Override
	public Object next() {
		try {
			return this.values.next();
		}
		finally {
			Reference.reachabilityFence(this);
		}
	}

	void cancel() {
		this.values.cancel();
	}

}
