package io.rpcboot.benchmarks.grpc;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.benchmarks.workload.Page;
import io.rpcboot.benchmarks.workload.User;
import io.rpcboot.benchmarks.workload.proto.PageOfUser;

/**
 * The mapping between the types of the application and the messages that this project
 * generates for them.
 */
final class ContractMessages {

	private ContractMessages() {
	}

	static io.rpcboot.benchmarks.workload.proto.User toMessage(User user) {
		return io.rpcboot.benchmarks.workload.proto.User.newBuilder()
			.setId(user.getId())
			.setName(user.getName())
			.setSex(user.getSex())
			.setBirthday(user.getBirthday().toString())
			.setEmail(user.getEmail())
			.setMobile(user.getMobile())
			.setAddress(user.getAddress())
			.setIcon(user.getIcon())
			.setStatus(user.getStatus())
			.setCreateTime(user.getCreateTime().toString())
			.setUpdateTime(user.getUpdateTime().toString())
			.addAllPermissions(user.getPermissions())
			.build();
	}

	static User toUser(io.rpcboot.benchmarks.workload.proto.User message) {
		User user = new User();
		user.setId(message.getId());
		user.setName(message.getName());
		user.setSex(message.getSex());
		user.setBirthday(LocalDate.parse(message.getBirthday()));
		user.setEmail(message.getEmail());
		user.setMobile(message.getMobile());
		user.setAddress(message.getAddress());
		user.setIcon(message.getIcon());
		user.setStatus(message.getStatus());
		user.setCreateTime(LocalDateTime.parse(message.getCreateTime()));
		user.setUpdateTime(LocalDateTime.parse(message.getUpdateTime()));
		user.setPermissions(new ArrayList<>(message.getPermissionsList()));
		return user;
	}

	static PageOfUser toMessage(Page<User> page) {
		PageOfUser.Builder message = PageOfUser.newBuilder().setPageNo(page.getPageNo()).setTotal(page.getTotal());
		for (User user : page.getResult()) {
			message.addResult(toMessage(user));
		}
		return message.build();
	}

	static Page<User> toPage(PageOfUser message) {
		List<User> users = new ArrayList<>(message.getResultCount());
		message.getResultList().forEach((user) -> users.add(toUser(user)));
		Page<User> page = new Page<>();
		page.setPageNo(message.getPageNo());
		page.setTotal(message.getTotal());
		page.setResult(users);
		return page;
	}

}
