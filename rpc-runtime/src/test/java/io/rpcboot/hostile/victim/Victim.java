package io.rpcboot.hostile.victim;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.fixture.ChildProcess;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.TlsOptions;

/**
 * The server that is attacked, in a process of its own. It prints its port, answers
 * {@code gc} with its {@link Figures}, and ends at {@code end} or when its input ends.
 * Everything else that it prints, the log too, goes to its standard error.
 */
public final class Victim {

	private static final long DEFAULT_ACCOUNT = 0;

	private static final int PROBE = 1 << 20;

	/** Twice the default: each of two services may have that. */
	private static final int IN_FLIGHT_CALLS = 40_000;

	private final RpcServer server;

	private final PrintStream told;

	private final boolean jvmCountsAll = jvmCountsAll();

	private Victim(RpcServer server, PrintStream told) {
		this.server = server;
		this.told = told;
	}

	/**
	 * The process itself.
	 * @param arguments bytes of the account or 0 for the default, and whether results are
	 * shared
	 */
	public static void main(String[] arguments) throws IOException {
		PrintStream told = System.out;
		System.setOut(System.err);
		RpcServerBuilder builder = RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.applicationName("victim")
			.maxConnectionsPerAddress(0)
			.maxInFlightCalls(IN_FLIGHT_CALLS)
			.tls(new Authority().here().withMode(TlsOptions.Mode.OPTIONAL))
			.service(VictimFeeds.class, new VictimFeedsImpl())
			.service(VictimService.class, new VictimServiceImpl(Boolean.parseBoolean(arguments[1])));
		long account = Long.parseLong(arguments[0]);
		if (account != DEFAULT_ACCOUNT) {
			smallAccount(builder, account);
		}
		try (RpcServer server = builder.start()) {
			told.println(ChildProcess.MARK + "port " + server.port());
			new Victim(server, told).answer();
		}
	}

	/**
	 * The one place that says how much memory the engine may take for its peers.
	 * @param builder of the victim
	 * @param bytes the account, at least three times the max frame size
	 */
	static void smallAccount(RpcServerBuilder builder, long bytes) {
		builder.memory(MemoryOptions.defaults().withLimit(bytes));
	}

	private void answer() throws IOException {
		BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String command = commands.readLine(); command != null
				&& !command.equals("end"); command = commands.readLine()) {
			this.told.println(ChildProcess.MARK + "figures " + figures().encode());
		}
	}

	private Figures figures() {
		System.gc();
		System.gc();
		long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
		String[] threads = Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter(Thread::isAlive)
			.map(Thread::getName)
			.filter((name) -> name.startsWith("rpc-"))
			.sorted()
			.toArray(String[]::new);
		return new Figures(heap, directInUse(), directReserved(), this.server.connections().size(),
				this.server.inFlightCalls(), Arrays.asList(threads));
	}

	/** Of the pool only what is lent; of all other memory outside the heap everything. */
	private long directInUse() {
		PooledByteBufAllocator pool = PooledByteBufAllocator.DEFAULT;
		long others = directReserved() - pool.metric().usedDirectMemory();
		return Math.max(0, others) + pool.pinnedDirectMemory();
	}

	/**
	 * What Netty counts, and what the JVM counts. Some JVMs count Netty's buffers, too,
	 * and some do not.
	 */
	private long directReserved() {
		return countedByJvm() + (this.jvmCountsAll ? 0 : Math.max(0, PlatformDependent.usedDirectMemory()));
	}

	private static long countedByJvm() {
		return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
			.stream()
			.filter((each) -> each.getName().equals("direct"))
			.mapToLong(BufferPoolMXBean::getMemoryUsed)
			.sum();
	}

	private static boolean jvmCountsAll() {
		long before = countedByJvm();
		ByteBuf probe = UnpooledByteBufAllocator.DEFAULT.directBuffer(PROBE);
		try {
			return countedByJvm() - before >= PROBE;
		}
		finally {
			probe.release();
		}
	}

}
