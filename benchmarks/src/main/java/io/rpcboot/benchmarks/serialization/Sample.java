package io.rpcboot.benchmarks.serialization;

import java.time.LocalDateTime;

import io.rpcboot.benchmarks.workload.DefaultBenchService;
import io.rpcboot.benchmarks.workload.Page;
import io.rpcboot.benchmarks.workload.User;

/**
 * What is serialized: the results of two calls of the workload, always the same ones.
 */
public enum Sample {

	/** What {@code getUser} returns. */
	USER,

	/** What {@code listUser} returns: 15 users. */
	PAGE;

	private static final LocalDateTime TIME = LocalDateTime.of(2026, 5, 17, 13, 46, 59, 123_456_789);

	String label() {
		return (this == USER) ? "User" : "Page of 15 users";
	}

	Object value() {
		return (this == USER) ? user() : page();
	}

	private static User user() {
		return fix(new DefaultBenchService().getUser(1));
	}

	private static Page<User> page() {
		Page<User> page = new DefaultBenchService().listUser(1);
		page.getResult().forEach(Sample::fix);
		return page;
	}

	/** The clock gives more or fewer digits, which take more or fewer bytes. */
	private static User fix(User user) {
		user.setCreateTime(TIME);
		user.setUpdateTime(TIME);
		return user;
	}

}
