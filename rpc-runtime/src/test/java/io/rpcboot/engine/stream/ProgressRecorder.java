package io.rpcboot.engine.stream;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import reactor.core.publisher.Mono;

/** Callback that records its calls, to be overridden. */
class ProgressRecorder implements Reports.Progress {

	final List<Integer> done = new CopyOnWriteArrayList<>();

	volatile Thread thread;

	@Override
	public void percent(int percent) {
		this.thread = Thread.currentThread();
		this.done.add(percent);
	}

	@Override
	public boolean goOn(String step) {
		return !step.isEmpty();
	}

	@Override
	public byte[] data(byte[] bytes) {
		return bytes;
	}

	@Override
	public CompletableFuture<Integer> next(int number) {
		return CompletableFuture.completedFuture(number + 1);
	}

	@Override
	public Mono<Integer> nextMono(int number) {
		return Mono.just(number + 1);
	}

	@Override
	public int hurried() {
		return 1;
	}

}
