package io.rpcboot.engine.contract;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcMethod;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.interceptor.ClientInvocation;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods with a body in the interface of a service: callers execute it, on the proxy.
 */
@Timeout(60)
public class DefaultMethodsIntegrationTests {

	/** Calls that reached the server. */
	private final List<String> served = new ArrayList<>();

	/** Calls that the client has sent. */
	private final List<String> sent = new ArrayList<>();

	private final List<AutoCloseable> open = new ArrayList<>();

	private Departments departments;

	@BeforeEach
	void start() {
		RpcServer server = RpcServer.builder().port(0).service(Departments.class, new DepartmentsImpl()).start();
		this.open.add(server);
		this.departments = reference(server, Departments.class, ReferenceOptions.defaults());
	}

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable each : this.open) {
			each.close();
		}
	}

	private <T> T reference(RpcServer server, Class<T> type, ReferenceOptions options) {
		RpcClient client = RpcClient.builder().build();
		this.open.add(0, client);
		return client.reference(type, options.withEndpoints(ReferenceStates.at(server).endpoints().get(0)));
	}

	@Test
	void functionArguments_stayAtCaller() {
		List<Item> items = List.of(new Item(1), new Item(2));
		this.departments.setNames(items, (item) -> item.id, (item, name) -> item.name = name);
		assertThat(items).extracting((item) -> item.name).containsExactly("name 1", "name 2");
		assertThat(this.served).containsExactly("find [1, 2]");
	}

	@Test
	void streamAndIterator_areMadeAtCaller() {
		assertThat(this.departments.stream(3, 4).map((item) -> item.name)).containsExactly("name 3", "name 4");
		assertThat(this.departments.iterator()).toIterable().extracting((item) -> item.id).containsExactly(1, 2);
		assertThat(this.served).containsExactly("find [3, 4]", "find [1, 2]");
	}

	@Test
	void inputStream_isReadAtCaller() {
		assertThat(this.departments.upload(new ByteArrayInputStream(new byte[] { 1, 2, 3 }))).isEqualTo(6);
		assertThat(this.served).containsExactly("upload 3");
	}

	@Test
	void classArgument_staysAtCaller() {
		assertThat(this.departments.as(String.class, 5)).isEqualTo("name 5");
	}

	@Test
	void typeVariableOfInterface_isFree_inDefaultMethod() {
		assertThat(this.departments.lookUp(7)).get().extracting((item) -> item.name).isEqualTo("name 7");
		String mapped = this.departments.map(8, (item) -> item.name + "!");
		assertThat(mapped).isEqualTo("name 8!");
		Crud<Item, Integer> crud = this.departments;
		assertThat(crud.lookUp(9)).isPresent();
		assertThat(this.served).containsExactly("get 7", "get 8", "get 9");
	}

	@Test
	void helperInterface_isExecutedAtCaller() {
		assertThat(this.departments.shout("hey")).isEqualTo("HEY");
		assertThat(this.departments.describe()).isEqualTo("DEPARTMENTS");
		assertThat(this.served).isEmpty();
	}

	@Test
	void annotatedDefaultMethod_isExecutedByServer() {
		assertThat(this.departments.count()).as("overridden").isEqualTo(42);
		assertThat(this.departments.total()).as("not overridden").isEqualTo(43);
		assertThat(this.served).containsExactly("count", "count");
	}

	@Test
	void defaultMethod_composesFutures() throws Exception {
		assertThat(this.departments.nameLater(3).get(10, TimeUnit.SECONDS)).isEqualTo("name 3!");
		assertThat(this.served).containsExactly("later 3");
	}

	@Test
	void overloadWithoutContext_mayCallTheOneWithIt() {
		assertThat(this.departments.greet("Ann")).isEqualTo("hello Ann");
		assertThat(this.served).containsExactly("greet Ann with a context");
	}

	@Test
	void exceptionsOfDefaultMethod_areThrownAsTheyAre() {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.departments.fail(new IOException("a")));
		NoSuchElementException own = new NoSuchElementException("b");
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> this.departments.fail(own))
			.isSameAs(own);
	}

	@Test
	void methodsOfObject_areNotRemote() {
		assertThat(this.departments).isEqualTo(this.departments).isNotEqualTo("another");
		assertThat(this.departments.hashCode()).isEqualTo(this.departments.hashCode());
		assertThat(this.departments.toString()).startsWith("reference to ");
		assertThat(ServiceDescriptor.of(Departments.class).methods()).extracting(MethodDescriptor::name)
			.containsExactly("count", "find", "get", "greet", "later", "total", "upload");
		assertThat(this.served).isEmpty();
	}

	@Test
	void callsOfDefaultMethod_passInterceptors() {
		RpcServer server = RpcServer.builder().port(0).service(Departments.class, new DepartmentsImpl()).start();
		this.open.add(server);
		Departments intercepted = reference(server, Departments.class,
				ReferenceOptions.defaults().withInterceptors(List.of(new RpcClientInterceptor() {

					@Override
					public @Nullable Object intercept(ClientInvocation call) throws Throwable {
						DefaultMethodsIntegrationTests.this.sent.add(call.method().name());
						return call.proceed();
					}

				})));
		assertThat(intercepted.lookUp(7)).isPresent();
		assertThat(intercepted.shout("hey")).isEqualTo("HEY");
		assertThat(this.sent).containsExactly("get");
	}

	@Test
	void defaultOverAbstractMethod_isExecutedAtCaller() {
		RpcServer server = RpcServer.builder().port(0).service(Narrowed.class, new NarrowedImpl()).start();
		this.open.add(server);
		Narrowed narrowed = reference(server, Narrowed.class, ReferenceOptions.defaults());
		assertThat(narrowed.get(3)).isEqualTo("3");
		Crud<String, Integer> crud = narrowed;
		assertThat(crud.get(3)).as("through the interface that is extended").isEqualTo("3");
		assertThat(narrowed.lookUp(3)).contains("3");
		assertThat(narrowed.echo("x")).isEqualTo("x of the server");
	}

	@Test
	void serverThatOverridesDefaultMethod_saysSoAtStart() {
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			RpcServer.builder().service(Departments.class, new DepartmentsImpl()).build();
			RpcServer.builder().service(Narrowed.class, new NarrowedImpl()).build();
			RpcServer.builder().service(ServiceDescriptor.of(Departments.class), DepartmentsImpl::new).build();
			assertThat(log.messages())
				.containsExactly("Default methods are not called: " + DepartmentsImpl.class.getName()
						+ " overrides describe(), lookUp(Object), shout(String) of " + Departments.class.getName()
						+ ", which every caller executes by the body in the interface; to call the implementation, put "
						+ "@RpcMethod on the method of the interface");
		}
	}

	@Test
	void overriddenDefaultMethod_isNamed_whenClassOfImplementationIsGiven() {
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			RpcServer.builder()
				.service(ServiceDescriptor.of(Narrowed.class, "2", ""), NarrowedImpl::new,
						ServiceOptions.defaults().withImplementation(Wider.class))
				.build();
			assertThat(log.messages()).singleElement()
				.asString()
				.contains(Wider.class.getName() + " overrides get(Integer) of");
		}
	}

	/** Helper that knows nothing of calls. */
	public interface Helper {

		default String shout(String text) {
			return text.toUpperCase();
		}

	}

	/** Common methods of several services. */
	public interface Crud<T, I> {

		T get(I id);

		default Optional<T> lookUp(I id) {
			return Optional.ofNullable(get(id));
		}

		default <R> R map(I id, Function<? super T, ? extends R> mapping) {
			return mapping.apply(get(id));
		}

	}

	/** Service whose interface has what interfaces have. */
	public interface Departments extends Crud<Item, Integer>, Helper {

		List<Item> find(Collection<Integer> ids);

		int upload(byte[] content);

		CompletableFuture<String> later(int id);

		String greet(@Nullable RpcContext context, String name);

		@Override
		boolean equals(Object other);

		@Override
		String toString();

		@RpcMethod(idempotent = true)
		default int count() {
			throw new UnsupportedOperationException();
		}

		@RpcMethod
		default int total() {
			return count() + 1;
		}

		default String greet(String name) {
			return greet(null, name);
		}

		default <T> void setNames(List<T> items, Function<T, Integer> id, BiConsumer<T, String> setter) {
			List<Item> found = find(items.stream().map(id).toList());
			for (int i = 0; i < items.size(); i++) {
				setter.accept(items.get(i), found.get(i).name);
			}
		}

		default Stream<Item> stream(Integer... ids) {
			return find(Arrays.asList(ids)).stream();
		}

		default Iterator<Item> iterator() {
			return find(List.of(1, 2)).iterator();
		}

		default int upload(InputStream in) {
			try {
				return upload(in.readAllBytes());
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		default <T> T as(Class<T> type, int id) {
			return type.cast(get(id).name);
		}

		default CompletableFuture<String> nameLater(int id) {
			return later(id).thenApply((name) -> name + suffix());
		}

		default void fail(Exception failure) throws Exception {
			throw failure;
		}

		default String describe() {
			return shout("departments");
		}

		private String suffix() {
			return "!";
		}

		static Item item(int id) {
			Item item = new Item(id);
			item.name = "name " + id;
			return item;
		}

	}

	/** Value with a field to be set. */
	public static class Item {

		private int id;

		private @Nullable String name;

		Item() {
		}

		Item(int id) {
			this.id = id;
		}

	}

	/** Implementation that overrides default methods. */
	private final class DepartmentsImpl implements Departments {

		private void serve(String call) {
			DefaultMethodsIntegrationTests.this.served.add(call);
		}

		@Override
		public Item get(Integer id) {
			serve("get " + id);
			return Departments.item(id);
		}

		@Override
		public List<Item> find(Collection<Integer> ids) {
			serve("find " + ids);
			return ids.stream().map(Departments::item).toList();
		}

		@Override
		public int upload(byte[] content) {
			serve("upload " + content.length);
			int sum = 0;
			for (byte each : content) {
				sum += each;
			}
			return sum;
		}

		@Override
		public CompletableFuture<String> later(int id) {
			serve("later " + id);
			return CompletableFuture.completedFuture("name " + id);
		}

		@Override
		public String greet(@Nullable RpcContext context, String name) {
			serve("greet " + name + ((context != null) ? " with a context" : ""));
			return "hello " + name;
		}

		@Override
		public int count() {
			serve("count");
			return 42;
		}

		@Override
		public Optional<Item> lookUp(Integer id) {
			throw new AssertionError("no call reaches it");
		}

		@Override
		public String shout(String text) {
			throw new AssertionError("no call reaches it");
		}

		@Override
		public String describe() {
			throw new AssertionError("no call reaches it");
		}

	}

	/** Service that gives a body to an inherited method. */
	public interface Narrowed extends Crud<String, Integer> {

		String echo(String text);

		@Override
		default String get(Integer id) {
			return id.toString();
		}

	}

	/** Implementation that overrides no default method. */
	private static final class NarrowedImpl implements Narrowed {

		@Override
		public String echo(String text) {
			return text + " of the server";
		}

	}

	/** Interface between service and implementation, with another body. */
	public interface Wider extends Narrowed {

		@Override
		default String get(Integer id) {
			return "wider";
		}

	}

}
