package io.rpcboot.internal.memory;

/** There was no memory in the account for what a thread is making. */
public final class MemoryShortageException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final boolean interrupted;

	/**
	 * Create an exception without a stack trace.
	 * @param limit of the account, in bytes
	 * @param interrupted whether the thread was interrupted; else the time was over
	 */
	public MemoryShortageException(long limit, boolean interrupted) {
		super("memory.limit: all of its %d bytes are in use".formatted(limit), null, false, false);
		this.interrupted = interrupted;
	}

	/**
	 * Whether the waiting thread was interrupted.
	 * @return false if the time was over
	 */
	public boolean isInterrupted() {
		return this.interrupted;
	}

}
