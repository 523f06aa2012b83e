package io.rpcboot.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rpcboot.benchmarks.system.RpcSystem;
import io.rpcboot.benchmarks.tls.TlsFiles;
import org.jspecify.annotations.Nullable;

/**
 * A system as its processes are started: those of this class path, an older build of this
 * project, and peers with a class path of their own, which need other versions of the
 * same libraries.
 *
 * @param name what options and reports call it
 * @param implementation name of the {@link RpcSystem} in its processes
 * @param classPath of its processes
 * @param jvmArgs what it needs of the JVM
 */
record MeasuredSystem(String name, String implementation, String classPath, List<String> jvmArgs) {

	/** Each with the module that has it. */
	private static final Map<String, String> PEERS = new TreeMap<>(Map.of("dubbo", "dubbo", "dubbo-default", "dubbo",
			"sofarpc", "sofarpc", "rocketmq", "rocketmq", "webmvc", "webmvc"));

	/**
	 * The older build, and what runs it. Only systems whose settings every older build
	 * knows.
	 */
	private static final Map<String, String> BEFORE = Map.of("before", "ours", "before-loop", "ours-loop", "before-3",
			"ours-3", "before-10", "ours-10", "before-h2", "ours-h2", "before-h2-loop", "ours-h2-loop");

	/**
	 * Systems of which some processes have no write queue, but a task, a write and a
	 * flush for each frame; and the roles of these processes.
	 */
	private static final Map<String, List<String>> UNQUEUED = Map.of("ours-h2-unqueued", List.of("server", "client"),
			"ours-h2-client", List.of("server"));

	/** In the name of each system that speaks TLS. */
	private static final String TLS = "-tls-";

	/** Hessian and Netty of these versions reach into the JDK. */
	private static final List<String> REFLECTION = List.of("--add-opens=java.base/java.lang=ALL-UNNAMED",
			"--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/java.time=ALL-UNNAMED",
			"--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

	private static final Pattern MAIN_JAR = Pattern
		.compile("(dubbo|sofa-rpc-all|rocketmq-remoting|spring-webmvc)-([0-9][^/]*)\\.jar");

	private static final Pattern NETTY_JAR = Pattern.compile("netty-(common)-([0-9][^/]*)\\.jar");

	private static final Pattern TOMCAT_JAR = Pattern.compile("tomcat-embed-(core)-([0-9][^/]*)\\.jar");

	/**
	 * The system with this name.
	 * @param baseline the older build, if there is one
	 * @throws IllegalArgumentException if there is none, or its module was not built
	 */
	static MeasuredSystem of(String name, @Nullable Baseline baseline) {
		@Nullable String module = PEERS.get(name);
		if (module != null) {
			return new MeasuredSystem(name, name, peerClassPath(module), REFLECTION);
		}
		String own = System.getProperty("java.class.path");
		if (BEFORE.containsKey(name)) {
			if (baseline == null) {
				throw new IllegalArgumentException(
						"system: " + name + " (expected: --baseline says where its jars are)");
			}
			return new MeasuredSystem(name, after(name), baseline.classPath(own), List.of());
		}
		if (UNQUEUED.containsKey(name)) {
			if (!Files.isDirectory(unqueued())) {
				throw new IllegalArgumentException(
						"system: " + name + " (expected: its module is built, in " + unqueued() + "; use -am)");
			}
			return new MeasuredSystem(name, "ours-h2", own, List.of());
		}
		List<String> names = new ArrayList<>(RpcSystem.all().stream().map(RpcSystem::name).toList());
		if (!names.contains(name)) {
			names.addAll(new TreeSet<>(BEFORE.keySet()));
			names.addAll(new TreeSet<>(UNQUEUED.keySet()));
			names.addAll(PEERS.keySet());
			throw new IllegalArgumentException("system: " + name + " (expected one of " + names + ")");
		}
		return new MeasuredSystem(name, name, own, isTls(name) ? tls() : List.of());
	}

	/** Whether its processes need certificates. */
	static boolean isTls(String name) {
		return name.contains(TLS);
	}

	private static List<String> tls() {
		return List.of("-D" + TlsFiles.PROPERTY + "=" + TlsFiles.folder());
	}

	MeasuredSystem withJvmArgs(List<String> more) {
		List<String> all = new ArrayList<>(this.jvmArgs);
		all.addAll(more);
		return new MeasuredSystem(this.name, this.implementation, this.classPath, List.copyOf(all));
	}

	/**
	 * The same system of this build.
	 * @param before the name of one of the older build
	 * @return its name; empty if it is none of the older build
	 */
	static String after(String before) {
		return BEFORE.getOrDefault(before, "");
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

	private static Path unqueued() {
		return Path.of("unqueued", "target", "classes");
	}

	/**
	 * The class path of its processes of one role.
	 * @param role server or client
	 */
	String classPath(String role) {
		return UNQUEUED.getOrDefault(this.name, List.of()).contains(role)
				? unqueued() + File.pathSeparator + this.classPath : this.classPath;
	}

	/**
	 * Which versions its processes run.
	 * @return of a peer its own and Netty's or Tomcat's, else nothing
	 */
	String versions() {
		if (!PEERS.containsKey(this.name)) {
			return "";
		}
		String below = this.name.equals("webmvc") ? " on Tomcat " + version(TOMCAT_JAR)
				: " on Netty " + version(NETTY_JAR);
		return this.name + " " + version(MAIN_JAR) + below;
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
