package io.rpcboot.internal.metrics.history.call;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Notes of the slowest calls of the last 15 minutes: 50 for each of five windows. A full
 * window admits a call only if its bucket is above that of its fastest note. A series of
 * calls, each slightly slower than the one before, is therefore bounded: at most 800
 * notes for each doubling of the duration. A call that was not admitted may have been up
 * to 6.3 % slower than the fastest note.
 */
public final class SlowCalls {

	/** Maximum of notes of a window, and of returned notes. */
	static final int MOST = 50;

	private static final int WINDOWS = 5;

	private final Note[][] windows = new Note[WINDOWS][0];

	private int current;

	/** Bucket above which a call is noted; -1 while the window is not full. */
	private volatile int threshold = -1;

	/** Returns true if a call is noted. The only method that each call uses. */
	boolean admits(int bucket) {
		return bucket > this.threshold;
	}

	synchronized void add(Note note) {
		Note[] notes = this.windows[this.current];
		if (notes.length < MOST) {
			Note[] more = Arrays.copyOf(notes, notes.length + 1);
			more[notes.length] = note;
			Arrays.sort(more, Comparator.comparingLong(Note::nanos));
			this.windows[this.current] = more;
			this.threshold = (more.length < MOST) ? -1 : Buckets.of(more[0].nanos());
			return;
		}
		if (note.nanos() <= notes[0].nanos()) {
			return;
		}
		int place = 1;
		while (place < MOST && notes[place].nanos() < note.nanos()) {
			notes[place - 1] = notes[place];
			place++;
		}
		notes[place - 1] = note;
		this.threshold = Buckets.of(notes[0].nanos());
	}

	/** Starts a new window and removes the oldest. */
	public synchronized void rotate() {
		this.current = (this.current + 1) % WINDOWS;
		this.windows[this.current] = new Note[0];
		this.threshold = -1;
	}

	public synchronized List<Note> slowest() {
		return Arrays.stream(this.windows)
			.flatMap(Arrays::stream)
			.sorted(Comparator.comparingLong(Note::nanos).reversed())
			.limit(MOST)
			.toList();
	}

}
