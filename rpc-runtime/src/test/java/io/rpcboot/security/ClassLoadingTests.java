package io.rpcboot.security;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No bytes load a class. Two watch: a class loader, which hears every request of the
 * project's code, and the JVM, which tells what was loaded by any class loader.
 */
class ClassLoadingTests {

	private static final String GADGET = "io.rpcboot.security.Gadget";

	private final WatchingClassLoader loader = new WatchingClassLoader(ClassLoadingTests.class.getClassLoader());

	/** What a task asks for and what is loaded while it runs. */
	private Set<String> watch(Class<?> type, String input) throws Exception {
		Function<String, Integer> task = create(type);
		return watch(() -> task.apply(input));
	}

	private Set<String> watch(Runnable task) throws Exception {
		this.loader.takeRequested();
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(this.loader);
		try {
			Set<String> loaded = new TreeSet<>(LoadedClasses.during(task));
			loaded.addAll(this.loader.takeRequested());
			return loaded;
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	@SuppressWarnings("unchecked")
	private Function<String, Integer> create(Class<?> type) throws Exception {
		return (Function<String, Integer>) this.loader.loadClass(type.getName()).getConstructor().newInstance();
	}

	@Test
	void hostileBytes_loadNoClass() throws Exception {
		Function<String, Integer> reads = create(HostileReads.class);
		reads.apply("valid");
		int[] refused = new int[1];
		Set<String> loaded = watch(() -> refused[0] = reads.apply("hostile"));
		assertThat(refused[0]).isGreaterThan(300);
		assertThat(loaded).noneMatch((name) -> name.startsWith(GADGET));
		assertThat(loaded).allMatch(ClassLoadingTests::isOfTheReader);
		Set<String> again = watch(() -> reads.apply("hostile"));
		assertThat(again).as("a second time").allMatch((name) -> isCompiled(name));
	}

	/** The reader's own code, which loads its exceptions and messages when needed. */
	private static boolean isOfTheReader(String name) {
		return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.")
				|| name.startsWith("io.rpcboot.serialization.") || name.startsWith("io.rpcboot.internal.serialization.")
				|| name.startsWith("io.rpcboot.security.Attacks") || name.startsWith("io.rpcboot.security.Wire")
				|| name.startsWith("io.rpcboot.security.HostileReads") || name.startsWith("io.rpcboot.fuzz.");
	}

	/** Made by the JVM for method handles, and what watches. */
	private static boolean isCompiled(String name) {
		return name.startsWith("java.lang.invoke.") || name.startsWith("jdk.internal.") || name.startsWith("jdk.jfr.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "own", "uninitialized", "context" })
	void carelessReader_isDetected_withEachLoadingMethod(String way) throws Exception {
		assertThat(watch(CarelessReader.class, way + " " + GADGET)).contains(GADGET);
		assertThat(watch(CarelessReader.class, way + " no.such.Class")).contains("no.such.Class");
		assertThat(watch(CarelessReader.class, way + " java.util.zip.Deflater")).contains("java.util.zip.Deflater");
	}

	@Test
	void carelessReader_isDetected_inOtherClassLoader() throws Exception {
		assertThat(watch(CarelessReader.class, "other " + GADGET + "$Choice")).contains(GADGET + "$Choice");
	}

}
