package io.rpcboot.evolution;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Turns the source of a class into the bytes of all classes that it declares.
 */
final class InMemoryCompiler {

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	/** One for all, because it keeps the class path open. */
	private static final JavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

	private static final List<String> OPTIONS = List.of("-classpath", System.getProperty("java.class.path"),
			"-proc:none", "-parameters", "-nowarn");

	/** What was compiled, by source: most versions belong to several rows and tests. */
	private static final Map<String, Map<String, byte[]>> COMPILED = new HashMap<>();

	private InMemoryCompiler() {
	}

	static synchronized Map<String, byte[]> compile(String name, String source) {
		Map<String, byte[]> known = COMPILED.get(source);
		if (known == null) {
			known = compileNow(name, source);
			COMPILED.put(source, known);
		}
		return known;
	}

	private static Map<String, byte[]> compileNow(String name, String source) {
		Output output = new Output(FILES);
		DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
		boolean compiled = COMPILER
			.getTask(null, output, problems, OPTIONS, null, List.of(new SourceFile(name, source)))
			.call();
		if (!compiled) {
			throw new IllegalArgumentException(problems.getDiagnostics() + "\n" + source);
		}
		return output.classes.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (each) -> asByKotlin(each.getValue().toByteArray())));
	}

	/** Marks constructors with defaults of parameters as synthetic, as Kotlin does. */
	private static byte[] asByKotlin(byte[] compiled) {
		ClassReader reader = new ClassReader(compiled);
		ClassWriter writer = new ClassWriter(reader, 0);
		reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {

			@Override
			public MethodVisitor visitMethod(int access, String name, String descriptor, String signature,
					String[] exceptions) {
				boolean hasDefaults = descriptor.contains("Lkotlin/jvm/internal/DefaultConstructorMarker;");
				return super.visitMethod(hasDefaults ? access | Opcodes.ACC_SYNTHETIC : access, name, descriptor,
						signature, exceptions);
			}

		}, 0);
		return writer.toByteArray();
	}

	private static final class SourceFile extends SimpleJavaFileObject {

		private final String source;

		SourceFile(String name, String source) {
			super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
			this.source = source;
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.source;
		}

	}

	private static final class Output extends ForwardingJavaFileManager<JavaFileManager> {

		private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

		Output(JavaFileManager files) {
			super(files);
		}

		@Override
		public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind,
				FileObject sibling) {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			this.classes.put(name, bytes);
			return new SimpleJavaFileObject(URI.create("bytes:///" + name), kind) {
				@Override
				public OutputStream openOutputStream() {
					return bytes;
				}
			};
		}

	}

}
