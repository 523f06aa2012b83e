package io.rpcboot.benchmarks.workload;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * One call of the workload, labelled with the name of its method. Arguments are built
 * once, so that the load costs the caller as little as possible.
 */
public enum BenchCall implements MeasuredCall {

	/** 128 bytes there and back. */
	ECHO("echo") {
		@Override
		public Object invoke(BenchService service, int n) {
			return service.echo(Arguments.BODY);
		}

		@Override
		public CompletableFuture<?> invokeAsync(BenchService service, int n) {
			return service.echoAsync(Arguments.BODY);
		}

		@Override
		public boolean isRight(int n, Object answer) {
			return Arrays.equals(Arguments.BODY, (byte[]) answer);
		}
	},

	/** A short string to a boolean. */
	EXIST_USER("existUser") {
		@Override
		public Object invoke(BenchService service, int n) {
			return service.existUser(Arguments.EMAILS[n & Arguments.MASK]);
		}

		@Override
		public CompletableFuture<?> invokeAsync(BenchService service, int n) {
			return service.existUserAsync(Arguments.EMAILS[n & Arguments.MASK]);
		}

		@Override
		public boolean isRight(int n, Object answer) {
			return Boolean.TRUE.equals(answer);
		}
	},

	/** A user to a boolean. */
	CREATE_USER("createUser") {
		@Override
		public Object invoke(BenchService service, int n) {
			return service.createUser(Arguments.USERS[n & Arguments.MASK]);
		}

		@Override
		public CompletableFuture<?> invokeAsync(BenchService service, int n) {
			return service.createUserAsync(Arguments.USERS[n & Arguments.MASK]);
		}

		@Override
		public boolean isRight(int n, Object answer) {
			return Boolean.TRUE.equals(answer);
		}
	},

	/** A number to a user. */
	GET_USER("getUser") {
		@Override
		public Object invoke(BenchService service, int n) {
			return service.getUser(n);
		}

		@Override
		public CompletableFuture<?> invokeAsync(BenchService service, int n) {
			return service.getUserAsync(n);
		}

		@Override
		public boolean isRight(int n, Object answer) {
			return ((User) answer).getId() == n;
		}
	},

	/** A number to 15 users. */
	LIST_USER("listUser") {
		@Override
		public Object invoke(BenchService service, int n) {
			return service.listUser(n);
		}

		@Override
		public CompletableFuture<?> invokeAsync(BenchService service, int n) {
			return service.listUserAsync(n);
		}

		@Override
		public boolean isRight(int n, Object answer) {
			Page<?> page = (Page<?>) answer;
			return page.getPageNo() == n && page.getResult().size() == DefaultBenchService.PAGE_SIZE;
		}
	},

	/** A handler that sleeps 1 ms. */
	SLEEP_1("sleep1") {
		@Override
		public Object invoke(BenchService service, int n) {
			return service.sleep(1);
		}

		@Override
		public CompletableFuture<?> invokeAsync(BenchService service, int n) {
			return service.sleepAsync(1);
		}

		@Override
		public boolean isRight(int n, Object answer) {
			return answer.equals(1);
		}
	},

	/** A handler that sleeps 10 ms. */
	SLEEP_10("sleep10") {
		@Override
		public Object invoke(BenchService service, int n) {
			return service.sleep(10);
		}

		@Override
		public CompletableFuture<?> invokeAsync(BenchService service, int n) {
			return service.sleepAsync(10);
		}

		@Override
		public boolean isRight(int n, Object answer) {
			return answer.equals(10);
		}
	};

	/** The calls that every comparison makes; not those that sleep. */
	public static final List<BenchCall> COMPARED = List.of(ECHO, EXIST_USER, CREATE_USER, GET_USER, LIST_USER);

	private final String label;

	BenchCall(String label) {
		this.label = label;
	}

	@Override
	public String label() {
		return this.label;
	}

	/**
	 * The call with this name.
	 * @param label the name of the method
	 * @return the call
	 * @throws IllegalArgumentException if there is none
	 */
	public static BenchCall of(String label) {
		return Arrays.stream(values())
			.filter((call) -> call.label.equals(label))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("call: " + label + " (expected one of "
					+ Arrays.stream(values()).map(BenchCall::label).toList() + ")"));
	}

	/**
	 * Whether its handler sleeps.
	 * @return true if it must not run on an event loop
	 */
	public boolean sleeps() {
		return !COMPARED.contains(this);
	}

	private static final class Arguments {

		static final int MASK = 1023;

		static final byte[] BODY = body();

		static final String[] EMAILS = IntStream.rangeClosed(0, MASK)
			.mapToObj((n) -> n + "@gmail.com")
			.toArray(String[]::new);

		static final User[] USERS = IntStream.rangeClosed(0, MASK)
			.mapToObj(DefaultBenchService::newUser)
			.toArray(User[]::new);

		private static byte[] body() {
			byte[] body = new byte[128];
			for (int i = 0; i < body.length; i++) {
				body[i] = (byte) i;
			}
			return body;
		}

	}

}
