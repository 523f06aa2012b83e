package io.rpcboot.internal.metrics.history.call;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.Side;

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

	/** Calls of a method and minute that are chosen before all others. */
	static final int MOST_ALIKE = 5;

	private static final int WINDOWS = 5;

	private static final Comparator<Note> SLOWEST_FIRST = Comparator.comparingLong(Note::nanos).reversed();

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

	/**
	 * Returns the slowest calls, at most {@link #MOST}. Of each method and minute the
	 * slowest {@link #MOST_ALIKE} come first into the choice, so that one burst does not
	 * hide the others.
	 */
	public synchronized List<Note> slowest() {
		Map<Alike, Integer> counts = new HashMap<>();
		List<Note> chosen = new ArrayList<>();
		List<Note> alike = new ArrayList<>();
		Arrays.stream(this.windows)
			.flatMap(Arrays::stream)
			.sorted(SLOWEST_FIRST)
			.forEach(
					(note) -> (counts.merge(Alike.of(note), 1, Integer::sum) <= MOST_ALIKE ? chosen : alike).add(note));
		chosen.addAll(alike);
		return chosen.stream().limit(MOST).sorted(SLOWEST_FIRST).toList();
	}

	/** Method, side and minute of a call. */
	private record Alike(MethodDescriptor method, Side side, long minute) {

		static Alike of(Note note) {
			return new Alike(note.method(), note.side(), TimeUnit.MILLISECONDS.toMinutes(note.atEpochMillis()));
		}

	}

}
