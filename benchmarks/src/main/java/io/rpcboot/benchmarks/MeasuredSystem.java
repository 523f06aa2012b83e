package io.rpcboot.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rpcboot.benchmarks.system.RpcSystem;

/**
 * A system as its processes are started: those of this class path, and peers with one of
 * their own, which need other versions of the same libraries.
 *
 * @param name what options and reports call it
 * @param classPath of its processes
 * @param jvmArgs what it needs of the JVM
 */
record MeasuredSystem(String name, String classPath, List<String> jvmArgs) {

	private static final List<String> PEERS = List.of("dubbo", "sofarpc", "rocketmq");

	/** Hessian and Netty of these versions reach into the JDK. */
	private static final List<String> REFLECTION = List.of("--add-opens=java.base/java.lang=ALL-UNNAMED",
			"--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/java.time=ALL-UNNAMED",
			"--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

	private static final Pattern MAIN_JAR = Pattern
		.compile("(dubbo|sofa-rpc-all|rocketmq-remoting)-([0-9][^/]*)\\.jar");

	private static final Pattern NETTY_JAR = Pattern.compile("netty-(common)-([0-9][^/]*)\\.jar");

	/**
	 * The system with this name.
	 * @throws IllegalArgumentException if there is none, or its module was not built
	 */
	static MeasuredSystem of(String name) {
		if (PEERS.contains(name)) {
			return new MeasuredSystem(name, peerClassPath(name), REFLECTION);
		}
		List<String> names = new ArrayList<>(RpcSystem.all().stream().map(RpcSystem::name).toList());
		if (!names.contains(name)) {
			names.addAll(PEERS);
			throw new IllegalArgumentException("system: " + name + " (expected one of " + names + ")");
		}
		return new MeasuredSystem(name, System.getProperty("java.class.path"), List.of());
	}

	private static String peerClassPath(String name) {
		Path file = Path.of(name, "target", "classpath.txt");
		try {
			return Path.of(name, "target", "classes") + File.pathSeparator + Files.readString(file).trim();
		}
		catch (IOException ex) {
			throw new IllegalArgumentException("system: " + name + " (expected: its module is built, which writes "
					+ file + "; use -am or build benchmarks/" + name + ")", ex);
		}
	}

	/**
	 * Which versions its processes run.
	 * @return of a peer its own and Netty's, else nothing
	 */
	String versions() {
		if (!PEERS.contains(this.name)) {
			return "";
		}
		return this.name + " " + version(MAIN_JAR) + " on Netty " + version(NETTY_JAR);
	}

	private String version(Pattern jar) {
		return Arrays.stream(this.classPath.split(File.pathSeparator))
			.map((entry) -> jar.matcher(String.valueOf(Path.of(entry).getFileName())))
			.filter(Matcher::matches)
			.map((matcher) -> matcher.group(2))
			.findFirst()
			.orElse("unknown");
	}

}
