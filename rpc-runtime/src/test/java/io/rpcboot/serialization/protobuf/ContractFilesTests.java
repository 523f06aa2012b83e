package io.rpcboot.serialization.protobuf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import javax.tools.ToolProvider;

import io.rpcboot.RpcConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the tool on modules that are compiled in a temporary folder. */
class ContractFilesTests {

	private static final String LOCK = "META-INF/rpc/protobuf.lock";

	private static final String ORDERS = """
			package shop;
			public interface Orders {
				void place(Order order, int count);
				record Order(long id, String name) { }
			}
			""";

	@TempDir
	private Path folder;

	private Path resources(String module) {
		return this.folder.resolve(module).resolve("src/main/resources");
	}

	/** Compiles a module without {@code -parameters}, unless they are options. */
	private void compile(String module, String name, String source, String... options) throws IOException {
		Path sources = this.folder.resolve(module).resolve("src/main/java");
		Path classes = this.folder.resolve(module).resolve("target/classes");
		Files.createDirectories(classes);
		Files.createDirectories(sources);
		Path file = Files.writeString(sources.resolve(name + ".java"), source);
		List<String> arguments = new ArrayList<>(
				List.of("-proc:none", "-d", classes.toString(), "-cp", this.folder.resolve("base/target/classes")
						+ java.io.File.pathSeparator + System.getProperty("java.class.path")));
		arguments.addAll(Arrays.asList(options));
		arguments.add(file.toString());
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
			.isZero();
	}

	/** Runs the main class with the classes of all modules, and returns its output. */
	private String run(String... arguments) throws IOException {
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		PrintStream output = System.out;
		ByteArrayOutputStream written = new ByteArrayOutputStream();
		try (URLClassLoader loader = new URLClassLoader(new URL[] { url("base"), url("shop") }, before)) {
			thread.setContextClassLoader(loader);
			System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
			ContractFiles.main(arguments);
		}
		finally {
			System.setOut(output);
			thread.setContextClassLoader(before);
		}
		return written.toString(StandardCharsets.UTF_8);
	}

	private URL url(String module) throws MalformedURLException {
		return this.folder.resolve(module).resolve("target/classes").toUri().toURL();
	}

