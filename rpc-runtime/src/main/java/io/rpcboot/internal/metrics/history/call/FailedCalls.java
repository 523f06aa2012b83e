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
 * Notes of the latest failed calls. For each status at most ten are noted per tick, so
 * that a million rejected calls neither cost a million notes nor hide a call with another
 * status. Any thread.
 */
public final class FailedCalls {

	/** Maximum of notes. */
	static final int MOST = 50;

	private static final int MOST_OF_STATUS = 10;

	private final AtomicReferenceArray<@Nullable Note> notes = new AtomicReferenceArray<>(MOST);

	private final AtomicLong next = new AtomicLong();

	/** Notes since the last tick, by status. */
	private final AtomicIntegerArray noted = new AtomicIntegerArray(RpcStatus.values().length);

	/** Returns true if a call with this status is noted. Called once for each call. */
	boolean admits(RpcStatus status) {
		int counter = status.ordinal();
		return this.noted.get(counter) < MOST_OF_STATUS && this.noted.getAndIncrement(counter) < MOST_OF_STATUS;
	}

	void add(Note note) {
		this.notes.set((int) (this.next.getAndIncrement() % MOST), note);
	}

	/** Resets the numbers of notes. */
	public void tick() {
		for (int i = 0; i < this.noted.length(); i++) {
			this.noted.set(i, 0);
		}
	}

	/** Returns the notes, latest first. */
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
