package io.rpcboot.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

class CallsImpl implements Calls {

	final BlockingQueue<String> noticed = new LinkedBlockingQueue<>();

	final BlockingQueue<String> entered = new LinkedBlockingQueue<>();

	final BlockingQueue<CompletableFuture<String>> futures = new LinkedBlockingQueue<>();

	final AtomicInteger executed = new AtomicInteger();

	final CountDownLatch gate = new CountDownLatch(1);

	/** Done by calls that have passed it. */
	volatile Runnable atGate = () -> {
	};

	@Override
	public byte[] echo(byte[] bytes) {
		this.executed.incrementAndGet();
		return bytes;
	}

	@Override
	public String greet(String name) {
		this.executed.incrementAndGet();
		return "hello " + name;
	}

	@Override
	public int add(int left, int right) {
		this.executed.incrementAndGet();
		return left + right;
	}

	@Override
	public List<String> reverse(List<String> words) {
		List<String> result = new ArrayList<>(words);
		Collections.reverse(result);
		return result;
	}

	@Override
	public void nothing() {
		this.executed.incrementAndGet();
	}

	@Override
	public CompletableFuture<String> later(String name) {
		return CompletableFuture.supplyAsync(() -> "later " + name);
	}

	@Override
	public CompletableFuture<byte[]> echoLater(byte[] bytes) {
		this.executed.incrementAndGet();
		return CompletableFuture.completedFuture(bytes);
	}

	@Override
	public String waitForGate(String name) {
		this.entered.add(name);
		try {
			this.gate.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		this.atGate.run();
		return "passed " + name;
	}

	@Override
	public CompletableFuture<String> laterAtGate(String name) {
		CompletableFuture<String> future = new CompletableFuture<>();
		this.futures.add(future);
		return future;
	}

	@Override
	public String waitForGateBriefly(String name) {
		return waitForGate(name);
	}

	@Override
	public void notice(String word) {
		this.noticed.add(word);
	}

	@Override
	public String refuse(String reason) throws RefusedException {
		throw new RefusedException(reason, 42);
	}

	@Override
	public CompletableFuture<String> refuseLater(String reason) {
		return CompletableFuture.failedFuture(new RefusedException(reason, 43));
	}

	@Override
	public String breakDown(String message) {
		throw new IllegalStateException(message);
	}

	@Override
	public byte[] grow(int size) {
		return new byte[size];
	}

}
