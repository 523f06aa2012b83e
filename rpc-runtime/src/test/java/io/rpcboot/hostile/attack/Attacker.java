package io.rpcboot.hostile.attack;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.sun.management.UnixOperatingSystemMXBean;
import io.rpcboot.fixture.ChildProcess;

/**
 * The attackers, in a process of their own. Each line of its input is a port, the name of
 * a scenario, or {@value Scenario#TOGETHER}, milliseconds and the most connections; it is
 * answered with what was done.
 */
public final class Attacker {

	/** For the files of the JVM itself. */
	private static final int OTHER_DESCRIPTORS = 200;

	/** Each swarm has a selector, of two or three descriptors. */
	private static final int DESCRIPTORS_OF_A_SWARM = 4;

	private Attacker() {
	}

	/** The process itself. */
	public static void main(String[] arguments) throws Exception {
		System.out.println(ChildProcess.MARK + "ready " + mostConnections());
		BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String command = commands.readLine(); command != null; command = commands.readLine()) {
			String[] words = command.split(" ");
			SocketAddress victim = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(words[0]));
			long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(words[2]));
			int most = Math.min(Integer.parseInt(words[3]), mostConnections());
			List<Scenario> scenarios = words[1].equals(Scenario.TOGETHER) ? Scenario.together()
					: List.of(Scenario.named(words[1]));
			AttackCounts.Total total = attack(victim, scenarios, nanos, most);
			System.out.println(ChildProcess.MARK + "done " + total.encode());
		}
	}

	/** What the system gives a process. */
	static int mostConnections() {
		if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
			long descriptors = system.getMaxFileDescriptorCount() - OTHER_DESCRIPTORS;
			return (int) Math.max(1, Math.min(Scenario.MANY, descriptors));
		}
		return Scenario.MANY;
	}

	/** Those with many connections share what the others leave. */
	private static AttackCounts.Total attack(SocketAddress victim, List<Scenario> scenarios, long nanos, int most)
			throws InterruptedException {
		AttackCounts counts = new AttackCounts();
		int left = most - DESCRIPTORS_OF_A_SWARM * scenarios.size();
		int large = 0;
		for (Scenario each : scenarios) {
			boolean many = each.connections() == Scenario.MANY;
			large += many ? 1 : 0;
			left -= many ? 0 : each.connections();
		}
		int share = Math.max(10, left / Math.max(1, large));
		List<Thread> threads = new ArrayList<>();
		for (Scenario each : scenarios) {
			int connections = (each.connections() == Scenario.MANY) ? share : each.connections();
			Swarm swarm = new Swarm(victim, () -> each.roles().apply(counts), Math.min(connections, most),
					each.newPerSecond(), counts);
			Thread thread = new Thread(() -> run(swarm, nanos), each.name());
			thread.start();
			threads.add(thread);
		}
		for (Thread each : threads) {
			each.join();
		}
		return counts.total();
	}

	private static void run(Swarm swarm, long nanos) {
		try {
			swarm.run(nanos);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
