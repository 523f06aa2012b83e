package io.rpcboot.internal.serialization.types.kind;

import java.lang.invoke.MethodHandle;
import java.util.List;

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Creates an exception whose constructor may put text around its message, such as
 * {@code super("no order " + id)}. The message that arrives has that text already. Such a
 * constructor is called again with the message without the text.
 */
public final class ExceptionCreator extends Creator {

	/**
	 * Maximum number of added characters. The search takes time with the product of both
	 * lengths.
	 */
	private static final int LONGEST_ADDITION = 1024;

	private final String message;

	private int index;

	/**
	 * Creates a creator of an exception that does not override {@code getMessage}.
	 * @param message name of the field that the constructor takes as its message
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

	/** Returns null, because the message has to be adapted. */
	@Override
	@Nullable MethodHandle defaults() {
		return null;
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

	/**
	 * Calls the constructor again. It may refuse the shortened message, which the
	 * writer's constructor need not have taken.
	 */
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
	 * Returns the argument of the writer's constructor: {@code 5} for {@code no order 5}
	 * if that becomes {@code no order no order 5}.
	 * @return null if nothing was added to the message
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
