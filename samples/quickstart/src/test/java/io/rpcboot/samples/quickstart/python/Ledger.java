package io.rpcboot.samples.quickstart.python;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.rpcboot.RpcMethod;
import org.jspecify.annotations.Nullable;

/** A service with each kind of method and most kinds of value. */
public interface Ledger {

	Entry book(Entry entry) throws Overdrawn;

	byte[] copy(byte[] bytes);

	@Nullable Object echo(@Nullable Object value);

	void fail(String message);

	CompletableFuture<String> never();

	@RpcMethod(oneWay = true)
	void note(String text);

	List<String> notes();

	int size(List<String> names);

	/** What is booked. */
	record Entry(String account, long amount, Kind kind, Map<String, List<Integer>> lines, Payment payment,
			Optional<String> memo, int[] days, short code, double rate, LocalDateTime at, @Nullable String remark) {
	}

	/** Where it goes. */
	enum Kind {

		CREDIT, DEBIT

	}

	/** How it is paid. */
	sealed interface Payment permits Card, Cash {

	}

	/** With a card. */
	record Card(String number) implements Payment {
	}

	/** With coins. */
	record Cash() implements Payment {
	}

	/** There is not enough on the account. */
	class Overdrawn extends Exception {

		private static final long serialVersionUID = 1L;

		private final long missing;

		public Overdrawn(String message, long missing) {
			super(message);
			this.missing = missing;
		}

		public long missing() {
			return this.missing;
		}

	}

}
