package io.rpcboot.internal.transport;

import java.util.function.LongSupplier;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rpcboot.Side;
import io.rpcboot.internal.transport.connection.Connection.State;
import io.rpcboot.internal.transport.eventloop.ResilientEventLoops;
import io.rpcboot.internal.transport.write.FlushPolicy.Decision;
import io.rpcboot.metrics.GaugeRegistrations;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.RpcMetrics.Gauge;

/** Registers the gauges of event loops, connections and allocators until it is closed. */
final class TransportGauges implements AutoCloseable {

	private final GaugeRegistrations registrations;

	TransportGauges(RpcMetrics metrics) {
		this.registrations = new GaugeRegistrations(metrics);
	}

	void offer(Side side, ResilientEventLoops loops, ConnectionCounters connections) {
		boolean client = side == Side.CLIENT;
		offer(client ? Gauge.CLIENT_CONNECTIONS_OPENING : Gauge.SERVER_CONNECTIONS_OPENING,
				() -> connections.in(State.OPENING));
		offer(client ? Gauge.CLIENT_CONNECTIONS_READY : Gauge.SERVER_CONNECTIONS_READY,
				() -> connections.in(State.READY));
		offer(client ? Gauge.CLIENT_CONNECTIONS_LEAVING : Gauge.SERVER_CONNECTIONS_LEAVING,
				() -> connections.in(State.LEAVING));
		offer(client ? Gauge.CLIENT_GO_AWAYS : Gauge.SERVER_GO_AWAYS, connections::goAways);
		offer(client ? Gauge.CLIENT_LOOPS : Gauge.SERVER_LOOPS, loops::executorCount);
		offer(client ? Gauge.CLIENT_LOOP_TASKS : Gauge.SERVER_LOOP_TASKS, loops::pendingTasks);
		offer(client ? Gauge.CLIENT_LOOP_NANOS : Gauge.SERVER_LOOP_NANOS, loops::busyNanos);
		offer(client ? Gauge.CLIENT_ROUNDS_WAITED : Gauge.SERVER_ROUNDS_WAITED,
				() -> connections.decisions(Decision.WAIT));
		offer(client ? Gauge.CLIENT_ROUNDS_PROBED : Gauge.SERVER_ROUNDS_PROBED,
				() -> connections.decisions(Decision.PROBE));
		offer(client ? Gauge.CLIENT_ROUNDS_LEFT_OUT : Gauge.SERVER_ROUNDS_LEFT_OUT,
				() -> connections.decisions(Decision.GO));
	}

	/** Registers an allocator; a shared one has one gauge for all sides. */
	void offer(ByteBufAllocator allocator) {
		Memory memory = (allocator == PooledByteBufAllocator.DEFAULT) ? Memory.POOLED
				: (allocator == UnpooledByteBufAllocator.DEFAULT) ? Memory.UNPOOLED : Memory.of(allocator);
		offer(Gauge.ALLOCATOR_HEAP, memory.heap());
		offer(Gauge.ALLOCATOR_DIRECT, memory.direct());
	}

	private void offer(Gauge gauge, LongSupplier value) {
		this.registrations.offer(gauge, value);
	}

	@Override
	public void close() {
		this.registrations.close();
	}

	/** Bytes that an allocator holds. */
	private record Memory(LongSupplier heap, LongSupplier direct) {

		static final Memory POOLED = of(PooledByteBufAllocator.DEFAULT);

		static final Memory UNPOOLED = of(UnpooledByteBufAllocator.DEFAULT);

		static Memory of(ByteBufAllocator allocator) {
			if (allocator instanceof ByteBufAllocatorMetricProvider measured) {
				ByteBufAllocatorMetric metric = measured.metric();
				return new Memory(metric::usedHeapMemory, metric::usedDirectMemory);
			}
			return new Memory(() -> 0, () -> 0);
		}

	}

}
