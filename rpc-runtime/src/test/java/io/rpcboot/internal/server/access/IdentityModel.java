package io.rpcboot.internal.server.access;

import java.security.Principal;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.server.access.ConnectionIdentity.Check;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Credentials;
import io.rpcboot.security.SharedSecret;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Plays random sequences with the identity of connections: credentials good and bad,
 * ends, withdrawals, checks that are slow or impossible, certificates, calls that wait.
 * After each step it is compared with an {@link IdentityOracle}. Time is invented, and
 * passes from one timer to the next.
 */
final class IdentityModel implements ConnectionIdentity.Owner {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final String SECRET = "Bearer the-secret-of-these-tests";

	private static final CallerIdentity HOLDER = new SharedSecret(SECRET.substring("Bearer ".length()))
		.authenticate(Credentials.of(SECRET));

	/** Steps of one connection. */
	private static final int STEPS = 200;

	/** Wakes at one time that no machine needs. */
	private static final int TOO_MANY = 1000;

	private final Protocol protocol;

	private final Random random;

	private long nanos;

	/** Credentials that are not valid now. */
	private final Set<String> withdrawn = new HashSet<>();

	/** True while nothing can be checked but the secret. */
	private boolean busy;

	private final Map<String, Principal> users = new HashMap<>();

	/** Checks that wait for their answer. */
	private final Deque<Check> checks = new ArrayDeque<>();

	/** Checks of single calls that wait for a thread. */
	private final Deque<Runnable> tasks = new ArrayDeque<>();

	private final List<WaitingCall> calls = new ArrayList<>();

	private final AccessControl control;

	private final IdentityOracle oracle;

	private final ConnectionIdentity identity;

	/** Last answer of the state machine. */
	private @Nullable CallerProof said;

	private IdentityModel(Protocol protocol, Random random) {
		this.protocol = protocol;
		this.random = random;
		boolean isCertified = random.nextInt(3) > 0;
		Instant end = random.nextBoolean() ? START.plusSeconds(1 + random.nextInt(900)) : Instant.MAX;
		boolean needs = isCertified && random.nextBoolean();
		this.oracle = new IdentityOracle(isCertified ? end : null, needs);
		Principal machine = () -> "machine";
		this.identity = new ConnectionIdentity(this,
				isCertified ? CallerIdentity.of(machine, end) : CallerIdentity.anonymous(), needs, this::now,
				() -> this.nanos);
		this.control = new AccessControl(AccessOptions.defaults().withAuthenticator((given) -> answer(given.header())),
				Map.of(), this.tasks::add, new RateLimitedLogger("rpc.test.silent", System::nanoTime), this::now);
	}

	/** A call that arrived with a proof, and when it may begin at the latest. */
	private record WaitingCall(CallerProof proof, Instant end) {
	}

	/**
	 * Plays connections one after another.
	 * @throws AssertionError with the seed of the connection that differs from the oracle
	 */
	static void play(Protocol protocol, long seed, int steps) {
		for (int done = 0; done < steps; done += STEPS) {
			long own = seed + done;
			IdentityModel model = new IdentityModel(protocol, new Random(own));
			try {
				model.play();
			}
			catch (AssertionError | RuntimeException ex) {
				throw new AssertionError(
						"%s, seed %d, at %s: %s".formatted(protocol, own, model.now(), ex.getMessage()), ex);
			}
		}
	}

	/** Entry point for many steps: their number, and a seed. */
	public static void main(String[] args) {
		int steps = Integer.parseInt(args[0]);
		long seed = (args.length > 1) ? Long.parseLong(args[1]) : System.nanoTime();
		for (Protocol each : List.of(Protocol.NATIVE, Protocol.GRPC)) {
			play(each, seed, steps);
			System.out.printf("identity: %d steps over %s as the oracle says (seed %d)%n", steps, each, seed);
		}
	}

	private Instant now() {
		return START.plusNanos(this.nanos);
	}

	private void play() {
		boolean isEarly = this.protocol == Protocol.NATIVE && this.random.nextBoolean();
		if (isEarly) {
			arrive();
		}
		this.oracle.introduced = true;
		this.identity.introduced();
		verify();
		for (int i = 0; i < STEPS; i++) {
			step();
			verify();
		}
		this.oracle.ended = true;
		this.identity.close();
		arrive();
		this.checks.forEach((each) -> this.identity.checked(each, HOLDER, null));
		this.identity.advance();
		IdentityOracle.require(this.identity.nextNanos() < 0, "a closed connection has a timer");
	}

