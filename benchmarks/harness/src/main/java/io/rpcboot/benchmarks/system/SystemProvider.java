package io.rpcboot.benchmarks.system;

import java.util.List;

/**
 * Brings systems onto a class path; found by {@link java.util.ServiceLoader}.
 */
public interface SystemProvider {

	/**
	 * What it brings.
	 * @return the systems
	 */
	List<RpcSystem> systems();

}
