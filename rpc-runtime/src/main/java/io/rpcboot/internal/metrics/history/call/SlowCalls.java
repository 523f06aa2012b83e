package io.rpcboot.internal.metrics.history.call;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The slowest calls of the last 15 minutes: 50 for each of five windows. A window that is
 * full takes a call only if its bucket is above that of its fastest, so that a rush of
 * calls, each a little slower than the one before, is not a rush of notes: between two
 * doublings of the duration a window takes at most 800. Calls in its place may have been
 * up to 6.3 % slower than the fastest that it shows.
 */
public final class SlowCalls {

	/** Most calls that are kept for a window, and shown. */
	static final int MOST = 50;

	private static final int WINDOWS = 5;

	private final Note[][] windows = new Note[WINDOWS][0];

	private int current;

	/** A call is noted if its bucket is above; -1 while the window has room. */
	private volatile int threshold = -1;

	/** Whether a call belongs here. The only thing that all calls ask. */
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

	/** Begin a new window and forget the oldest. */
	public synchronized void rotate() {
		this.current = (this.current + 1) % WINDOWS;
		this.windows[this.current] = new Note[0];
		this.threshold = -1;
	}

	public synchronized List<Note> slowest() {
		List<Note> all = new ArrayList<>();
		for (Note[] window : this.windows) {
			all.addAll(Arrays.asList(window));
		}
		all.sort(Comparator.comparingLong(Note::nanos).reversed());
		return List.copyOf(all.subList(0, Math.min(MOST, all.size())));
	}

}
