package io.rpcboot.benchmarks.workload;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Computes the answers; keeps nothing. The implementation behind every system.
 */
public class DefaultBenchService implements BenchService {

	/** Users on a page. */
	public static final int PAGE_SIZE = 15;

	private static final int TOTAL = 1000;

	@Override
	public byte[] echo(byte[] body) {
		return body;
	}

	@Override
	public boolean existUser(String email) {
		return email.isEmpty() || email.charAt(email.length() - 1) >= '5';
	}

	@Override
	public boolean createUser(User user) {
		return user != null;
	}

	@Override
	public User getUser(long id) {
		return user(id, "");
	}

	@Override
	public Page<User> listUser(int pageNo) {
		List<User> users = new ArrayList<>(PAGE_SIZE);
		for (int i = 0; i < PAGE_SIZE; i++) {
			users.add(newUser(i));
		}
		Page<User> page = new Page<>();
		page.setPageNo(pageNo);
		page.setTotal(TOTAL);
		page.setResult(users);
		return page;
	}

	@Override
	public CompletableFuture<byte[]> echoAsync(byte[] body) {
		return CompletableFuture.completedFuture(echo(body));
	}

	@Override
	public CompletableFuture<Boolean> existUserAsync(String email) {
		return CompletableFuture.completedFuture(existUser(email));
	}

	@Override
	public CompletableFuture<Boolean> createUserAsync(User user) {
		return CompletableFuture.completedFuture(createUser(user));
	}

	@Override
	public CompletableFuture<User> getUserAsync(long id) {
		return CompletableFuture.completedFuture(getUser(id));
	}

	@Override
	public CompletableFuture<Page<User>> listUserAsync(int pageNo) {
		return CompletableFuture.completedFuture(listUser(pageNo));
	}

	@Override
	public int sleep(int millis) {
		try {
			TimeUnit.MILLISECONDS.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted", ex);
		}
		return millis;
	}

	@Override
	public CompletableFuture<Integer> sleepAsync(int millis) {
		return CompletableFuture.completedFuture(sleep(millis));
	}

	static User newUser(long id) {
		return user(id, String.valueOf(id));
	}

	private static User user(long id, String suffix) {
		LocalDateTime now = LocalDateTime.now();
		User user = new User();
		user.setId(id);
		user.setName("Doug Lea" + suffix);
		user.setSex(1);
		user.setBirthday(LocalDate.of(1968, 12, 8));
		user.setEmail("dong.lea@gmail.com" + suffix);
		user.setMobile("18612345678" + suffix);
		user.setAddress("北京市 中关村 中关村大街1号 鼎好大厦 1605" + suffix);
		user.setIcon("https://www.baidu.com/img/bd_logo1.png" + suffix);
		user.setStatus(1);
		user.setCreateTime(now);
		user.setUpdateTime(now);
		user.setPermissions(new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8, 19, 88, 86, 89, 90, 91, 92)));
		return user;
	}

}
