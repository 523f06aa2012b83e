package io.rpcboot.engine;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.TransportRecorder;

/** The levels of a client and a server, such as of their memory, also after their end. */
final class Accounts implements RpcMetrics {

	private final Map<Level, LongSupplier> levels = new EnumMap<>(Level.class);

	@Override
	public CallRecorder calls(Side side, MethodDescriptor method) {
		return RpcMetrics.none().calls(side, method);
	}

	@Override
	public TransportRecorder transport(Side side) {
		return RpcMetrics.none().transport(side);
	}

	@Override
	public synchronized AutoCloseable level(Level level, String subject, LongSupplier value) {
		this.levels.put(level, value);
		return () -> {
		};
	}

	/** The number as it is now, 0 if nobody has offered it. */
	synchronized long of(Level level) {
		LongSupplier value = this.levels.get(level);
		return (value != null) ? value.getAsLong() : 0;
	}

	/** Nothing goes out any more, at both sides, though connections are open. */
	void awaitNothingOutgoing() {
		Eventually.until("nothing goes out: " + this,
				() -> of(Level.CLIENT_MEMORY_OUTGOING) == 0 && of(Level.SERVER_MEMORY_OUTGOING) == 0);
	}

	/** No connection is open, and nothing is entered. */
	void awaitEmpty() {
		awaitNothingOutgoing();
		Eventually.until("nothing comes in: " + this,
				() -> of(Level.CLIENT_MEMORY_INCOMING) == 0 && of(Level.SERVER_MEMORY_INCOMING) == 0);
	}

	@Override
	public String toString() {
		return "client in %d, out %d; server in %d, out %d, in flight %d".formatted(of(Level.CLIENT_MEMORY_INCOMING),
				of(Level.CLIENT_MEMORY_OUTGOING), of(Level.SERVER_MEMORY_INCOMING), of(Level.SERVER_MEMORY_OUTGOING),
				of(Level.IN_FLIGHT));
	}

}
