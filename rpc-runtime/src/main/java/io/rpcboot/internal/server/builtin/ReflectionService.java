package io.rpcboot.internal.server.builtin;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.serialization.protobuf.schema.WellKnownFile;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.serialization.ProtoDescriptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reflection of a server as {@code ServerReflection} of {@code grpc.reflection.v1} and
 * {@code v1alpha}, which have the same messages: tells clients the services and the files
 * that declare them. Thread-safe.
 */
public final class ReflectionService {

	private static final Logger logger = LoggerFactory.getLogger("rpc.server");

	private static final List<String> PACKAGES = List.of("grpc.reflection.v1", "grpc.reflection.v1alpha");

	private static final String NAME = "ServerReflection";

	/** Maximum of requests in a call. Responses are much larger than requests. */
	private static final int MAX_REQUESTS = 1000;

	/** Maximum of bytes that answer the requests of a call. */
	private static final long MAX_ANSWERED = 8 * 1024 * 1024;

	private static final int MAX_SHOWN = 200;

	private final SortedSet<String> services = new TreeSet<>();

	private final Supplier<List<ProtoDescriptor>> files;

	private final Executor maker;

	/** Completes when the files are made; null until a client asks. */
	private @Nullable CompletableFuture<Void> made;

	private final Map<String, ProtoDescriptor> byName = new HashMap<>();

	private final Map<String, ProtoDescriptor> bySymbol = new HashMap<>();

	/** Answers with a file and all that it imports; built when asked for. */
	private final Map<ProtoDescriptor, byte[]> answers = Collections.synchronizedMap(new IdentityHashMap<>());

	/**
	 * Creates the reflection.
	 * @param services full names of the offered services; that of health for its file,
	 * too
	 * @param files returns the files that declare the services of the application; called
	 * once, when the first client asks
	 * @param maker calls {@code files}, which may take some time
	 */
	public ReflectionService(Collection<String> services, Supplier<List<ProtoDescriptor>> files, Executor maker) {
		this.services.addAll(services);
		PACKAGES.forEach((each) -> this.services.add(each + "." + NAME));
		this.files = files;
		this.maker = maker;
	}

	/** Returns the handlers of the methods, by path. */
	public Map<String, StreamHandler> handlers() {
		Map<String, StreamHandler> handlers = new HashMap<>();
		PACKAGES
			.forEach((each) -> handlers.put("/%s.%s/ServerReflectionInfo".formatted(each, NAME), ReflectionCall::new));
		return handlers;
	}

	/** Returns a future that completes when the files are made. */
	private synchronized CompletableFuture<Void> made() {
		CompletableFuture<Void> known = this.made;
		if (known == null) {
			known = CompletableFuture.runAsync(this::make, this.maker);
			this.made = known;
		}
		return known;
	}

	private void make() {
		PACKAGES.forEach((each) -> add(ServerDescriptor.reflection(each).file()));
		if (this.services.contains(HealthService.NAME)) {
			add(ServerDescriptor.health().file());
		}
		Stream.of(WellKnownFile.values()).map(WellKnownFile::descriptor).forEach(this::add);
		try {
			this.files.get().forEach(this::add);
		}
		catch (Throwable ex) { // calls wait for the files
			logger.warn("Reflection over gRPC has no files of the services, because they could not be made", ex);
		}
	}

	/** Adds a file and its imports. The first with a name or a symbol has it. */
	private void add(ProtoDescriptor file) {
		ProtoDescriptor known = this.byName.putIfAbsent(file.name(), file);
		if (known == null || !Arrays.equals(known.descriptor(), file.descriptor())) {
			file.symbols().forEach((each) -> this.bySymbol.putIfAbsent(each, file));
			DescriptorSymbols.of(file.descriptor()).forEach((each) -> this.bySymbol.putIfAbsent(each, file));
			file.imports().forEach(this::add);
		}
	}

	/** Call of {@code ServerReflectionInfo}. */
	private final class ReflectionCall implements StreamHandler.Requests {

		private final StreamHandler.Responses responses;

		private int requests;

		/** Bytes of the answers. Written by one action after another. */
		private long answered;

		/** Completes after the action that was added last; null before the first. */
		private @Nullable CompletableFuture<Void> last;

		ReflectionCall(StreamHandler.Responses responses) {
			this.responses = responses;
		}

