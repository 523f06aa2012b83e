package io.rpcboot.hotpath;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.ISourceFileCoverage;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.IRuntime;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;

/**
 * Loads the project's classes anew, those of its main code with JaCoCo's probes in them.
 * Everything else comes from the parent.
 */
final class CountingClassLoader extends ClassLoader implements AutoCloseable {

	private static final String BASE_PACKAGE = "io.rpcboot.";

	private final Map<String, byte[]> mainClasses = new ConcurrentHashMap<>();

	private final IRuntime runtime = new LoggerRuntime();

	private final RuntimeData hits = new RuntimeData();

	private final Instrumenter instrumenter = new Instrumenter(this.runtime);

	private final List<String> mainRoots;

	/**
	 * Create a loader.
	 * @param parent finds the class files
	 * @param main a class of the main code of each module, which shows where all of it
	 * lies
	 */
	CountingClassLoader(ClassLoader parent, Class<?>... main) throws Exception {
		super(parent);
		this.mainRoots = Arrays.stream(main).map((type) -> root(parent, type)).toList();
		this.runtime.startup(this.hits);
	}

	private static String root(ClassLoader loader, Class<?> type) {
		String file = type.getName().replace('.', '/') + ".class";
		String location = String.valueOf(loader.getResource(file));
		return location.substring(0, location.length() - file.length());
	}

	@Override
	protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
		if (!name.startsWith(BASE_PACKAGE)) {
			return super.loadClass(name, resolve);
		}
		synchronized (getClassLoadingLock(name)) {
			Class<?> loaded = findLoadedClass(name);
			return (loaded != null) ? loaded : findClass(name);
		}
	}

	@Override
	protected Class<?> findClass(String name) throws ClassNotFoundException {
		URL location = getParent().getResource(name.replace('.', '/') + ".class");
		if (location == null) {
			throw new ClassNotFoundException(name);
		}
		try (InputStream in = location.openStream()) {
			byte[] bytes = in.readAllBytes();
			if (this.mainRoots.stream().anyMatch(location.toString()::startsWith)) {
				this.mainClasses.put(name.replace('.', '/'), bytes);
				bytes = this.instrumenter.instrument(bytes, name);
			}
			return defineClass(name, bytes, 0, bytes.length);
		}
		catch (IOException ex) {
			throw new ClassNotFoundException(name, ex);
		}
	}

	/** Forget what ran. */
	void reset() {
		this.hits.reset();
	}

	/**
	 * Executed code since the last reset.
	 * @return lines and types by source file, "package/Name.java"
	 */
	Map<String, Executed> executed() throws IOException {
		ExecutionDataStore store = store();
		Map<String, Executed> result = new TreeMap<>();
		for (ExecutionData each : store.getContents()) {
			String outermost = each.getName().replaceFirst("\\$.*", "");
			result.merge(outermost + ".java", new Executed(0, 1), Executed::plus);
		}
		for (ISourceFileCoverage each : analyze(store).getSourceFiles()) {
			result.merge(each.getPackageName() + "/" + each.getName(),
					new Executed(each.getLineCounter().getCoveredCount(), 0), Executed::plus);
		}
		return result;
	}

	/**
	 * Executed methods since the last reset.
	 * @return names, with those of their classes
	 */
	Set<String> executedMethods() throws IOException {
		Set<String> result = new TreeSet<>();
		for (IClassCoverage type : analyze(store()).getClasses()) {
			type.getMethods()
				.stream()
				.filter((method) -> method.getInstructionCounter().getCoveredCount() > 0)
				.forEach((method) -> result.add(type.getName().replace('/', '.') + "." + method.getName()));
		}
		return result;
	}

	private ExecutionDataStore store() {
		ExecutionDataStore store = new ExecutionDataStore();
		this.hits.collect((data) -> {
			if (data.hasHits()) {
				store.put(new ExecutionData(data.getId(), data.getName(), data.getProbes().clone()));
			}
		}, (session) -> {
		}, false);
		return store;
	}

	private CoverageBuilder analyze(ExecutionDataStore store) throws IOException {
		CoverageBuilder coverage = new CoverageBuilder();
		Analyzer analyzer = new Analyzer(store, coverage);
		for (ExecutionData each : store.getContents()) {
			analyzer.analyzeClass(this.mainClasses.get(each.getName()), each.getName());
		}
		return coverage;
	}

	/**
	 * Executed code of a source file.
	 *
	 * @param lines executed lines; 0 if only generated code ran, such as the accessors of
	 * a record
	 * @param types executed classes, nested ones included
	 */
	record Executed(int lines, int types) {

		Executed plus(Executed other) {
			return new Executed(this.lines + other.lines, this.types + other.types);
		}

	}

	@Override
	public void close() {
		this.runtime.shutdown();
	}

}
