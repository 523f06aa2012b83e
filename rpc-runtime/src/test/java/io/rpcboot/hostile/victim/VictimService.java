package io.rpcboot.hostile.victim;

import io.rpcboot.RpcMethod;

/** What the victim offers: small and large arguments and results, a wait, a one-way. */
public interface VictimService {

	int add(int left, int right);

	byte[] echo(byte[] bytes);

	/** A result of this many bytes. */
	byte[] make(int size);

	/** Ends after this time; returns it. */
	int sleep(int millis);

	/** Number of the direct children. Few bytes become many objects. */
	int count(VictimGroup group);

	@RpcMethod(oneWay = true)
	void notice(int number);

}
