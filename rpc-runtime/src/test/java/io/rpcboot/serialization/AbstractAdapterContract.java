package io.rpcboot.serialization;

import java.lang.management.ManagementFactory;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.contract.ContractMatch;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.serialization.shop.NewShop;
import io.rpcboot.serialization.shop.OldShop;
import io.rpcboot.serialization.shop.OldShop.Circle;
import io.rpcboot.serialization.shop.OldShop.Colour;
import io.rpcboot.serialization.shop.OldShop.Note;
import io.rpcboot.serialization.shop.OldShop.Order;
import io.rpcboot.serialization.shop.OldShop.Square;
import io.rpcboot.workload.Page;
import io.rpcboot.workload.User;
import io.rpcboot.workload.UserService;
import io.rpcboot.workload.UserServiceImpl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Contract of every serializer beside the default one: limits, failures, evolution,
 * hostile bytes, threads.
 */
public abstract class AbstractAdapterContract {

	private static final int LIMIT = 1 << 20;

	private final Serializer serializer;

	private final ServiceDescriptor oldShop = ServiceDescriptor.of(OldShop.class);

	private final ServiceDescriptor newShop = ServiceDescriptor.of(NewShop.class);

	private final ServiceCodec oldCodec;

	private final ServiceCodec newCodec;

	protected AbstractAdapterContract(Serializer serializer) {
		this.serializer = serializer;
		this.oldCodec = serializer.codec(this.oldShop);
		this.newCodec = serializer.codec(this.newShop);
	}

	protected final MethodCodec oldMethod(String name) {
		return this.oldCodec.method(number(this.oldShop, name));
	}

	private MethodCodec newMethod(String name) {
		return this.newCodec.method(number(this.newShop, name));
	}

	/** Reads what the old version writes. */
	private MethodCodec newOfOld(String name, String oldName) {
		return this.newCodec.translate(overTheWire(this.oldCodec))
			.method(number(this.newShop, name), number(this.oldShop, oldName));
	}

	/** Reads what the new version writes. */
	private MethodCodec oldOfNew(String name, String newName) {
		return this.oldCodec.translate(overTheWire(this.newCodec))
			.method(number(this.oldShop, name), number(this.newShop, newName));
	}

	private static Contract overTheWire(ServiceCodec codec) {
		return Contract.parse(codec.contract().text());
	}

	private static int number(ServiceDescriptor service, String name) {
		return service.methods()
			.stream()
			.filter((each) -> each.name().equals(name))
			.mapToInt(MethodDescriptor::number)
			.findFirst()
			.orElseThrow();
	}

	protected static byte[] result(MethodCodec codec, Object value) {
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		codec.serializeResult(value, out);
		return out.toByteArray();
	}

	private static byte[] arguments(MethodCodec codec, Object... values) {
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		codec.serializeArguments(values, out);
		return out.toByteArray();
	}

	private static byte[] exception(MethodCodec codec, Throwable thrown) {
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		assertThat(codec.serializeException(thrown, out)).isTrue();
		return out.toByteArray();
	}

	protected static Object read(MethodCodec codec, byte[] bytes) {
		return codec.deserializeResult(bytes, 0, bytes.length);
	}

	private static Throwable readException(MethodCodec codec, byte[] bytes) {
		return codec.deserializeException(bytes, 0, bytes.length);
	}

	private static Order order() {
		Note reply = new Note("reply", null, Colour.PURPLE, new Square(2), null);
		Note note = new Note("note \ud83d\ude00", Arrays.asList(reply, null), Colour.RED, new Circle(1),
				Map.of("a", new long[] { 1, -1 }));
		Order next = new Order(2, null, null, 0.1f, null, null, null, null, null, null);
		return new Order(1, "Doug", -5, 1.1f, note, List.of("a", "", "中"), Map.of(Colour.GREEN, LocalDate.EPOCH),
				new int[] { 1, -2 }, new Short[] { 3, -4 }, next);
	}