	@Test
	void files_areWrittenIntoModule_andThenUpToDate() throws IOException {
		Files.createDirectories(this.folder.resolve("base/target/classes"));
		compile("shop", "Orders", ORDERS, "-parameters");
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> run("--check", "shop.Orders"))
			.withMessage("""
					META-INF/rpc/protobuf.lock: add 'shop.Orders$Order id=1 name=2'
					META-INF/rpc/protobuf.lock: add 'shop.Orders/Place order=1 count=2'
					shop/services.proto: missing""");
		assertThat(this.folder.resolve("shop/src/main/resources")).doesNotExist();
		assertThat(run("shop.Orders")).contains("added 'shop.Orders$Order id=1 name=2'",
				"Written: " + resources("shop").resolve("shop/services.proto"));
		assertThat(resources("shop").resolve(LOCK)).content()
			.endsWith("\nshop.Orders$Order id=1 name=2\nshop.Orders/Place order=1 count=2\n");
		assertThat(resources("shop").resolve("shop/services.proto")).content()
			.contains("package shop;", "  int32 count = 2;");
		assertThat(run("--check", "shop.Orders")).isEmpty();
		assertThat(run("shop.Orders")).isEmpty();
	}

	@Test
	void files_areInNamedFolder_withOption() throws IOException {
		compile("shop", "Orders", ORDERS);
		run("--to=" + this.folder.resolve("elsewhere"), "shop.Orders");
		assertThat(this.folder.resolve("elsewhere").resolve(LOCK)).exists();
		assertThat(resources("shop")).doesNotExist();
	}

	@Test
	void parameters_areNamedByPlace_withoutTheirNames() throws IOException {
		compile("shop", "Orders", ORDERS);
		assertThat(run("shop.Orders")).contains("shop.Orders is compiled without -parameters");
		assertThat(resources("shop").resolve("shop/services.proto")).content().contains("  int32 arg1 = 2;");
		assertThat(run("--check", "shop.Orders")).contains("without -parameters");
	}

	@Test
	void nestedInterface_mayBeNamedWithPoints() throws IOException {
		compile("shop", "Shop",
				"package shop; public class Shop { public interface Carts { String add(String row); } }",
				"-parameters");
		run("shop.Shop.Carts");
		assertThat(resources("shop").resolve("shop/Shop/services.proto")).content().contains("service Carts {");
	}

	@Test
	void methodThatProtobufCannotCarry_isNamed() throws IOException {
		compile("shop", "Bags", "package shop; public interface Bags { void put(Object any); int size(); }");
		assertThat(run("shop.Bags")).contains("Left out: shop.Bags.put", "protobuf has no type for values of any type");
	}

	@Test
	void typesOfAnotherModule_stayInItsLock() throws IOException {
		compile("base", "Money", "package base; public record Money(long cents, String currency) { }");
		compile("shop", "Prices", "package shop; public interface Prices { Price of(base.Money money);"
				+ " record Price(base.Money money) { } }", "-parameters");
		Path lock = this.folder.resolve("base/target/classes").resolve(LOCK);
		Files.createDirectories(lock.getParent());
		Files.writeString(lock, "base.Money cents=2 currency=1\n");
		run("shop.Prices");
		assertThat(resources("shop").resolve(LOCK)).content()
			.contains("shop.Prices$Price money=1")
			.doesNotContain("Money ");
		assertThat(resources("shop").resolve("shop/services.proto")).content().contains("  int64 cents = 2;");
		Files.writeString(lock, "base.Money cents=2\n");
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> run("shop.Prices"))
			.satisfies((ex) -> assertThat(ex.action()).contains("base.Money cents=2 currency=3"));
	}

	/** The copy of the lock in the folder of classes is that of the last build. */
	@Test
	void ownLockAmongClasses_isIgnored() throws IOException {
		compile("shop", "Orders", ORDERS, "-parameters");
		Path copy = this.folder.resolve("shop/target/classes").resolve(LOCK);
		Files.createDirectories(copy.getParent());
		Files.writeString(copy, "shop.Orders$Order id=7 name=8\n");
		assertThat(run("shop.Orders")).contains("added 'shop.Orders$Order id=1 name=2'");
	}

	@Test
	void linesAndComments_stay_whileNothingChanges() throws IOException {
		compile("shop", "Orders", ORDERS, "-parameters");
		Path lock = resources("shop").resolve(LOCK);
		Files.createDirectories(lock.getParent());
		String text = "# mine\r\nshop.Orders$Order name=4  id=3\r\nshop.Gone id=1\r\nshop.Orders/Place order=1  count=2\r\n";
		Files.writeString(lock, text);
		run("shop.Orders");
		assertThat(lock).content().isEqualTo(text);
		assertThat(resources("shop").resolve("shop/services.proto")).content().contains("  int64 id = 3;");
	}

	private void compileThree() throws IOException {
		compile("shop", "Orders", ORDERS, "-parameters");
		compile("shop", "Carts", "package shop; public interface Carts { String add(String row); }", "-parameters");
		compile("shop", "Users", "package shop; @io.rpcboot.RpcContract(name = \"shop.People\")"
				+ " public interface Users { String find(long id); }", "-parameters");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "shop.Orders", "shop.Carts", "shop.Users", "shop.Orders shop.Carts", "shop.Carts shop.Users" })
	void otherServicesOfTheFile_stay_andEachInterfaceAloneIsUpToDate(String interfaces) throws IOException {
		compileThree();
		run("shop.Orders", "shop.Carts", "shop.Users");
		String text = Files.readString(resources("shop").resolve("shop/services.proto"));
		assertThat(text).contains("service Orders {", "service Carts {", "// interface shop.Users\nservice People {");
		assertThat(run(("--check " + interfaces).split(" "))).isEmpty();
		assertThat(run(interfaces.split(" "))).isEmpty();
		assertThat(resources("shop").resolve("shop/services.proto")).content().isEqualTo(text);
	}

	@Test
	void serviceWithoutAnInterface_isRefused_unlessItIsRemoved() throws IOException {
		compileThree();
		run("shop.Orders", "shop.Carts");
		Files.delete(this.folder.resolve("shop/target/classes/shop/Carts.class"));
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> run("shop.Orders"))
			.withMessage(
					"shop/services.proto: service shop.Carts, but no interface shop.Carts (expected: one on the class path)")
			.satisfies((ex) -> assertThat(ex.action())
				.isEqualTo("Compile it, or give --remove=shop.Carts if the service is gone."));
		assertThat(resources("shop").resolve("shop/services.proto")).content().contains("service Carts {");
		run("--remove=shop.Carts", "shop.Orders");
		assertThat(resources("shop").resolve("shop/services.proto")).content().doesNotContain("Carts", "Add");
		assertThat(run("--check", "shop.Orders")).isEmpty();
	}

	@Test
	void difference_isShownByLines() throws IOException {
		compile("shop", "Orders", ORDERS, "-parameters");
		run("shop.Orders");
		compile("shop", "Orders", ORDERS.replace("int count", "int count, boolean gift"), "-parameters");
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> run("--check", "shop.Orders"))
			.withMessage(
					"""
							META-INF/rpc/protobuf.lock: replace 'shop.Orders/Place order=1 count=2' by 'shop.Orders/Place order=1 count=2 gift=3'
							shop/services.proto: line 15 differs
							  message PlaceRequest {
							    optional OrdersOrder order = 1;
							    int32 count = 2;
							+   bool gift = 3;""");
	}

	@Test
	void goPackage_isWritten_andStays() throws IOException {
		compile("shop", "Orders", ORDERS, "-parameters");
		run("--go-package=example.com/shop;shop", "shop.Orders");
		assertThat(resources("shop").resolve("shop/services.proto")).content()
			.contains("\noption go_package = \"example.com/shop;shop\";\n");
		assertThat(run("--check", "shop.Orders")).isEmpty();
		assertThat(run("--go-package=example.com/other", "shop.Orders")).contains("Written: ");
	}

	@Test
	void requestsOfAnEarlierFile_keepTheirNumbers_ifTheLockHasNoLineYet() throws IOException {
		compile("shop", "Orders", ORDERS, "-parameters");
		run("shop.Orders");
		Path lock = resources("shop").resolve(LOCK);
		Files.writeString(lock, "shop.Orders$Order id=1 name=2\n");
		compile("shop", "Orders", ORDERS.replace("Order order, int count", "int size, Order order, String tenant"),
				"-parameters");
		run("shop.Orders");
		assertThat(lock).content().contains("shop.Orders/Place order=1 size=3 tenant=4 reserved=2\n");
	}

	@Test
	void mistakes_areRefused_withTheRemedy() throws IOException {
		compile("shop", "Orders", ORDERS);
		compile("shop", "Card", "package shop; public class Card { }");
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(this::run)
			.withMessage(
					"[] (expected: [--check] [--to=<folder of resources>] [--remove=<service>] [--go-package=<path>] <interface>...)");
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> run("shop.Ordrs"))
			.withMessage("shop.Ordrs: no such class (expected: one on the class path)");
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> run("--chek", "shop.Orders"))
			.withMessageStartingWith("--chek: no such class");
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> run("shop.Card"))
			.withMessageContaining("shop.Card");
		assertThatExceptionOfType(RpcConfigurationException.class).isThrownBy(() -> run("java.lang.Runnable"))
			.withMessage("java.lang.Runnable: its module is unknown"
					+ " (expected: a build that compiles it beside the folder src/main)");
	}

}
