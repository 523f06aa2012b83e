package io.rpcboot.engine.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Hop whose methods do the same. */
final class HopImpl implements Hop {

	final AtomicInteger calls = new AtomicInteger();

	volatile Behaviour behaviour = (word) -> word;

	volatile Function<String, CompletableFuture<String>> later = (word) -> CompletableFuture.completedFuture(ask(word));

	int port;

	@Override
	public String ask(String word) {
		this.calls.incrementAndGet();
		try {
			return this.behaviour.answer(word);
		}
		catch (Exception ex) {
			throw HopImpl.<RuntimeException>sneaky(ex);
		}
	}

	@Override
	public CompletableFuture<String> askLater(String word) {
		return this.later.apply(word);
	}

	@Override
	public String read(String word) {
		return ask(word);
	}

	@Override
	public void tell(String word) {
		ask(word);
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable> E sneaky(Throwable any) throws E {
		throw (E) any;
	}

	/** Behaviour of a hop. */
	interface Behaviour {

		String answer(String word) throws Exception;

	}

}
