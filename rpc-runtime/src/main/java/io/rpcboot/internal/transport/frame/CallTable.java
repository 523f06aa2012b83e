package io.rpcboot.internal.transport.frame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * A hash table of the calls of a connection by call id. The links are fields of the
 * calls, so that an entry allocates nothing. Event loop only.
 *
 * @param <C> type of the calls
 */
public final class CallTable<C extends CallMessage> {

	private static final int SMALLEST = 64;

	/** Random odd factor of the hash, unknown to the peer, which may choose ids. */
	private final long factor = ThreadLocalRandom.current().nextLong() | 1;

	private @Nullable CallMessage[] slots = new @Nullable CallMessage[SMALLEST];

	/** Slot of an id: {@code (id * factor) >>> shift}. */
	private int shift = Long.numberOfLeadingZeros(SMALLEST) + 1;

	private int size;

	/**
	 * Adds a call under its id.
	 * @param call in no table
	 */
	public void put(C call) {
		if (this.size == this.slots.length) {
			grow();
		}
		link(call);
		this.size++;
	}

	private void grow() {
		CallMessage[] before = this.slots;
		this.slots = new CallMessage[2 * before.length];
		this.shift--;
		for (CallMessage first : before) {
			for (CallMessage call = first; call != null;) {
				CallMessage next = call.nextInTable;
				link(call);
				call = next;
			}
		}
	}

	private void link(CallMessage call) {
		int slot = slot(call.callId);
		call.nextInTable = this.slots[slot];
		this.slots[slot] = call;
	}

	private int slot(long id) {
		return (int) ((id * this.factor) >>> this.shift);
	}

	/**
	 * Returns a call.
	 * @param id its id
	 * @return the call, or null
	 */
	@SuppressWarnings("unchecked")
	public @Nullable C get(long id) {
		CallMessage call = this.slots[slot(id)];
		while (call != null && call.callId != id) {
			call = call.nextInTable;
		}
		return (C) call;
	}

	/**
	 * Removes a call.
	 * @param id its id
	 * @return the call, or null if it is not in the table
	 */
	@SuppressWarnings("unchecked")
	public @Nullable C remove(long id) {
		int slot = slot(id);
		CallMessage previous = null;
		for (CallMessage call = this.slots[slot]; call != null; call = call.nextInTable) {
			if (call.callId == id) {
				if (previous == null) {
					this.slots[slot] = call.nextInTable;
				}
				else {
					previous.nextInTable = call.nextInTable;
				}
				call.nextInTable = null;
				this.size--;
				return (C) call;
			}
			previous = call;
		}
		return null;
	}

	/**
	 * Returns the number of calls. Any thread may read it, and may get an older number.
	 * @return 0 or more
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Visits each call. The table must not change meanwhile.
	 * @param action receives the calls
	 */
	@SuppressWarnings("unchecked")
	public void forEach(Consumer<C> action) {
		for (CallMessage first : this.slots) {
			for (CallMessage call = first; call != null; call = call.nextInTable) {
				action.accept((C) call);
			}
		}
	}

	/**
	 * Removes calls. A call is in no table while the predicate looks at it: the predicate
	 * may send the call elsewhere at once, where another event loop sets another id and
	 * other links.
	 * @param wanted true for the calls to remove
	 * @return the removed calls, in no order
	 */
	public List<C> removeIf(Predicate<C> wanted) {
		List<C> all = new ArrayList<>(this.size);
		List<C> removed = new ArrayList<>();
		forEach(all::add);
		Arrays.fill(this.slots, null);
		this.size = 0;
		all.forEach((call) -> call.nextInTable = null);
		int tested = 0;
		try {
			for (C call : all) {
				if (wanted.test(call)) {
					removed.add(call);
				}
				else {
					putBack(call);
				}
				tested++;
			}
		}
		finally {
			all.subList(tested, all.size()).forEach(this::putBack);
		}
		if (this.size == 0) {
			this.slots = new @Nullable CallMessage[SMALLEST];
			this.shift = Long.numberOfLeadingZeros(SMALLEST) + 1;
		}
		return removed;
	}

	private void putBack(C call) {
		link(call);
		this.size++;
	}

}
