package io.rpcboot.samples.quickstart.provider;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;

import io.rpcboot.samples.quickstart.api.Page;
import io.rpcboot.samples.quickstart.api.User;
import io.rpcboot.samples.quickstart.api.UserService;
import io.rpcboot.spring.RpcService;
import org.jspecify.annotations.Nullable;

/** Implementation of the service; the annotation offers it to remote callers. */
@RpcService
class UserServiceImpl implements UserService {

	private static final int PAGE_SIZE = 15;

	private static final int TOTAL = 1000;

	@Override
	public boolean existUser(@Nullable String email) {
		return email == null || email.isEmpty() || email.charAt(email.length() - 1) >= '5';
	}

	@Override
	public boolean createUser(@Nullable User user) {
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
			users.add(user(i, String.valueOf(i)));
		}
		Page<User> page = new Page<>();
		page.setPageNo(pageNo);
		page.setTotal(TOTAL);
		page.setResult(users);
		return page;
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
		user.setPermissions(List.of(1, 2, 3, 4, 5, 6, 7, 8, 19, 88, 86, 89, 90, 91, 92));
		return user;
	}

}
