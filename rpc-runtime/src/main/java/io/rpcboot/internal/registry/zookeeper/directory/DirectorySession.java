package io.rpcboot.internal.registry.zookeeper.directory;

import io.rpcboot.internal.registry.zookeeper.node.Nodes;

/** Thread and connection of a registry, for registrations and discovery. */
public interface DirectorySession {

	/**
	 * Runs a task on the registry thread, after the earlier tasks. Any thread.
	 * @param task the task
	 */
	void execute(Runnable task);

	/**
	 * Schedules a task on the registry thread. Any thread.
	 * @param task the task
	 * @param delayNanos delay in nanoseconds
	 */
	void schedule(Runnable task, long delayNanos);

	/**
	 * Runs work with the connection. Registry thread only. Without a connection the work
	 * is skipped; if it fails, the registry synchronizes everything again.
	 * @param work the work
	 */
	void attempt(Work work);

	/**
	 * Writes the nodes of a registration again, asynchronously. Any thread.
	 * @param registration the registration
	 */
	void publishAgain(ZooKeeperRegistration registration);

	/**
	 * Removes the node of a registration that is not wanted any more, and waits a bounded
	 * time. No effect if the registry is closed. Any thread.
	 * @param registration the registration
	 */
	void takeOut(ZooKeeperRegistration registration);

	/** Work that needs a connection. */
	interface Work {

		void with(Nodes nodes) throws Exception;

	}

}