	private void step() {
		switch (this.random.nextInt(10)) {
			case 0, 1 -> arrive();
			case 2, 3 -> answerNext();
			case 4 -> toggle();
			case 5 -> this.busy = this.random.nextInt(3) == 0;
			case 6 -> call();
			case 7 -> begin();
			case 8 -> pass(TimeUnit.SECONDS.toNanos(this.random.nextInt(400)));
			default -> pass(TimeUnit.MILLISECONDS.toNanos(this.random.nextInt(3000)));
		}
	}

	private String header() {
		String[] known = { "ann", "bob", "brief", "short", "wrong" };
		int chosen = this.random.nextInt(known.length + 1);
		return (chosen < known.length) ? "Bearer " + known[chosen] : SECRET;
	}

	private void arrive() {
		if (this.protocol == Protocol.NATIVE) {
			String header = header();
			this.oracle.arrived(header);
			this.identity.arrived(header);
		}
	}

	private void toggle() {
		String header = header();
		if (!header.equals(SECRET) && !this.withdrawn.remove(header)) {
			this.withdrawn.add(header);
		}
	}

	/** Answers as an authenticator would. */
	private CallerIdentity answer(String header) {
		if (header.equals(SECRET)) {
			return HOLDER;
		}
		if (this.busy) {
			throw new RpcException(RpcStatus.UNAVAILABLE, "busy", false);
		}
		if (this.withdrawn.contains(header) || header.endsWith("wrong")) {
			throw new RpcException(RpcStatus.UNAUTHENTICATED, "not valid", false);
		}
		boolean isBrief = header.endsWith("brief") || header.endsWith("short");
		return CallerIdentity.of(this.users.computeIfAbsent(header, (name) -> () -> name),
				isBrief ? now().plusSeconds(1 + this.random.nextInt(200)) : Instant.MAX);
	}

	private void answerNext() {
		Runnable task = this.tasks.poll();
		if (task != null) {
			task.run();
		}
		Check check = this.random.nextBoolean() ? this.checks.pollFirst() : this.checks.pollLast();
		if (check != null) {
			answer(check);
		}
	}

	private void answer(Check check) {
		try {
			CallerIdentity found = answer(check.header());
			this.oracle.valid(check, found, now());
			this.identity.checked(check, found, null);
		}
		catch (RpcException ex) {
			this.oracle.failed(check, ex.status());
			this.identity.checked(check, null, AccessControl.refusal(ex));
		}
	}

	@Override
	public void check(Check check) {
		this.oracle.begun(check, now());
		if (this.random.nextInt(4) == 0) {
			answer(check);
		}
		else {
			this.checks.add(check);
		}
	}

	@Override
	public void identified(CallerProof proof) {
		IdentityOracle.require(!this.oracle.ended, "an identity after the end");
		this.said = proof;
	}

	@Override
	public void refused(AccessDenial why) {
		this.oracle.refused(why.status());
	}

	@Override
	public void certificateEnded() {
		this.oracle.certificateEnded(now());
	}

	/** A call arrives, over gRPC often with credentials of its own. */
	private void call() {
		CallerProof proof = this.said;
		if (proof == null || this.oracle.ended) {
			return;
		}
		Instant certificate = this.oracle.certificate(now());
		if (this.protocol == Protocol.NATIVE || this.random.nextInt(4) == 0) {
			this.calls.add(new WaitingCall(proof, this.oracle.end(now())));
			return;
		}
		String header = header();
		CompletableFuture<CallerIdentity> check = this.control.authenticate(header, proof.certified, "10.0.0.1", true);
		Runnable decided = () -> check.thenAccept((found) -> {
			Instant own = found.expiresAt();
			this.calls.add(new WaitingCall(proof.with(found), own.isBefore(certificate) ? own : certificate));
			IdentityOracle.require(found.getName().equals(header) || header.equals(SECRET),
					"%s for %s".formatted(found, header));
		});
		if (check.isDone()) {
			decided.run();
		}
		else {
			check.whenComplete((found, failure) -> decided.run());
		}
	}

	/** The method of a call that waits would begin. */
	private void begin() {
		for (WaitingCall each : this.calls) {
			boolean isOver = !now().isBefore(each.end());
			IdentityOracle.require(each.proof().isOver(now().toEpochMilli()) == isOver,
					"a call of %s whose proof ends at %s".formatted(each.proof().identity, each.end()));
		}
		this.calls.clear();
	}

	/** Passes time, and wakes the machine when it asked for it. */
	private void pass(long time) {
		long end = this.nanos + time;
		for (int wakes = 0; wakes < TOO_MANY; wakes++) {
			long next = this.identity.nextNanos();
			if (next < 0 || this.nanos + next > end) {
				this.nanos = end;
				return;
			}
			this.nanos += next;
			this.identity.advance();
			verify();
		}
		throw new AssertionError("the machine wakes without an end");
	}

	private void verify() {
		this.oracle.verify(this.said, now());
		Objects.requireNonNull(this.identity);
	}

}
