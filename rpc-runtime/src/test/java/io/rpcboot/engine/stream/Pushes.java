package io.rpcboot.engine.stream;

import io.rpcboot.RpcStream;
import io.rpcboot.engine.stream.Feeds.OutOfTicksException;
import io.rpcboot.engine.stream.Feeds.Tick;

/** Methods with an {@link RpcStream}. */
public interface Pushes {

	/** Ticks from a number on, until the server drains. */
	RpcStream<Tick> ticks(int from);

	/** Some ticks, then a failure. */
	RpcStream<Tick> failing(int count) throws OutOfTicksException;

	/** Sum of the numbers; the method ends with the stream. */
	long sum(RpcStream<Tick> ticks);

	/** Each element comes back, as long as there is demand for it. */
	RpcStream<Tick> echo(RpcStream<Tick> ticks);

}
