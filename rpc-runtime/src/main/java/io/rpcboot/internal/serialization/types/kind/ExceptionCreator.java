package io.rpcboot.internal.serialization.types.kind;

import java.util.List;

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Makes an exception whose constructor may put text around the message that it takes,
 * such as {@code super("no order " + id)}. The message that arrives has that text
 * already, so that such a constructor is called again with what is left of the message
 * without it.
 */
public final class ExceptionCreator extends Creator {

	/** Looking for a message in a longer one takes up to the product of both. */
	private static final int LONGEST_ADDITION = 1024;

	private final String message;

	private int index;

	/**
	 * Of an exception whose {@code getMessage} is that of Throwable; the named field is
	 * what the constructor takes as its message.
	 */
	public ExceptionCreator(Creator creator, String message) {
		super(creator);
		this.message = message;
	}

	@Override
	int[] link(List<String> names) {
		this.index = names.indexOf(this.message);
		return super.link(names);
	}

	@Override
	Object create(@Nullable Object[] values) {
		Throwable made = (Throwable) super.create(values);
		String sent = (String) values[this.index];
		String taken = (sent != null) ? taken(sent, made.getMessage()) : null;
		if (taken == null) {
			return made;
		}
		@Nullable Object[] others = values.clone();
		others[this.index] = taken;
		Throwable again = again(others);
		return (again != null && sent.equals(again.getMessage())) ? again : made;
	}

	/** It may refuse what the writer's constructor did not take either. */
	private @Nullable Throwable again(@Nullable Object[] values) {
		try {
			return (Throwable) super.create(values);
		}
		catch (PathException ex) {
			if (ex.getCause() instanceof Exception) {
				return null;
			}
			throw ex;
		}
	}

	/**
	 * What the constructor of the writer has taken: {@code 5} of {@code no order 5} if
	 * that becomes {@code no order no order 5}.
	 * @return null if nothing was put around the message
	 */
	private static @Nullable String taken(String sent, @Nullable String made) {
		int added = (made != null) ? made.length() - sent.length() : 0;
		if (made == null || added <= 0 || added > Math.min(LONGEST_ADDITION, sent.length())) {
			return null;
		}
		for (int before = 0; before <= added; before++) {
			int after = added - before;
			if (made.startsWith(sent, before) && sent.startsWith(made.substring(0, before))
					&& sent.endsWith(made.substring(made.length() - after))) {
				return sent.substring(before, sent.length() - after);
			}
		}
		return null;
	}

}
