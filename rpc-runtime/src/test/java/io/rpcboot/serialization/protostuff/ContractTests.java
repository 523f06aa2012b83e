package io.rpcboot.serialization.protostuff;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.rpcboot.serialization.ServiceCodec;
import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.workload.UserService;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The hash over a contract is the same on every JVM and changes with all that decides how
 * bytes are read.
 */
class ContractTests {

	private static final String SOURCE = """
			package contract;
			public interface Api {
				Bean get(long id) throws Failed;
				void put(Bean bean);
				enum Colour { RED, GREEN }
				class Bean { int a; String b; Colour colour; transient int hidden; }
				class Failed extends Exception { int code; }
			}
			""";

	@TempDir
	Path directory;

	@Test
	void workloadContract_hasExpectedText() {
		ServiceCodec codec = Codecs.of(UserService.class);
		assertThat(codec.contract().text()).isEqualTo("""
				protostuff/1
				method createUser(io.rpcboot.workload.User) boolean
				method existUser(java.lang.String) boolean
				method getUser(long) io.rpcboot.workload.User
				method listUser(int) io.rpcboot.workload.Page<io.rpcboot.workload.User>
				bean io.rpcboot.workload.Page<io.rpcboot.workload.User>
				  1 pageNo int
				  2 total int
				  3 result java.util.List<io.rpcboot.workload.User>
				bean io.rpcboot.workload.User
				  1 id long
				  2 name java.lang.String
				  3 sex int
				  4 birthday java.time.LocalDate
				  5 email java.lang.String
				  6 mobile java.lang.String
				  7 address java.lang.String
				  8 icon java.lang.String
				  9 status int
				  10 createTime java.time.LocalDateTime
				  11 updateTime java.time.LocalDateTime
				  12 permissions java.util.List<java.lang.Integer>
				""");
	}

	@Test
	void hash_isFirstHalfOfSha256OfText() {
		assertThat(Codecs.of(UserService.class).contract().hash()).hasToString("f4e86224151941ce69c6987566cfafcd");
	}

	@Test
	void text_coversAllKinds() {
		assertThat(contract(SOURCE)).isEqualTo("""
				protostuff/1
				method get(long) contract.Api$Bean throws contract.Api$Failed
				method put(contract.Api$Bean) void
				bean contract.Api$Bean
				  1 a int
				  2 b java.lang.String
				  3 colour contract.Api$Colour
				enum contract.Api$Colour
				  0 RED void
				  1 GREEN void
				exception contract.Api$Failed
				  1 message java.lang.String
				  2 code int
				""");
	}

	@Test
	void equalSources_haveEqualHashes() {
		assertThat(hash(SOURCE)).isEqualTo(hash(SOURCE));
	}

	@ParameterizedTest(name = "{0} -> {1}")
	@CsvSource(delimiter = '|', textBlock = """
			int a; String b;     | int a; int x; String b;
			int a; String b;     | int x; String b;
			int a; String b;     | long a; String b;
			int a; String b;     | Integer a; String b;
			int a; String b;     | String b; int a;
			int a; String b;     | int a;
			RED, GREEN           | RED, GREEN, BLUE
			RED, GREEN           | GREEN, RED
			void put(Bean bean); | void put(Bean bean); void more();
			void put(Bean bean); | void post(Bean bean);
			void put(Bean bean); | boolean put(Bean bean);
			void put(Bean bean); | @io.rpcboot.RpcMethod(oneWay = true) void put(Bean bean);
			throws Failed        | throws Failed, java.io.IOException
			throws Failed        | ' '
			int code;            | long code;
			int code;            | ' '
			""")
	void contractChange_changesHash(String part, String replacement) {
		assertThat(hash(SOURCE.replace(part, replacement))).isNotEqualTo(hash(SOURCE));
	}

	@ParameterizedTest(name = "{0} -> {1}")
	@CsvSource(delimiter = '|',
			textBlock = """
					transient int hidden;  | static int hidden; void method() { }
					Bean get(long id)      | java.util.concurrent.CompletableFuture<Bean> get(long other)
					class Bean {           | class Bean implements java.io.Serializable { static final long serialVersionUID = 2;
					""")
	void unrelatedChange_keepsHash(String part, String replacement) {
		assertThat(hash(SOURCE.replace(part, replacement))).isEqualTo(hash(SOURCE));
	}

	private ContractHash hash(String source) {
		return codec(source).contract().hash();
	}

	private String contract(String source) {
		return codec(source).contract().text();
	}

	private ServiceCodec codec(String source) {
		try {
			Path root = Files.createTempDirectory(this.directory, "contract");
			Path file = Files.createDirectories(root.resolve("contract")).resolve("Api.java");
			Files.writeString(file, source);
			JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
			List<String> options = List.of("-d", root.toString(), "-classpath", System.getProperty("java.class.path"),
					"-proc:none");
			boolean compiled = compiler
				.getTask(null, null, null, options, null,
						compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file))
				.call();
			assertThat(compiled).isTrue();
			try (URLClassLoader loader = new URLClassLoader(new URL[] { root.toUri().toURL() },
					getClass().getClassLoader())) {
				return Codecs.of(loader.loadClass("contract.Api"));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
