package io.rpcboot.internal.server.builtin;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.serialization.PathException;
import io.rpcboot.serialization.ProtoDescriptor;
import io.rpcboot.server.ServerHealth;
import org.jspecify.annotations.Nullable;

/**
 * Health of a server as {@code grpc.health.v1.Health}. Thread-safe.
 * <p>
 * The server, whose name is empty, each of its services and {@code readiness} are SERVING
 * while the server and its application are ready for calls. {@code liveness} is SERVING
 * while the application is alive, until a failure that only a restart repairs, so that a
 * probe does not kill a server that an operator drains.
 */
public final class HealthService implements ServerHealth {

	/** Full name of the service. */
	public static final String NAME = "grpc.health.v1.Health";

	private static final String LIVENESS = "liveness";

	private static final int MAX_SHOWN = 200;

	/**
	 * Longest request in bytes, of callers who may be unknown: the name of a service.
	 */
	private static final int MAX_REQUEST = 1024;

	/** Names of the server, which everybody may ask about. */
	private static final Set<String> OWN = Set.of("", LIVENESS, "readiness");

	/** Names that have a status, sorted. All but {@code liveness} depend on readiness. */
	private final Set<String> names = new TreeSet<>(OWN);

	/** Offered services by full name. */
	private final Map<String, List<ServiceId>> services;

	private final Executor notifier;

	private final Set<HealthCall> watches = ConcurrentHashMap.newKeySet();

	/** Services whose application has said that they do not serve. */
	private final Set<String> notServing = ConcurrentHashMap.newKeySet();

	private volatile boolean isReady;

	/** True while the application accepts traffic. */
	private volatile boolean isAccepting = true;

	/** True while the application is alive. */
	private volatile boolean isLive = true;

	private volatile boolean hasFailed;

	private volatile boolean isClosed;

	/**
	 * Creates the health of a server that is not ready.
	 * @param services offered services by full name
	 * @param notifier sends changes to the watching clients
	 */
	public HealthService(Map<String, List<ServiceId>> services, Executor notifier) {
		this.names.addAll(services.keySet());
		this.services = Map.copyOf(services);
		this.notifier = notifier;
	}

	/** Returns the handlers of the methods, by path. */
	public Map<String, StreamHandler> handlers() {
		return Map.of("/" + NAME + "/Check", new HealthMethod(true, true, HealthCall::check), "/" + NAME + "/List",
				new HealthMethod(false, true, HealthCall::list), "/" + NAME + "/Watch",
				new HealthMethod(true, false, HealthCall::watch));
	}

	/** Returns the file of the service. */
	public static ProtoDescriptor file() {
		return ServerDescriptor.health().file();
	}

	/** Sets whether the server is ready for calls. Never blocks. */
	public void ready(boolean ready) {
		if (this.isReady != ready) {
			this.isReady = ready;
			notifyWatches();
		}
	}

	@Override
	public void accepting(boolean accepting) {
		this.isAccepting = accepting;
		notifyWatches();
	}

	@Override
	public void live(boolean live) {
		this.isLive = live;
		notifyWatches();
	}

	@Override
	public void serving(String service, boolean serving) {
		if (!this.services.containsKey(service)) {
			throw new RpcConfigurationException(
					"health: '%s' is not offered over gRPC (expected: one of %s)"
						.formatted(PrintableText.of(service, MAX_SHOWN), new TreeSet<>(this.services.keySet())),
					"Use the full name of a service.");
		}
		if (serving) {
			this.notServing.remove(service);
		}
		else {
			this.notServing.add(service);
		}
		notifyWatches();
	}

	/** Ends the liveness: only a restart repairs the server. Never blocks. */
	public void fail() {
		this.hasFailed = true;
		notifyWatches();
	}

	/**
	 * Ends the readiness for ever, and every call of Watch, now and later, because it
	 * would keep its connection open during a shutdown. Never blocks.
	 */
	public void close() {
		this.isClosed = true;
		notifyWatches();
	}

	private void notifyWatches() {
		this.notifier.execute(() -> this.watches.forEach(HealthCall::update));
	}

	private Status status(String service) {
		if (service.equals(LIVENESS)) {
			return (this.isLive && !this.hasFailed) ? Status.SERVING : Status.NOT_SERVING;
		}
		if (!this.names.contains(service)) {
			return Status.SERVICE_UNKNOWN;
		}
		boolean isServing = this.isReady && this.isAccepting && !this.notServing.contains(service);
		return (isServing && !this.hasFailed && !this.isClosed) ? Status.SERVING : Status.NOT_SERVING;
	}

	/**
	 * Constants of {@code HealthCheckResponse.ServingStatus}, in the order of numbers.
	 */
	enum Status {

		UNKNOWN, SERVING, NOT_SERVING, SERVICE_UNKNOWN;

		/** The response, whose only field is the status. */
		private final byte[] response = FieldWriter.toByteArray(FieldWriter.integer(1, ordinal()));

	}

