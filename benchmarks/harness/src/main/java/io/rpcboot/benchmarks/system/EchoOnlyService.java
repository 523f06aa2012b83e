package io.rpcboot.benchmarks.system;

import java.util.concurrent.CompletableFuture;

import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.Page;
import io.rpcboot.benchmarks.workload.User;

/**
 * A system that knows bytes and no objects.
 */
public abstract class EchoOnlyService implements BenchService {

	@Override
	public final boolean existUser(String email) {
		throw unsupported();
	}

	@Override
	public final boolean createUser(User user) {
		throw unsupported();
	}

	@Override
	public final User getUser(long id) {
		throw unsupported();
	}

	@Override
	public final Page<User> listUser(int pageNo) {
		throw unsupported();
	}

	@Override
	public final CompletableFuture<Boolean> existUserAsync(String email) {
		throw unsupported();
	}

	@Override
	public final CompletableFuture<Boolean> createUserAsync(User user) {
		throw unsupported();
	}

	@Override
	public final CompletableFuture<User> getUserAsync(long id) {
		throw unsupported();
	}

	@Override
	public final CompletableFuture<Page<User>> listUserAsync(int pageNo) {
		throw unsupported();
	}

	@Override
	public final int sleep(int millis) {
		throw unsupported();
	}

	@Override
	public final CompletableFuture<Integer> sleepAsync(int millis) {
		throw unsupported();
	}

	private static UnsupportedOperationException unsupported() {
		return new UnsupportedOperationException("only the echo can be called");
	}

}
