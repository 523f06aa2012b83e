package io.rpcboot.benchmarks.startup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Classes of an application with many services, compiled into a temporary directory. Each
 * service has five methods, two records of its own and an implementation; a caller holds
 * ten references.
 */
final class GeneratedServices implements AutoCloseable {

	/** Where {@link StartupProbe} looks for beans. */
	static final String PACKAGE = "generated.startup";

	private static final int REFERENCES_OF_CALLER = 10;

	private static final String INTERFACE = """
			package generated.startup;
			public interface Service%1$d {
				Reply%1$d get(long id);
				Reply%1$d create(Order%1$d order);
				java.util.List<Reply%1$d> list(String name, int page);
				java.util.concurrent.CompletableFuture<Reply%1$d> find(String name);
				void update(Order%1$d order, Reply%1$d reply);
			}
			""";

	private static final String ORDER = """
			package generated.startup;
			public record Order%1$d(long id, String name, int count, java.util.List<String> tags) {
			}
			""";

	private static final String REPLY = """
			package generated.startup;
			public record Reply%1$d(long id, String name, java.time.Instant at, java.util.Map<String, Long> amounts,
					Order%1$d order) {
			}
			""";

	private static final String IMPLEMENTATION = """
			package generated.startup;
			@%2$s
			public class DefaultService%1$d implements Service%1$d {
				public Reply%1$d get(long id) {
					return new Reply%1$d(id, "name", java.time.Instant.EPOCH, java.util.Map.of("total", id),
							new Order%1$d(id, "name", 1, java.util.List.of("tag")));
				}
				public Reply%1$d create(Order%1$d order) {
					return get(order.id());
				}
				public java.util.List<Reply%1$d> list(String name, int page) {
					return java.util.List.of(get(page));
				}
				public java.util.concurrent.CompletableFuture<Reply%1$d> find(String name) {
					return java.util.concurrent.CompletableFuture.completedFuture(get(name.length()));
				}
				public void update(Order%1$d order, Reply%1$d reply) {
				}
			}
			""";

	private static final String CALLS = """
					require(this.service%1$d.get(5).id() == 5);
					require(this.service%1$d.create(new Order%1$d(6, "name", 1, java.util.List.of("tag"))).id() == 6);
					require(this.service%1$d.list("name", 7).get(0).order().id() == 7);
					require(this.service%1$d.find("name").join().id() == 4);
					this.service%1$d.update(this.service%1$d.get(8).order(), this.service%1$d.get(9));
			""";

	private static final String CALLER = """
			package generated.startup;
			@org.springframework.stereotype.Component
			public class Caller%d implements Runnable {
			%s
				public void run() {
			%s
				}
				private static void require(boolean answer) {
					if (!answer) {
						throw new IllegalStateException("wrong answer");
					}
				}
			}
			""";

	private final Kind kind;

	private final Path directory;

	private GeneratedServices(Kind kind, Path directory) {
		this.kind = kind;
		this.directory = directory;
	}

	/** What the same classes are to Spring. */
	enum Kind {

		/** Services, and references to them. */
		SERVICES("io.rpcboot.spring.RpcService", "io.rpcboot.spring.RpcReference"),

		/** Beans that are injected: what is left of the cost without this project. */
		PLAIN("org.springframework.stereotype.Component", "org.springframework.beans.factory.annotation.Autowired");

		private final String service;

		private final String reference;

		Kind(String service, String reference) {
			this.service = service;
			this.reference = reference;
		}

	}

	/**
	 * Generate and compile.
	 * @param kind of their annotations
	 * @param count services, and references to them
	 * @param classPath of the application
	 * @throws IllegalStateException if this Java has no compiler or it fails
	 */
	static GeneratedServices compile(Kind kind, int count, String classPath) throws IOException {
		GeneratedServices result = new GeneratedServices(kind, Files.createTempDirectory("rpc-startup"));
		try {
			result.compile(result.generate(count), classPath);
			return result;
		}
		catch (IOException | RuntimeException ex) {
			result.close();
			throw ex;
		}
	}

	private List<Path> generate(int count) throws IOException {
		List<Path> sources = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			sources.add(write("Service" + i, INTERFACE.formatted(i)));
			sources.add(write("Order" + i, ORDER.formatted(i)));
			sources.add(write("Reply" + i, REPLY.formatted(i)));
			sources.add(write("DefaultService" + i, IMPLEMENTATION.formatted(i, this.kind.service)));
		}
		for (int i = 0; i < count; i += REFERENCES_OF_CALLER) {
			sources.add(write("Caller" + i, caller(i, Math.min(count, i + REFERENCES_OF_CALLER))));
		}
		return sources;
	}

	private void compile(List<Path> sources, String classPath) throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		if (compiler == null) {
			throw new IllegalStateException("this Java has no compiler (expected: a JDK)");
		}
		List<String> options = List.of("-parameters", "-proc:none", "-classpath", classPath, "-d", classPath());
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
			if (!compiler.getTask(null, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
				.call()) {
				throw new IllegalStateException("the generated services do not compile");
			}
		}
	}

	private String caller(int first, int end) {
		StringBuilder fields = new StringBuilder();
		StringBuilder calls = new StringBuilder();
		for (int i = first; i < end; i++) {
			fields.append("\t@%2$s Service%1$d service%1$d;%n".formatted(i, this.kind.reference));
			calls.append(CALLS.formatted(i));
		}
		return CALLER.formatted(first, fields, calls);
	}

	private Path write(String name, String source) throws IOException {
		return Files.writeString(this.directory.resolve(name + ".java"), source);
	}

	/** The directory of the classes. */
	String classPath() {
		return this.directory.toString();
	}

	@Override
	public void close() throws IOException {
		try (Stream<Path> files = Files.walk(this.directory)) {
			files.sorted(Comparator.reverseOrder()).forEach(GeneratedServices::delete);
		}
	}

	private static void delete(Path file) {
		try {
			Files.delete(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
