package io.rpcboot.internal.registry.zookeeper.directory;

import io.rpcboot.internal.registry.zookeeper.node.Nodes;

/**
 * The thread and the connection of a registry, as registrations and discovery use them.
 */
public interface DirectorySession {

	/**
	 * Run a task on the registry's thread, after the work that is under way.
	 * @param task from any thread
	 */
	void execute(Runnable task);

	/**
	 * Run a task on the registry's thread, later.
	 * @param task from any thread
	 * @param delayNanos from now on
	 */
	void schedule(Runnable task, long delayNanos);

	/**
	 * Do work that needs ZooKeeper, on the registry's thread. Without a connection the
	 * work is left out. When it fails, the registry looks at everything again.
	 * @param work for the connection of this moment
	 */
	void attempt(Work work);

	/**
	 * Write the nodes of a registration again, soon, on the registry's thread.
	 * @param registration from any thread
	 */
	void publishAgain(ZooKeeperRegistration registration);

	/**
	 * Remove the node of a registration that is no longer wanted; wait for it, within
	 * bounds. Nothing happens when the registry is closed.
	 * @param registration from any thread
	 */
	void takeOut(ZooKeeperRegistration registration);

	/** What needs a connection. */
	interface Work {

		void with(Nodes nodes) throws Exception;

	}

}