		@Override
		public void onMessage(byte[] bytes, int offset, int length) {
			if (++this.requests > MAX_REQUESTS) {
				this.responses.close(RpcStatus.RESOURCE_EXHAUSTED,
						"a call of more than %d requests (expected: another call)".formatted(MAX_REQUESTS));
				return;
			}
			Question question = new Question();
			if (FieldReader.readAll(bytes, offset, length, question, this.responses)) {
				byte[] request = Arrays.copyOfRange(bytes, offset, offset + length);
				then(() -> answer(question, request));
			}
		}

		private void answer(Question question, byte[] request) {
			if (this.answered > MAX_ANSWERED) {
				this.responses.close(RpcStatus.RESOURCE_EXHAUSTED,
						"a call with answers of more than %d bytes (expected: another call)".formatted(MAX_ANSWERED));
				return;
			}
			byte[] answer = FieldWriter.toByteArray(FieldWriter.text(1, question.host), FieldWriter.bytes(2, request),
					ReflectionService.this.answer(question));
			this.answered += answer.length;
			this.responses.send(answer);
		}

		@Override
		public void onHalfClose() {
			then(() -> this.responses.close(RpcStatus.OK, ""));
		}

		/** Runs an action after the ones before, once the files are made. */
		private void then(Runnable action) {
			this.last = ((this.last != null) ? this.last : made()).thenRun(action);
		}

		@Override
		public void onEnd() {
			// nothing to release
		}

	}

	private FieldWriter answer(Question question) {
		String name = question.name;
		return switch (question.tag) {
			case Question.FILE -> found(this.byName.get(name), "file", name);
			case Question.SYMBOL -> found(this.bySymbol.get(name), "symbol", name);
			case Question.EXTENSION -> found(null, "extension", ""); // not indexed
			case Question.EXTENSIONS -> this.bySymbol.containsKey(name)
					? FieldWriter.message(5, FieldWriter.text(1, name)) : found(null, "message", name);
			case Question.SERVICES -> FieldWriter.message(6,
					FieldWriter.each(this.services, (each) -> FieldWriter.message(1, FieldWriter.text(1, each))));
			default -> error(RpcStatus.UNIMPLEMENTED, "request of an unknown kind (expected: one of reflection.proto)");
		};
	}

	/** Returns {@code FileDescriptorResponse} with a file and all that it imports. */
	private FieldWriter found(@Nullable ProtoDescriptor file, String kind, String name) {
		if (file == null) {
			return error(RpcStatus.NOT_FOUND, "no such %s: %s".formatted(kind, PrintableText.of(name, MAX_SHOWN)));
		}
		return FieldWriter.bytes(4, this.answers.computeIfAbsent(file, (first) -> {
			Map<String, ProtoDescriptor> all = new LinkedHashMap<>();
			collect(file, all);
			return FieldWriter
				.toByteArray(FieldWriter.each(all.values(), (each) -> FieldWriter.bytes(1, each.descriptor())));
		}));
	}

	private static void collect(ProtoDescriptor file, Map<String, ProtoDescriptor> all) {
		if (all.putIfAbsent(file.name(), file) == null) {
			file.imports().forEach((each) -> collect(each, all));
		}
	}

	private static FieldWriter error(RpcStatus status, String message) {
		return FieldWriter.message(7, FieldWriter.integer(1, status.code()), FieldWriter.text(2, message));
	}

	/** {@code ServerReflectionRequest}. The last of the fields that ask counts. */
	private static final class Question implements FieldReader {

		static final int FILE = 3 << 3 | TEXT;

		static final int SYMBOL = 4 << 3 | TEXT;

		static final int EXTENSION = 5 << 3 | TEXT;

		static final int EXTENSIONS = 6 << 3 | TEXT;

		static final int SERVICES = 7 << 3 | TEXT;

		private String host = "";

		/** Tag of the field that asks, 0 without one. */
		private int tag;

		/** Value of that field. */
		private String name = "";

		@Override
		public void read(ProtobufInput in, int tag) {
			switch (tag) {
				case 1 << 3 | TEXT -> this.host = in.readString();
				case FILE, SYMBOL, EXTENSIONS, SERVICES -> {
					this.tag = tag;
					this.name = in.readString();
				}
				case EXTENSION -> {
					this.tag = tag;
					in.skip(tag);
				}
				default -> in.skip(tag);
			}
		}

	}

}
