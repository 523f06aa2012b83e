package io.rpcboot.serialization;

import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.serialization.jackson.JacksonSerializer;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Types that many try are refused with advice that can be followed. */
public class SubstitutesTests {

	private static final String STREAM = "a stream is carried as the result of a method or its last parameter, as Flow.Publisher, Flux, RpcStream, Stream or Iterator";

	private static final String LIST = "Declare java.util.List, or let the method return or take the stream itself.";

	private static final String LATER = "it says when a value comes, and is no value";

	private static final String FUTURE = "Declare java.util.concurrent.CompletableFuture or Mono as the result of the method, with the value as its type argument.";

	private static final String CODE = "it is code, which stays in its process";

	private static final String VALUES = "Declare the values that it takes or gives. A callback is a method of a service that the caller offers.";

	private static final String FILE = "it belongs to the file system of this process";

	private static final String TEXT = "Declare java.lang.String, or byte[] for what the file holds.";

	private static final String READS = "it reads from this process";

	private static final String RESOURCE = "it belongs to this process";

	private static final String TRANSIENT = "Make the field transient, or send a type without it.";

	private static final String BYTES = "Declare byte[], which has to fit into max-frame-size, or java.io.InputStream as the result of the method or its last parameter.";

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "Fluxes | reactor.core.publisher.Flux | " + STREAM + " | " + LIST,
			"Streams | java.util.stream.Stream | " + STREAM + " | " + LIST,
			"IntStreams | java.util.stream.IntStream | " + STREAM + " | " + LIST,
			"Iterators | java.util.Iterator | " + STREAM + " | " + LIST,
			"Monos | reactor.core.publisher.Mono | " + LATER + " | " + FUTURE,
			"Futures | java.util.concurrent.Future | " + LATER + " | " + FUTURE,
			"Nested | java.util.concurrent.CompletableFuture | " + LATER + " | " + FUTURE,
			"Inputs | java.io.InputStream | " + READS + " | " + BYTES,
			"FileInputs | java.io.FileInputStream | " + READS + " | " + BYTES,
			"Outputs | java.io.OutputStream | it writes into this process | Declare byte[] as the result of the method, within max-frame-size.",
			"Functions | java.util.function.Function | " + CODE + " | " + VALUES,
			"Own | io.rpcboot.serialization.SubstitutesTests$Handler | " + CODE + " | " + VALUES,
			"Consumers | java.util.function.Consumer | " + CODE + " | " + VALUES,
			"Suppliers | java.util.function.Supplier | " + CODE + " | " + VALUES,
			"Runnables | java.lang.Runnable | " + CODE + " | " + VALUES,
			"Callables | java.util.concurrent.Callable | " + CODE + " | " + VALUES,
			"Comparators | java.util.Comparator | " + CODE + " | " + VALUES,
			"Paths | java.nio.file.Path | " + FILE + " | " + TEXT, "Files | java.io.File | " + FILE + " | " + TEXT,
			"Threads | java.lang.Thread | " + RESOURCE + " | " + TRANSIENT,
			"Executors | java.util.concurrent.ExecutorService | " + RESOURCE + " | " + TRANSIENT,
			"Loggers | org.slf4j.Logger | " + RESOURCE + " | " + TRANSIENT,
			"Locks | java.util.concurrent.locks.ReentrantLock | " + RESOURCE + " | " + TRANSIENT,
			"Entries | java.util.Map$Entry | an entry belongs to its map | Declare a record of key and value, or java.util.Map." })
	void refusal_suggestsWorkingSubstitute(String service, String type, String reason, String action) throws Exception {
		Class<?> declared = Class.forName(SubstitutesTests.class.getName() + "$" + service);
		for (Serializer each : List.of(new ProtostuffSerializer(), new JacksonSerializer())) {
			assertThatExceptionOfType(UnsupportedTypeException.class)
				.isThrownBy(() -> each.codec(ServiceDescriptor.of(declared)))
				.withMessageEndingWith(": %s cannot be sent: %s", type, reason)
				.satisfies((ex) -> assertThat(ex.action()).isEqualTo(action));
		}
	}

	/** What a class of the application implements says nothing of why it is refused. */
	@ParameterizedTest
	@CsvSource("Tasks")
	void refusalOfApplicationClass_ignoresItsInterfaces(String service) throws Exception {
		Class<?> declared = Class.forName(SubstitutesTests.class.getName() + "$" + service);
		assertThatExceptionOfType(UnsupportedTypeException.class)
			.isThrownBy(() -> new ProtostuffSerializer().codec(ServiceDescriptor.of(declared)))
			.withMessageContaining("it has neither a no-arg constructor")
			.satisfies((ex) -> assertThat(ex.action()).isEqualTo(
					"Add such a constructor and compile with -parameters, or make the class a record. If it is not your class, give a Delegate for it."));
	}

	/** Value that holds resources of its process. */
	public record Held<T>(T held) {
	}

	public interface Threads {

		Held<Thread> get();

	}

	public interface Executors {

		Held<ExecutorService> get();

	}

	public interface Loggers {

		Held<Logger> get();

	}

	public interface Locks {

		Held<ReentrantLock> get();

	}

	public interface Fluxes {

		List<Flux<String>> get();

	}

	public interface Streams {

		void put(List<Stream<String>> names);

	}

	public interface IntStreams {

		IntStream get();

	}

	public interface Iterators {

		void put(List<Iterator<String>> names);

	}

	public interface Monos {

		List<Mono<String>> get();

	}

	public interface Futures {

		Future<String> get();

	}

	public interface Nested {

		List<CompletableFuture<String>> get();

	}

	public interface Inputs {

		List<InputStream> get();

	}

	public interface Outputs {

		void call(OutputStream out);

	}

	public interface FileInputs {

		void put(FileInputStream input);

	}

	public interface Functions {

		Function<String, String> get();

	}

	public interface Handler extends BiFunction<String, Integer, String> {

	}

	public interface Own {

		void put(Handler handler);

	}

	public interface Consumers {

		void put(Consumer<String> consumer);

	}

	public interface Suppliers {

		void put(Supplier<String> supplier);

	}

	public interface Runnables {

		void put(Runnable runnable);

	}

	public interface Callables {

		void put(Callable<String> callable);

	}

	public interface Comparators {

		void put(Comparator<String> comparator);

	}

	public interface Paths {

		Path get();

	}

	public interface Files {

		File get();

	}

	public interface Entries {

		Map.Entry<String, String> get();

	}

	public static class Task implements Runnable {

		private final String text;

		public Task(int number) {
			this.text = Integer.toString(number);
		}

		@Override
		public void run() {
			this.text.notify();
		}

	}

	public interface Tasks {

		Task get();

	}

}
