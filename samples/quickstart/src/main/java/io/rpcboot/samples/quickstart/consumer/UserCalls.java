package io.rpcboot.samples.quickstart.consumer;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.rpcboot.samples.quickstart.api.Page;
import io.rpcboot.samples.quickstart.api.User;
import io.rpcboot.samples.quickstart.api.UserService;
import io.rpcboot.spring.RpcReference;

import org.springframework.stereotype.Component;

/** Calls each method once and checks the results. */
@Component
public class UserCalls {

	private static final List<Integer> PERMISSIONS = List.of(1, 2, 3, 4, 5, 6, 7, 8, 19, 88, 86, 89, 90, 91, 92);

	private final UserService users;

	UserCalls(@RpcReference UserService users) {
		this.users = users;
	}

	/**
	 * Calls every method.
	 * @return a result for each call, in the order of the calls
	 */
	public List<Answer> callEach() {
		User user = newUser(1);
		return List.of(call("createUser(" + user + ")", () -> this.users.createUser(user), (created) -> created),
				call("existUser(\"1@gmail.com\")", () -> this.users.existUser("1@gmail.com"), (exists) -> exists),
				call("existUser(\"user1\")", () -> this.users.existUser("user1"), (exists) -> !exists),
				call("getUser(1)", () -> this.users.getUser(1), (found) -> isRight(found, 1, "")),
				call("listUser(1)", () -> this.users.listUser(1), (page) -> isRight(page, 1), UserCalls::describe));
	}

	/**
	 * Requests a user.
	 * @param id id of the user
	 * @return true if it is the right one
	 */
	public boolean getUser(long id) {
		return isRight(this.users.getUser(id), id, "");
	}

	/**
	 * Creates a user of a class that is not in the contract, so the argument cannot be
	 * serialized.
	 */
	public void createOddUser() {
		this.users.createUser(new OddUser());
	}

	private static <T> Answer call(String call, Supplier<T> method, Predicate<T> check) {
		return call(call, method, check, String::valueOf);
	}

	private static <T> Answer call(String call, Supplier<T> method, Predicate<T> check, Function<T, String> describe) {
		try {
			T result = method.get();
			return new Answer(call, describe.apply(result), check.test(result));
		}
		catch (RuntimeException ex) {
			return new Answer(call, ex.toString(), false);
		}
	}

	private static String describe(Page<User> page) {
		List<User> users = Objects.requireNonNullElse(page.getResult(), List.of());
		return "Page[pageNo=%d, total=%d, result=%d users: %s]".formatted(page.getPageNo(), page.getTotal(),
				users.size(), users.stream().map(User::getName).collect(Collectors.joining(", ")));
	}

	private static User newUser(long id) {
		LocalDateTime now = LocalDateTime.now();
		User user = new User();
		user.setId(id);
		user.setName("Doug Lea" + id);
		user.setSex(1);
		user.setBirthday(LocalDate.of(1968, 12, 8));
		user.setEmail("dong.lea@gmail.com" + id);
		user.setMobile("18612345678" + id);
		user.setAddress("北京市 中关村 中关村大街1号 鼎好大厦 1605" + id);
		user.setIcon("https://www.baidu.com/img/bd_logo1.png" + id);
		user.setStatus(1);
		user.setCreateTime(now);
		user.setUpdateTime(now);
		user.setPermissions(PERMISSIONS);
		return user;
	}

	private static boolean isRight(Page<User> page, int pageNo) {
		List<User> result = page.getResult();
		if (page.getPageNo() != pageNo || page.getTotal() != 1000 || result == null || result.size() != 15) {
			return false;
		}
		for (int i = 0; i < result.size(); i++) {
			if (!isRight(result.get(i), i, String.valueOf(i))) {
				return false;
			}
		}
		return true;
	}

	private static boolean isRight(User user, long id, String suffix) {
		return user.getId() == id && user.getSex() == 1 && user.getStatus() == 1
				&& ("Doug Lea" + suffix).equals(user.getName()) && LocalDate.of(1968, 12, 8).equals(user.getBirthday())
				&& ("dong.lea@gmail.com" + suffix).equals(user.getEmail())
				&& ("18612345678" + suffix).equals(user.getMobile())
				&& ("北京市 中关村 中关村大街1号 鼎好大厦 1605" + suffix).equals(user.getAddress())
				&& ("https://www.baidu.com/img/bd_logo1.png" + suffix).equals(user.getIcon())
				&& user.getCreateTime() != null && Objects.equals(user.getCreateTime(), user.getUpdateTime())
				&& PERMISSIONS.equals(user.getPermissions());
	}

	private static final class OddUser extends User {

	}

}
