package io.rpcboot.benchmarks.grpc;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

import com.google.protobuf.Timestamp;
import io.rpcboot.benchmarks.proto.PageMessage;
import io.rpcboot.benchmarks.proto.UserMessage;
import io.rpcboot.benchmarks.workload.Page;
import io.rpcboot.benchmarks.workload.User;

/**
 * The mapping between the types of the application and the generated messages, which an
 * application on gRPC has to write.
 */
public final class GrpcMessages {

	private GrpcMessages() {
	}

	/**
	 * A user as a message.
	 * @param user the user
	 * @return the message
	 */
	public static UserMessage toMessage(User user) {
		return UserMessage.newBuilder()
			.setId(user.getId())
			.setName(user.getName())
			.setSex(user.getSex())
			.setBirthday((int) user.getBirthday().toEpochDay())
			.setEmail(user.getEmail())
			.setMobile(user.getMobile())
			.setAddress(user.getAddress())
			.setIcon(user.getIcon())
			.setStatus(user.getStatus())
			.setCreateTime(toTimestamp(user.getCreateTime()))
			.setUpdateTime(toTimestamp(user.getUpdateTime()))
			.addAllPermissions(user.getPermissions())
			.build();
	}

	/**
	 * A message as a user.
	 * @param message the message
	 * @return the user
	 */
	public static User toUser(UserMessage message) {
		User user = new User();
		user.setId(message.getId());
		user.setName(message.getName());
		user.setSex(message.getSex());
		user.setBirthday(LocalDate.ofEpochDay(message.getBirthday()));
		user.setEmail(message.getEmail());
		user.setMobile(message.getMobile());
		user.setAddress(message.getAddress());
		user.setIcon(message.getIcon());
		user.setStatus(message.getStatus());
		user.setCreateTime(toDateTime(message.getCreateTime()));
		user.setUpdateTime(toDateTime(message.getUpdateTime()));
		user.setPermissions(new ArrayList<>(message.getPermissionsList()));
		return user;
	}

	/**
	 * A page as a message.
	 * @param page the page
	 * @return the message
	 */
	public static PageMessage toMessage(Page<User> page) {
		PageMessage.Builder message = PageMessage.newBuilder().setPageNo(page.getPageNo()).setTotal(page.getTotal());
		for (User user : page.getResult()) {
			message.addResult(toMessage(user));
		}
		return message.build();
	}

	/**
	 * A message as a page.
	 * @param message the message
	 * @return the page
	 */
	public static Page<User> toPage(PageMessage message) {
		List<User> users = new ArrayList<>(message.getResultCount());
		for (UserMessage user : message.getResultList()) {
			users.add(toUser(user));
		}
		Page<User> page = new Page<>();
		page.setPageNo(message.getPageNo());
		page.setTotal(message.getTotal());
		page.setResult(users);
		return page;
	}

	private static Timestamp toTimestamp(LocalDateTime time) {
		return Timestamp.newBuilder().setSeconds(time.toEpochSecond(ZoneOffset.UTC)).setNanos(time.getNano()).build();
	}

	private static LocalDateTime toDateTime(Timestamp timestamp) {
		return LocalDateTime.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos(), ZoneOffset.UTC);
	}

}
