package io.rpcboot.internal.serialization.types.kind;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

import io.rpcboot.internal.transport.eventloop.NonBlockingThreads;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Elements of an {@code Iterable} that is no collection, such as the rows of a cursor. It
 * is iterated once, while the message is written: a second iteration repeats the elements
 * of the first one and continues it. For one thread.
 */
public final class IterableElements extends AbstractCollection<@Nullable Object> {

	private final Iterator<?> rest;

	private final List<@Nullable Object> taken = new ArrayList<>();

	/**
	 * Begins the iteration.
	 * @throws PathException if the thread must not block, which an iteration may do
	 */
	public IterableElements(Iterable<?> source) {
		String kind = NonBlockingThreads.kindOfCaller();
		if (kind != null) {
			throw new PathException(
					"a %s on %s, which its iteration could block (expected: a collection, or another thread)"
						.formatted(source.getClass().getName(), kind));
		}
		this.rest = source.iterator();
	}

	/** Returns the elements of a value: itself unless it is no collection. */
	public static Collection<?> of(Object value) {
		return (value instanceof Collection<?> collection) ? collection : new IterableElements((Iterable<?>) value);
	}

	@Override
	public boolean isEmpty() {
		return !iterator().hasNext();
	}

	@Override
	public int size() {
		this.rest.forEachRemaining(this.taken::add);
		return this.taken.size();
	}

	@Override
	public Iterator<@Nullable Object> iterator() {
		return new Iterator<>() {

			private int next;

			@Override
			public boolean hasNext() {
				return this.next < IterableElements.this.taken.size() || IterableElements.this.rest.hasNext();
			}

			@Override
			public @Nullable Object next() {
				if (!hasNext()) {
					throw new NoSuchElementException();
				}
				if (this.next == IterableElements.this.taken.size()) {
					IterableElements.this.taken.add(IterableElements.this.rest.next());
				}
				return IterableElements.this.taken.get(this.next++);
			}
		};
	}

}
