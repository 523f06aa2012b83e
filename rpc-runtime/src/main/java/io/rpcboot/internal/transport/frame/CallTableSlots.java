package io.rpcboot.internal.transport.frame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The slots of a table of calls, where all of them are moved, looked at or taken out.
 * Confined to the event loop.
 *
 * @param <C> the calls
 */
abstract class CallTableSlots<C extends OutboundFrame> {

	private static final int SMALLEST = 64;

	@Nullable OutboundFrame[] slots = new @Nullable OutboundFrame[SMALLEST];

	int shift = Long.numberOfLeadingZeros(SMALLEST) + 1;

	int size;

	abstract void link(OutboundFrame call);

	final void grow() {
		OutboundFrame[] before = this.slots;
		this.slots = new OutboundFrame[2 * before.length];
		this.shift--;
		for (OutboundFrame first : before) {
			for (OutboundFrame call = first; call != null;) {
				OutboundFrame next = call.nextInTable;
				link(call);
				call = next;
			}
		}
	}

	/**
	 * Look at each call; the table must not change meanwhile.
	 * @param action what to do
	 */
	@SuppressWarnings("unchecked")
	public final void forEach(Consumer<C> action) {
		for (OutboundFrame first : this.slots) {
			for (OutboundFrame call = first; call != null; call = call.nextInTable) {
				action.accept((C) call);
			}
		}
	}

	/**
	 * Take calls out. Each is in no table while it is asked about: what is wanted may go
	 * elsewhere at once, where another event loop gives it another id and other links.
	 * @param wanted says which
	 * @return those taken, in no order
	 */
	public final List<C> removeIf(Predicate<C> wanted) {
		List<C> all = new ArrayList<>(this.size);
		List<C> taken = new ArrayList<>();
		forEach(all::add);
		Arrays.fill(this.slots, null);
		this.size = 0;
		all.forEach((call) -> call.nextInTable = null);
		int asked = 0;
		try {
			for (C call : all) {
				if (wanted.test(call)) {
					taken.add(call);
				}
				else {
					putBack(call);
				}
				asked++;
			}
		}
		finally {
			all.subList(asked, all.size()).forEach(this::putBack);
		}
		if (this.size == 0) {
			this.slots = new @Nullable OutboundFrame[SMALLEST];
			this.shift = Long.numberOfLeadingZeros(SMALLEST) + 1;
		}
		return taken;
	}

	private void putBack(C call) {
		link(call);
		this.size++;
	}

}
