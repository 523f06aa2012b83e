package io.rpcboot.internal.transport.frame;

import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/**
 * Calls by id; stands beside client connection and server connection. The links are in
 * the calls, so that nothing is allocated for an entry. Confined to the event loop.
 *
 * @param <C> the calls
 */
public final class CallTable<C extends OutboundFrame> extends CallTableSlots<C> {

	private final long factor = ThreadLocalRandom.current().nextLong() | 1;

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

	@Override
	void link(OutboundFrame call) {
		int slot = slot(call.callId);
		call.nextInTable = this.slots[slot];
		this.slots[slot] = call;
	}

	/**
	 * Find a call.
	 * @param id its id
	 * @return the call, or null
	 */
	@SuppressWarnings("unchecked")
	public @Nullable C get(long id) {
		OutboundFrame call = this.slots[slot(id)];
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
		OutboundFrame previous = null;
		for (OutboundFrame call = this.slots[slot]; call != null; call = call.nextInTable) {
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
