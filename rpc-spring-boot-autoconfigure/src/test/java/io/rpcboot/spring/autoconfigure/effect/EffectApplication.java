package io.rpcboot.spring.autoconfigure.effect;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;

import io.rpcboot.RpcMethod;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.context.RpcContext;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.transport.RpcConnectionListener;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with a service and a reference, both over a socket. */
final class EffectApplication implements AutoCloseable {

	final ConfigurableApplicationContext context;

	/** The server, null if it is disabled. */
	final RpcServer server;

	final RpcClient client;

	final Desk desk;

	final DeskService service;

	/** Sides and reasons of connections that were closed. */
	final Queue<String> closed;

	private EffectApplication(ConfigurableApplicationContext context) {
		this.context = context;
		this.server = context.getBeanProvider(RpcServer.class).getIfAvailable();
		this.client = context.getBean(RpcClient.class);
		this.desk = context.getBean(Caller.class).desk;
		this.service = context.getBean(DeskService.class);
		this.closed = context.getBean(Closings.class).reasons;
	}

	static EffectApplication run(Map<String, ?> properties, Class<?>... beans) {
		Map<String, Object> all = new HashMap<>(Map.of("rpc.server.shutdown.grace-period", 0,
				"rpc.client.shutdown.grace-period", 0, "rpc.client.timeout", "20s"));
		all.putAll(properties);
		Class<?>[] sources = Arrays.copyOf(beans, beans.length + 3);
		sources[beans.length] = DeskService.class;
		sources[beans.length + 1] = Caller.class;
		sources[beans.length + 2] = Closings.class;
		return new EffectApplication(Applications.run(WebApplicationType.NONE, all, sources));
	}

	/** Starts an application without a server, whose reference has fixed addresses. */
	static EffectApplication calling(Map<String, ?> properties, int... ports) {
		Map<String, Object> all = new HashMap<>(Map.of("rpc.server.enabled", false, "rpc.client.warm-up", 0));
		for (int i = 0; i < ports.length; i++) {
			all.put("rpc.client.references.desk.addresses[%d]".formatted(i), "127.0.0.1:" + ports[i]);
		}
		all.putAll(properties);
		return run(all);
	}

	/** Starts a server of the same service, without Spring. */
	static RpcServer server() {
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.maxFrameSize(1024 * 1024)
			.service(Desk.class, new DeskService())
			.start();
	}

	void awaitClosed(String reason) {
		Applications.eventually(() -> this.closed.stream().anyMatch((each) -> each.contains(reason)));
	}

	/** Returns the state and the problem of each instance. */
	List<String> instances() {
		return this.client.references()
			.stream()
			.flatMap((reference) -> reference.instances().stream())
			.map((instance) -> instance.state() + " " + instance.problem())
			.toList();
	}

	int port() {
		return Applications.port(this.context);
	}

	/** Returns the objects of a type that are reachable through fields of the project. */
	static <T> List<T> reachable(Object from, Class<T> type) {
		List<T> found = new ArrayList<>();
		Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		Deque<Object> next = new ArrayDeque<>(List.of(from));
		while (!next.isEmpty()) {
			Object each = next.pop();
			if (seen.add(each)) {
				if (type.isInstance(each)) {
					found.add(type.cast(each));
				}
				next.addAll(partsOf(each));
			}
		}
		return found;
	}

	private static Collection<Object> partsOf(Object whole) {
		List<Object> parts = new ArrayList<>();
		if (whole instanceof Collection<?> collection) {
			parts.addAll(collection);
		}
		else if (whole instanceof Map<?, ?> map) {
			parts.addAll(map.values());
		}
		else if (whole instanceof AtomicReference<?> reference) {
			parts.add(reference.get());
		}
		else if (whole.getClass().isArray() && !whole.getClass().getComponentType().isPrimitive()) {
			for (int i = 0; i < Array.getLength(whole); i++) {
				parts.add(Array.get(whole, i));
			}
		}
		else if (whole.getClass().getName().startsWith("io.rpcboot.")) {
			for (Class<?> type = whole.getClass(); type != null
					&& type.getName().startsWith("io.rpcboot."); type = type.getSuperclass()) {
				for (Field field : type.getDeclaredFields()) {
					if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
						parts.add(value(field, whole));
					}
				}
			}
		}
		parts.removeIf((part) -> part == null);
		return parts;
	}

	private static Object value(Field field, Object whole) {
		try {
			field.setAccessible(true);
			return field.get(whole);
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.service.gate.complete("closed");
		this.context.close();
	}

	/** A contract. */
	public interface Desk {

		@RpcMethod(idempotent = true)
		String sign(String name);

		CompletableFuture<String> signLater(String name);

		/** Returns after the gate of the service is open. */
		CompletableFuture<String> hold(String name);

		CompletableFuture<Integer> file(byte[] document);

		CompletableFuture<byte[]> fetch(int size);

		/** Returns the attachments of the call. */
		Map<String, String> attachments();

		/** Answers with an attachment of the size. */
		String answer(int size);

		String fail(String text);

		/** Returns the time that is left for the call. */
		long millisLeft();

	}

	@RpcService
	static class DeskService implements Desk {

		final CompletableFuture<String> gate = new CompletableFuture<>();

		@Override
		public String sign(String name) {
			return "signed " + name;
		}

		@Override
		public CompletableFuture<String> signLater(String name) {
			return CompletableFuture.completedFuture("signed " + name);
		}

		@Override
		public CompletableFuture<String> hold(String name) {
			return this.gate.thenApply((opened) -> opened + " " + name);
		}

		@Override
		public CompletableFuture<Integer> file(byte[] document) {
			return CompletableFuture.completedFuture(document.length);
		}

		@Override
		public CompletableFuture<byte[]> fetch(int size) {
			return CompletableFuture.completedFuture(new byte[size]);
		}

		@Override
		public Map<String, String> attachments() {
			return RpcContext.current().attachments().asMap();
		}

		@Override
		public String answer(int size) {
			RpcContext.current().replyAttachments().put("note", "x".repeat(size));
			return "answered";
		}

		@Override
		public String fail(String text) {
			throw new IllegalStateException(text);
		}

		@Override
		public long millisLeft() {
			return RpcContext.current().remaining().toMillis();
		}

	}

	static class Caller {

		@RpcReference(name = "desk")
		Desk desk;

	}

	static class Closings implements RpcConnectionListener {

		final Queue<String> reasons = new ConcurrentLinkedQueue<>();

		@Override
		public void closed(RpcConnection connection, String reason) {
			this.reasons.add(connection.side() + ": " + reason);
		}

	}

}
