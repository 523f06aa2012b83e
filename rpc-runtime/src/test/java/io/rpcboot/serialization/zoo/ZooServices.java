package io.rpcboot.serialization.zoo;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A service interface for each row of the zoo, with a method for each shape. They are
 * compiled by the JDK that runs the test, so that a row is one line and may name a type
 * that came after Java 17.
 */
final class ZooServices {

	private static final String PACKAGE = "zoo.";

	private static final Set<String> PRIMITIVES = Set.of("byte", "short", "int", "long", "float", "double", "boolean",
			"char");

	private static final String SERVICE = """
			package zoo;

			import io.rpcboot.serialization.zoo.ZooTypes.*;
			import io.rpcboot.serialization.zoo.ZooClasses.*;
			import io.rpcboot.serialization.zoo.ZooHierarchies.*;
			import io.rpcboot.workload.*;
			import java.math.*;
			import java.net.*;
			import java.nio.*;
			import java.nio.charset.*;
			import java.time.*;
			import java.util.*;
			import java.util.concurrent.*;
			import java.util.concurrent.atomic.*;

			public interface %1$s {

				%2$s alone(%2$s value);

				Bean bean(Bean value);

				Box record(Box value);

				class Bean { public String before; public %2$s value; public String after; }

				record Box(String before, %2$s value, String after) { }

			%3$s
			}
			""";

	private static final String CONTAINERS = """
				List<%1$s> list(List<%1$s> value);

				Map<String, %1$s> map(Map<String, %1$s> value);
			""";

	private final Map<String, Class<?>> services = new HashMap<>();

	ZooServices(List<ZooRow> rows) {
		List<JavaFileObject> sources = new ArrayList<>();
		for (ZooRow row : rows) {
			sources.add(new Source(name(sources.size()), source(name(sources.size()), row)));
		}
		ClassLoader loader = new Loader(compile(sources));
		for (ZooRow row : rows) {
			try {
				this.services.put(row.type(), loader.loadClass(PACKAGE + name(this.services.size())));
			}
			catch (ClassNotFoundException ex) {
				throw new IllegalStateException("%s has two rows".formatted(row), ex);
			}
		}
	}

	Class<?> of(ZooRow row) {
		return this.services.get(row.type());
	}

	static boolean isPrimitive(ZooRow row) {
		return PRIMITIVES.contains(row.type());
	}

	private static String name(int index) {
		return "Row" + index;
	}

	private static String source(String name, ZooRow row) {
		return SERVICE.formatted(name, row.type(), isPrimitive(row) ? "" : CONTAINERS.formatted(row.type()));
	}

	private static Map<String, ByteArrayOutputStream> compile(List<JavaFileObject> sources) {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
		try (Memory memory = new Memory(compiler.getStandardFileManager(problems, null, null))) {
			List<String> options = List.of("-parameters", "-proc:none", "-Xlint:none", "-classpath",
					System.getProperty("java.class.path"));
			if (!compiler.getTask(null, memory, problems, options, null, sources).call()) {
				throw new IllegalStateException(problems.getDiagnostics().toString());
			}
			return memory.classes;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** What is compiled. */
	private static final class Source extends SimpleJavaFileObject {

		private final String text;

		Source(String name, String text) {
			super(URI.create("memory:///zoo/" + name + Kind.SOURCE.extension), Kind.SOURCE);
			this.text = text;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

	}

	/** Takes what the compiler writes. */
	private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {

		private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

		Memory(JavaFileManager files) {
			super(files);
		}

		@Override
		public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind,
				FileObject sibling) {
			return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + kind.extension), kind) {

				@Override
				public OutputStream openOutputStream() {
					return Memory.this.classes.computeIfAbsent(name, (key) -> new ByteArrayOutputStream());
				}

			};
		}

	}

	/** Defines what was compiled. */
	private static final class Loader extends ClassLoader {

		private final Map<String, ByteArrayOutputStream> classes;

		Loader(Map<String, ByteArrayOutputStream> classes) {
			super(ZooServices.class.getClassLoader());
			this.classes = classes;
		}

		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			ByteArrayOutputStream bytes = this.classes.get(name);
			if (bytes == null) {
				throw new ClassNotFoundException(name);
			}
			return defineClass(name, bytes.toByteArray(), 0, bytes.size());
		}

	}

}
