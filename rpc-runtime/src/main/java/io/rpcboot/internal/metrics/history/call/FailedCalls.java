package io.rpcboot.internal.metrics.history.call;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * The latest calls that failed. Of each status at most ten are noted from tick to tick: a
 * server that refuses a million calls does not write a million notes, and they do not
 * hide the one call that failed in another way.
 */
public final class FailedCalls {

	/** Most calls that are kept. */
	static final int MOST = 50;

	private static final int MOST_OF_STATUS = 10;

	private final AtomicReferenceArray<@Nullable Note> notes = new AtomicReferenceArray<>(MOST);

	private final AtomicLong next = new AtomicLong();

	/** Notes since the last tick, by status. */
	private final AtomicIntegerArray noted = new AtomicIntegerArray(RpcStatus.values().length);

	/** Whether a call that ended so is noted. To be asked once for each call. */
	boolean admits(RpcStatus status) {
		int counter = status.ordinal();
		return this.noted.get(counter) < MOST_OF_STATUS && this.noted.getAndIncrement(counter) < MOST_OF_STATUS;
	}

	void add(Note note) {
		this.notes.set((int) (this.next.getAndIncrement() % MOST), note);
	}

	/** Note as many again. */
	public void tick() {
		for (int i = 0; i < this.noted.length(); i++) {
			this.noted.set(i, 0);
		}
	}

	/** Latest first. */
	public List<Note> latest() {
		List<Note> all = new ArrayList<>();
		for (int i = 0; i < MOST; i++) {
			Note note = this.notes.get(i);
			if (note != null) {
				all.add(note);
			}
		}
		all.sort(Comparator.comparingLong(Note::number).reversed());
		return all;
	}

}
