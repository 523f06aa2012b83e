package io.rpcboot.internal.memory;

/** Thrown when the memory budget had no room for a body in time. */
public final class MemoryShortageException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final boolean interrupted;

	/**
	 * Creates an exception without a stack trace.
	 * @param limit limit of the budget in bytes
	 * @param interrupted true if the thread was interrupted, false after the deadline
	 */
	public MemoryShortageException(long limit, boolean interrupted) {
		super("memory.limit: all of its %d bytes are in use".formatted(limit), null, false, false);
		this.interrupted = interrupted;
	}

	private MemoryShortageException(String message, boolean interrupted) {
		super(message, null, false, false);
		this.interrupted = interrupted;
	}

	static MemoryShortageException ofObjects(long limit, boolean interrupted) {
		return new MemoryShortageException(
				"the objects of messages that are read take all of %d bytes, an eighth of the heap (-Xmx)"
					.formatted(limit),
				interrupted);
	}

	/**
	 * Returns true if the waiting thread was interrupted.
	 * @return false after the deadline
	 */
	public boolean isInterrupted() {
		return this.interrupted;
	}

	/** Returns the message, which is part of others. */
	@Override
	public String toString() {
		return String.valueOf(getMessage());
	}

}
