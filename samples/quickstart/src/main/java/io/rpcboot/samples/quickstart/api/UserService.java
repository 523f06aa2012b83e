package io.rpcboot.samples.quickstart.api;

import org.jspecify.annotations.Nullable;

/**
 * User service: a plain interface, which the provider implements and the consumer calls.
 */
public interface UserService {

	/**
	 * Returns true if a user exists.
	 * @param email of the user, may be null
	 * @return true for null or empty, false if the last character is below '5', else true
	 */
	boolean existUser(@Nullable String email);

	/**
	 * Creates a user.
	 * @param user the user, may be null
	 * @return false for null, else true
	 */
	boolean createUser(@Nullable User user);

	/**
	 * Returns a user.
	 * @param id id of the user
	 * @return the user
	 */
	User getUser(long id);

	/**
	 * Returns a page of users.
	 * @param pageNo number of the page
	 * @return 15 users
	 */
	Page<User> listUser(int pageNo);

}