	@Test
	void order_roundTripsUnchanged() {
		MethodCodec codec = oldMethod("order");
		assertThat(read(codec, result(codec, order()))).usingRecursiveComparison().isEqualTo(order());
		byte[] bytes = arguments(codec, order());
		assertThat(codec.deserializeArguments(bytes, 0, bytes.length)[0]).usingRecursiveComparison().isEqualTo(order());
		assertThat(read(codec, result(codec, null))).isNull();
	}

	@Test
	void voidMethod_hasNoArgumentsAndNoResult() {
		MethodCodec codec = oldMethod("nothing");
		assertThat(read(codec, result(codec, null))).isNull();
		byte[] none = arguments(codec);
		assertThat(codec.deserializeArguments(none, 0, none.length)).isEmpty();
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		codec.serializeArguments(null, out);
		assertThat(out.toByteArray()).isEqualTo(none);
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> result(codec, "something"))
			.withMessageContaining("nothing")
			.withMessageContaining("expected: no result");
	}

	@Test
	void declaredException_keepsMessageAndFields() {
		MethodCodec codec = oldMethod("order");
		OldShop.Missing missing = (OldShop.Missing) readException(codec, exception(codec, OldShop.Missing.of("m", 9)));
		assertThat(missing).isExactlyInstanceOf(OldShop.Missing.class).hasMessage("m").hasNoCause();
		assertThat(missing.id()).isEqualTo(9);
		OldShop.Closed closed = new OldShop.Closed(null).because("a", "b");
		assertThat(((OldShop.Closed) readException(codec, exception(codec, closed))).reasons()).containsExactly("a",
				"b");
		OutputBuffer out = new OutputBuffer(new byte[1], LIMIT);
		assertThat(codec.serializeException(new IllegalStateException("no"), out)).isFalse();
		assertThat(out.length()).isZero();
	}

	@Test
	void sizeLimit_isEnforcedExactly() {
		MethodCodec codec = oldMethod("order");
		OutputBuffer small = new OutputBuffer(new byte[16], 100);
		assertThatExceptionOfType(MessageTooLargeException.class)
			.isThrownBy(() -> codec.serializeResult(order(), small))
			.satisfies((ex) -> assertThat(ex.limit()).isEqualTo(100));
		OutputBuffer large = new OutputBuffer(new byte[16], 1000);
		assertThatExceptionOfType(MessageTooLargeException.class)
			.isThrownBy(() -> oldMethod("anything").serializeResult("x".repeat(100_000), large));
		int length = result(codec, order()).length;
		OutputBuffer exact = new OutputBuffer(new byte[1], length);
		codec.serializeResult(order(), exact);
		assertThat(exact.length()).isEqualTo(length);
		assertThatExceptionOfType(MessageTooLargeException.class)
			.isThrownBy(() -> codec.serializeResult(order(), new OutputBuffer(new byte[1], length - 1)));
	}

	@Test
	void serialization_appendsAtBufferPosition() {
		MethodCodec codec = oldMethod("order");
		OutputBuffer out = new OutputBuffer(new byte[8], LIMIT);
		out.position(3);
		codec.serializeResult(order(), out);
		assertThat(codec.deserializeResult(out.array(), 3, out.length() - 3)).usingRecursiveComparison()
			.isEqualTo(order());
	}

	@Test
	void failure_namesMethodAndPath() {
		MethodCodec codec = oldMethod("anything");
		List<Object> cycle = new ArrayList<>();
		cycle.add(cycle);
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> result(codec, cycle))
			.withMessageContaining("anything(");
		assertThatExceptionOfType(SerializationException.class)
			.isThrownBy(() -> result(codec, List.of("a", Map.of("key", new StringBuilder("b")))))
			.withMessageContaining("anything(")
			.withMessageContaining("java.lang.StringBuilder")
			.withMessageMatching("(?s).*\\W1\\W.*");
		MethodCodec shapes = oldMethod("shape");
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> result(shapes, new OldShop.Shape() {
		})).withMessageContaining("shape(").withMessageContaining("AbstractAdapterContract$");
	}

	@Test
	void newVersion_readsOldBytes() {
		MethodCodec codec = newOfOld("getOrder", "order");
		NewShop.Order order = (NewShop.Order) read(codec, result(oldMethod("order"), order()));
		assertThat(order.describe())
			.isEqualTo("1 Doug -5 %s none [a, , 中] {GREEN=1970-01-01} [1, -2] [3, -4] 2".formatted(1.1f));
		assertThat(read(newOfOld("ratio", "ratio"), result(oldMethod("ratio"), 1.1f))).isEqualTo((double) 1.1f);
		byte[] bytes = arguments(oldMethod("order"), order());
		order = (NewShop.Order) codec.deserializeArguments(bytes, 0, bytes.length)[0];
		assertThat(order.describe()).startsWith("1 Doug");
		assertThat(read(newOfOld("colour", "colour"), result(oldMethod("colour"), Colour.PURPLE)))
			.isEqualTo(NewShop.Colour.OTHER);
		assertThat(read(newOfOld("colour", "colour"), result(oldMethod("colour"), Colour.RED)))
			.isEqualTo(NewShop.Colour.RED);
		assertThat(read(newOfOld("shape", "shape"), result(oldMethod("shape"), new Circle(2))))
			.isEqualTo(new NewShop.Circle(2, null));
		assertThat(read(newOfOld("colours", "colours"),
				result(oldMethod("colours"), new LinkedHashSet<>(List.of(Colour.GREEN, Colour.PURPLE)))))
			.isEqualTo(Set.of(NewShop.Colour.GREEN, NewShop.Colour.OTHER));
	}

	@Test
	void oldVersion_readsNewBytes() {
		MethodCodec codec = oldOfNew("order", "getOrder");
		byte[] bytes = result(newMethod("getOrder"), NewShop.Order.of(1, "Doug", 3));
		assertThat(read(codec, bytes)).usingRecursiveComparison()
			.isEqualTo(new Order(1, "Doug", 3, 0, null, List.of("default"), Map.of(), new int[] { 5 },
					new Short[] { 6 }, null));
		byte[] tooLarge = result(newMethod("getOrder"), NewShop.Order.of(1L << 40, null, 0));
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(codec, tooLarge))
			.withMessageContaining("id")
			.withMessageContaining("1099511627776");
		assertThat(read(oldOfNew("colour", "colour"), result(newMethod("colour"), NewShop.Colour.BLUE))).isNull();
		MethodCodec shapes = oldOfNew("shape", "shape");
		byte[] line = result(newMethod("shape"), new NewShop.Line(1));
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(shapes, line))
			.withMessageContaining("Line");
	}

	@Test
	void exception_isRead_fromOtherVersion() {
		MethodCodec codec = newOfOld("getOrder", "order");
		Throwable missing = readException(codec, exception(oldMethod("order"), OldShop.Missing.of("gone", 4)));
		assertThat(((NewShop.Missing) missing).describe()).startsWith("gone 4");
		Throwable closed = readException(codec, exception(oldMethod("order"), new OldShop.Closed("shut").because("x")));
		assertThat(closed).isInstanceOf(UndeclaredException.class).hasMessage("shut");
		assertThat(((UndeclaredException) closed).type()).isEqualTo(OldShop.Closed.class.getName());
	}

	@Test
	void contracts_matchWithinFormatOnly() {
		assertThat(this.oldCodec.contract().format()).startsWith(this.serializer.name() + "/");
		ContractMatch match = ContractMatch.of(overTheWire(this.oldCodec), overTheWire(this.newCodec));
		int ratio = number(this.oldShop, "ratio");
		assertThat(match.refused()).as(() -> match.refused().stream().map(match::difference).toList().toString())
			.containsExactly(ratio);
		assertThat(match.difference(ratio)).contains("float at the client, double at the server");
		assertThat(ContractMatch.of(overTheWire(this.newCodec), overTheWire(this.oldCodec)).refused())
			.containsExactly(number(this.newShop, "added"));
		Contract other = new ProtostuffSerializer().codec(this.oldShop).contract();
		assertThat(ContractMatch.of(this.oldCodec.contract(), other).refused()).hasSameSizeAs(this.oldShop.methods());
	}

	@Test
	void truncatedOrExtendedBytes_areRefused() {
		MethodCodec codec = oldMethod("order");
		byte[] bytes = result(codec, order());
		for (int length = 0; length < bytes.length; length++) {
			byte[] cut = Arrays.copyOf(bytes, length);
			assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(codec, cut))
				.withMessageContaining("order(");
		}
		byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
		longer[bytes.length] = '1';
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> read(codec, longer));
	}

	/**
	 * Whatever the bytes are, only what they justify is allocated, and nothing else is
	 * thrown.
	 */
	@Test
	void mutatedBytes_failSafely() {
		Random random = new Random(7);
		List<Object> values = List.of(order(), List.of(1, "a", Map.of(2L, new Circle(1))), new Square(1),
				Set.of(Colour.RED));
		List<MethodCodec> codecs = List.of(oldMethod("order"), oldMethod("anything"), oldMethod("shape"),
				oldMethod("colours"));
		for (int round = 0; round < 20_000; round++) {
			int index = round % values.size();
			byte[] bytes = mutate(result(codecs.get(index), values.get(index)), random);
			long allocated = allocated();
			try {
				read(codecs.get(index), bytes);
			}
			catch (SerializationException ex) {
				assertThat(ex).hasMessageContaining(codecs.get(index) == codecs.get(0) ? "order(" : "(");
			}
			assertThat(allocated() - allocated).as("allocated for %s", Arrays.toString(bytes)).isLessThan(1 << 20);
		}
	}

	private static byte[] mutate(byte[] bytes, Random random) {
		byte[] mutated = bytes.clone();
		int at = random.nextInt(bytes.length);
		switch (random.nextInt(4)) {
			case 0 -> mutated[at] = (byte) random.nextInt();
			case 1 -> mutated[at] ^= (byte) (1 << random.nextInt(8));
			case 2 -> {
				byte[] huge = { -1, -1, -1, -1, (byte) (random.nextBoolean() ? 7 : 15) };
				System.arraycopy(huge, 0, mutated, at, Math.min(huge.length, mutated.length - at));
			}
			default -> {
				int from = random.nextInt(bytes.length);
				System.arraycopy(bytes, from, mutated, at, Math.min(bytes.length - from, bytes.length - at));
			}
		}
		return mutated;
	}

	private static long allocated() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
	}

	@Test
	void codec_isSharedByThreads() throws Exception {
		ServiceDescriptor service = ServiceDescriptor.of(UserService.class);
		MethodCodec codec = this.serializer.codec(service).method(number(service, "listUser"));
		CountDownLatch start = new CountDownLatch(8);
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			List<Future<?>> results = new ArrayList<>();
			for (int thread = 0; thread < 8; thread++) {
				int number = thread;
				results.add(threads.submit(() -> {
					start.countDown();
					start.await();
					for (int round = 0; round < 200; round++) {
						Page<User> page = new UserServiceImpl().listUser(number * 200 + round);
						assertThat(read(codec, result(codec, page))).isEqualTo(page);
					}
					return null;
				}));
			}
			for (Future<?> each : results) {
				each.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void nestingDepth_isBounded() {
		MethodCodec codec = oldMethod("anything");
		Object value = "deep";
		for (int i = 0; i < 30; i++) {
			value = Collections.singletonList(value);
		}
		assertThat(read(codec, result(codec, value))).isEqualTo(value);
		for (int i = 0; i < 10_000; i++) {
			value = Collections.singletonList(value);
		}
		Object tooDeep = value;
		assertThatExceptionOfType(SerializationException.class).isThrownBy(() -> result(codec, tooDeep));
	}

}
