package io.rpcboot.workload;

/**
 * The service that samples, tests and benchmarks call.
 */
public interface UserService {

	/**
	 * Whether a user exists.
	 * @param email of the user, may be null
	 * @return true for null or empty, false if the last character is below '5', else true
	 */
	boolean existUser(String email);

	/**
	 * Create a user.
	 * @param user the user, may be null
	 * @return false for null, else true
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

}
