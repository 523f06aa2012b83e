package io.rpcboot.benchmarks.workload;

import java.util.concurrent.CompletableFuture;

/**
 * The contract that is measured: an echo, the four user calls and a call that takes its
 * time, blocking and asynchronous. Thread-safe.
 */
public interface BenchService {

	/**
	 * Return the bytes.
	 * @param body any bytes
	 * @return equal bytes
	 */
	byte[] echo(byte[] body);

	/**
	 * Whether a user exists.
	 * @param email of the user
	 * @return true for empty, false if the last character is below '5', else true
	 */
	boolean existUser(String email);

	/**
	 * Create a user.
	 * @param user the user
	 * @return true
	 */
	boolean createUser(User user);

	/**
	 * Get a user.
	 * @param id of the user
	 * @return the user
	 */
	User getUser(long id);

	/**
	 * List users.
	 * @param pageNo number of the page
	 * @return 15 users
	 */
	Page<User> listUser(int pageNo);

	/**
	 * {@link #echo} without waiting.
	 * @param body any bytes
	 * @return equal bytes
	 */
	CompletableFuture<byte[]> echoAsync(byte[] body);

	/**
	 * {@link #existUser} without waiting.
	 * @param email of the user
	 * @return true for empty, false if the last character is below '5', else true
	 */
	CompletableFuture<Boolean> existUserAsync(String email);

	/**
	 * {@link #createUser} without waiting.
	 * @param user the user
	 * @return true
	 */
	CompletableFuture<Boolean> createUserAsync(User user);

	/**
	 * {@link #getUser} without waiting.
	 * @param id of the user
	 * @return the user
	 */
	CompletableFuture<User> getUserAsync(long id);

	/**
	 * {@link #listUser} without waiting.
	 * @param pageNo number of the page
	 * @return 15 users
	 */
	CompletableFuture<Page<User>> listUserAsync(int pageNo);

	/**
	 * Hold the thread that executes the call.
	 * @param millis how long, 0 or more
	 * @return the same number
	 */
	int sleep(int millis);

	/**
	 * {@link #sleep} without waiting.
	 * @param millis how long, 0 or more
	 * @return the same number
	 */
	CompletableFuture<Integer> sleepAsync(int millis);

}