	/** Method with one request. */
	private final class HealthMethod implements StreamHandler {

		/** True if the answers about the names of the server are for everybody. */
		private final boolean isPublic;

		private final boolean isUnary;

		private final BiConsumer<HealthCall, String> answer;

		HealthMethod(boolean isPublic, boolean isUnary, BiConsumer<HealthCall, String> answer) {
			this.isPublic = isPublic;
			this.isUnary = isUnary;
			this.answer = answer;
		}

		@Override
		public boolean isUnary() {
			return this.isUnary;
		}

		@Override
		public int longestRequest() {
			return MAX_REQUEST;
		}

		@Override
		public boolean hasPublicRequests() {
			return this.isPublic;
		}

		@Override
		public boolean isPublic(byte[] bytes, int offset, int length) {
			HealthRequest request = new HealthRequest();
			try {
				FieldReader.readAll(bytes, offset, length, request);
			}
			catch (PathException ex) {
				return false;
			}
			return this.isPublic && OWN.contains(request.service);
		}

		@Override
		public Requests begin(Responses responses) {
			return begin(responses, (any) -> null);
		}

		@Override
		public Requests begin(Responses responses, Function<Collection<ServiceId>, @Nullable AccessDenial> access) {
			return new HealthCall(responses, this.answer, access);
		}

	}

	/** {@code HealthCheckRequest}. */
	private static final class HealthRequest implements FieldReader {

		private String service = "";

		@Override
		public void read(ProtobufInput in, int tag) {
			if (tag == (1 << 3 | FieldReader.TEXT)) {
				this.service = in.readString();
			}
			else {
				in.skip(tag);
			}
		}

	}

	/** Call of a method. */
	private final class HealthCall implements StreamHandler.Requests {

		private final StreamHandler.Responses responses;

		/** Answers the request. */
		private final BiConsumer<HealthCall, String> method;

		private final Function<Collection<ServiceId>, @Nullable AccessDenial> access;

		/** The requested name; null before the request. */
		private @Nullable String service;

		/** Status that was sent last; null before. */
		private @Nullable Status sent;

		HealthCall(StreamHandler.Responses responses, BiConsumer<HealthCall, String> method,
				Function<Collection<ServiceId>, @Nullable AccessDenial> access) {
			this.responses = responses;
			this.method = method;
			this.access = access;
		}

		@Override
		public void onMessage(byte[] bytes, int offset, int length) {
			if (this.service != null) {
				this.responses.close(RpcStatus.UNIMPLEMENTED, "a second request (expected: one)");
				return;
			}
			HealthRequest request = new HealthRequest();
			FieldReader.readAll(bytes, offset, length, request, this.responses);
			this.service = request.service;
		}

		@Override
		public void onHalfClose() {
			if (this.service == null) {
				this.responses.close(RpcStatus.UNIMPLEMENTED, "no request (expected: one)");
			}
			else {
				this.method.accept(this, this.service);
			}
		}

		/** Returns true if the call was closed, because its caller must not know. */
		private boolean isRefused(Collection<ServiceId> asked) {
			AccessDenial refused = this.access.apply(asked);
			if (refused != null) {
				this.responses.refuse(refused);
			}
			return refused != null;
		}

		/** The same for one name. */
		private boolean isRefused(String name) {
			return !OWN.contains(name) && isRefused(HealthService.this.services.getOrDefault(name, List.of()));
		}

		private void check(String name) {
			if (isRefused(name)) {
				return;
			}
			Status status = status(name);
			if (status != Status.SERVICE_UNKNOWN) {
				answer(status.response);
				return;
			}
			this.responses.close(RpcStatus.NOT_FOUND,
					"service '%s' is not offered here (expected: the full name of a service, or none for the server)"
						.formatted(PrintableText.of(name, MAX_SHOWN)));
		}

		/** Answers with the statuses by name, a map in field 1. */
		private void list(String ignored) {
			if (isRefused(List.of())) {
				return;
			}
			answer(FieldWriter.toByteArray(FieldWriter.each(HealthService.this.names, (each) -> FieldWriter.message(1,
					FieldWriter.text(1, each), FieldWriter.bytes(2, status(each).response)))));
		}

		private void answer(byte[] response) {
			this.responses.send(response);
			this.responses.close(RpcStatus.OK, "");
		}

		private void watch(String name) {
			if (isRefused(name)) {
				return;
			}
			HealthService.this.watches.add(this); // first, so that no change is missed
			update();
		}

		/** Sends the status if it has changed. Any thread. */
		private synchronized void update() {
			Status status = status(Objects.requireNonNull(this.service));
			if (status != this.sent) {
				this.sent = status;
				this.responses.send(status.response);
			}
			if (HealthService.this.isClosed) {
				this.responses.close(RpcStatus.UNAVAILABLE, "the server is shutting down");
			}
		}

		@Override
		public void onEnd() {
			HealthService.this.watches.remove(this);
		}

	}

}
