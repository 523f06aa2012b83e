package io.rpcboot.benchmarks.workload;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;

/**
 * Users with fixed times and no field that is 0, so that the JSON of every system can be
 * compared byte by byte.
 */
public final class FixedBenchService extends DefaultBenchService {

	private static final LocalDateTime TIME = LocalDateTime.of(2026, 5, 1, 8, 0, 0, 123_456_000);

	@Override
	public User getUser(long id) {
		return fixed(super.getUser(id));
	}

	@Override
	public Page<User> listUser(int pageNo) {
		List<User> users = new ArrayList<>(PAGE_SIZE);
		for (int id = 1; id <= PAGE_SIZE; id++) {
			users.add(fixed(newUser(id)));
		}
		Page<User> page = super.listUser(pageNo);
		page.setResult(users);
		return page;
	}

	private static User fixed(User user) {
		user.setCreateTime(TIME);
		user.setUpdateTime(TIME);
		return user;
	}

}
