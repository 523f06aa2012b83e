package io.rpcboot.internal.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Calls by id; stands beside client connection and server connection. The links are in
 * the calls, so that nothing is allocated for an entry. Confined to the event loop.
 *
 * @param <C> the calls
 */
public final class CallTable<C extends Frame> {

	private static final int SMALLEST = 64;

	private @Nullable Frame[] slots = new @Nullable Frame[SMALLEST];

	private final long factor = ThreadLocalRandom.current().nextLong() | 1;

	private int shift = Long.numberOfLeadingZeros(SMALLEST) + 1;

	private int size;

	/**
	 * Add a call under its id.
	 * @param call in no table
	 */
	public void put(C call) {
		if (this.size == this.slots.length) {
			grow();
		}
		link(call);
		this.size++;
	}

	private void link(Frame call) {
		int slot = slot(call.callId);
		call.nextInTable = this.slots[slot];
		this.slots[slot] = call;
	}

	private void grow() {
		Frame[] before = this.slots;
		this.slots = new Frame[2 * before.length];
		this.shift--;
		for (Frame first : before) {
			for (Frame call = first; call != null;) {
				Frame next = call.nextInTable;
				link(call);
				call = next;
			}
		}
	}

	/**
	 * Find a call.
	 * @param id its id
	 * @return the call, or null
	 */
	@SuppressWarnings("unchecked")
	public @Nullable C get(long id) {
		Frame call = this.slots[slot(id)];
		while (call != null && call.callId != id) {
			call = call.nextInTable;
		}
		return (C) call;
	}

	/**
	 * Take a call out.
	 * @param id its id
	 * @return the call, or null if it is not there
	 */
	@SuppressWarnings("unchecked")
	public @Nullable C remove(long id) {
		int slot = slot(id);
		Frame previous = null;
		for (Frame call = this.slots[slot]; call != null; call = call.nextInTable) {
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
	 * Look at each call; the table must not change meanwhile.
	 * @param action what to do
	 */
	@SuppressWarnings("unchecked")
	public void forEach(Consumer<C> action) {
		for (Frame first : this.slots) {
			for (Frame call = first; call != null; call = call.nextInTable) {
				action.accept((C) call);
			}
		}
	}

	/**
	 * Take calls out.
	 * @param wanted says which
	 * @return those taken, in no order
	 */
	public List<C> removeIf(Predicate<C> wanted) {
		List<C> taken = new ArrayList<>();
		forEach((call) -> {
			if (wanted.test(call)) {
				taken.add(call);
			}
		});
		taken.forEach((call) -> remove(call.callId));
		if (this.size == 0) {
			this.slots = new @Nullable Frame[SMALLEST];
			this.shift = Long.numberOfLeadingZeros(SMALLEST) + 1;
		}
		return taken;
	}

	/**
	 * The calls in it. Any thread may ask, for people: the number may be out of date.
	 * @return their number
	 */
	public int size() {
		return this.size;
	}

	/** The other side, which may choose ids, does not know the factor. */
	private int slot(long id) {
		return (int) ((id * this.factor) >>> this.shift);
	}

}
