package io.rpcboot.loadbalance;

/**
 * Chooses the instance of a call. One object serves one reference and is called by all of
 * its callers at once, and by event loops when a call is sent again: implementations are
 * thread-safe and do not block. A reference with one instance does not ask.
 * <p>
 * No call is lost by an implementation that is wrong. If it throws, or returns an index
 * that no candidate has, the error is logged and an instance is chosen at random.
 */
@FunctionalInterface
public interface LoadBalancer {

	/**
	 * Choose an instance.
	 * @param candidates instances that can take the call now, one or more, what is known
	 * of them, and the call; valid until this method returns
	 * @return index of the chosen one, from 0 to {@code candidates.size() - 1}
	 */
	int choose(Candidates candidates);

}
