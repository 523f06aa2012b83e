package io.rpcboot.samples.quickstart.consumer;

import java.time.Duration;
import java.util.List;

import io.rpcboot.samples.quickstart.api.Page;
import io.rpcboot.samples.quickstart.api.User;
import io.rpcboot.samples.quickstart.api.UserService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The quickstart notices wrong answers. */
class UserCallsTests {

	@Test
	void wrongAnswers_areDetected() {
		List<Answer> answers = new UserCalls(new WrongUsers()).callEach();
		assertThat(answers).hasSize(5).noneMatch(Answer::right);
		assertThat(answers.get(3).answer()).contains("no such user");
		assertThat(answers.get(0)).hasToString(answers.get(0).call() + System.lineSeparator() + "  -> WRONG: false");
	}

	@Test
	void load_countsFailuresAndWrongAnswers() throws InterruptedException {
		Load load = Load.run(2, Duration.ofMillis(500), (number) -> {
			if (number % 3 == 0) {
				throw new IllegalStateException("no luck");
			}
			return number % 3 == 1;
		});
		assertThat(load.wrong()).isBetween(load.calls() * 2 / 3 - 2, load.calls() * 2 / 3 + 4);
		assertThat(load.failure()).contains("no luck");
		assertThat(load.toString()).contains("WRONG").contains("no luck");
		assertThat(load.p50()).isPositive().isLessThanOrEqualTo(load.p99());
	}

	private static final class WrongUsers implements UserService {

		@Override
		public boolean existUser(String email) {
			return email.startsWith("user");
		}

		@Override
		public boolean createUser(User user) {
			return false;
		}

		@Override
		public User getUser(long id) {
			throw new IllegalStateException("no such user");
		}

		@Override
		public Page<User> listUser(int pageNo) {
			Page<User> page = new Page<>();
			page.setPageNo(pageNo);
			page.setTotal(1000);
			return page;
		}

	}

}
