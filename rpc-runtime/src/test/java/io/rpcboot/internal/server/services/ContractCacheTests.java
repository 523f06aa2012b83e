package io.rpcboot.internal.server.services;

import java.util.List;
import java.util.Map;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.server.services.ContractCache.User;
import io.rpcboot.internal.server.services.ServiceContract.Binding;
import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.workload.UserService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ContractCacheTests {

	private static final int MEBIBYTE = 1024 * 1024;

	private static final User USER = new User("10.0.0.0");

	private final MemoryBudget account = new MemoryBudget(4L << 30, 0);

	private final ContractCache known = new ContractCache(this.account);

	private final ServiceContract offered = offered();

	private ServiceContract offered() {
		ServiceDescriptor service = ServiceDescriptor.of(UserService.class);
		return new ServiceContract(service.id(), new ProtostuffSerializer().codec(service), List.of(), this.known,
				new RateLimitedLogger(ContractCacheTests.class.getName(), System::nanoTime));
	}

	private static Binding binding(int chars) {
		return new Binding(List.of(), Map.of(), null, chars);
	}

	private static ContractHash hash(int number) {
		return new ContractHash(number, number);
	}

	@Test
	void leastRecentlyUsedContract_isEvictedFirst() {
		for (int i = 0; i < 8; i++) {
			this.known.add(this.offered, hash(i), binding(MEBIBYTE));
		}
		assertThat(this.known.get(this.offered, hash(0))).isNotNull();
		this.known.add(this.offered, hash(8), binding(MEBIBYTE / 2));
		this.known.add(this.offered, hash(9), binding(MEBIBYTE / 2));
		assertThat(this.known.get(this.offered, hash(1))).isNull();
		for (int each : new int[] { 0, 2, 3, 4, 5, 6, 7, 8, 9 }) {
			assertThat(this.known.get(this.offered, hash(each))).as("%d", each).isNotNull();
		}
	}

	@Test
	void largeContract_evictsManySmallContracts() {
		for (int i = 0; i < 10_000; i++) {
			this.known.add(this.offered, hash(i), binding(500));
		}
		this.known.add(this.offered, hash(-1), binding(8 * MEBIBYTE));
		assertThat(this.known.get(this.offered, hash(9_999))).isNull();
		assertThat(this.known.get(this.offered, hash(-1))).isNotNull();
	}

	@Test
	void sameContract_isCountedOnce() {
		Binding first = binding(8 * MEBIBYTE);
		assertThat(this.known.add(this.offered, hash(1), first)).isSameAs(first);
		assertThat(this.known.add(this.offered, hash(1), binding(8 * MEBIBYTE))).isSameAs(first);
		assertThat(this.known.get(this.offered, hash(1))).isSameAs(first);
	}

	@Test
	void contractInUse_isShared_untilReleased() {
		Binding binding = binding(MEBIBYTE);
		this.known.add(this.offered, hash(1), binding);
		assertThat(this.known.use(this.offered, hash(1), binding, USER)).isSameAs(binding);
		assertThat(this.known.use(this.offered, hash(1), binding, USER)).isSameAs(binding);
		this.known.add(this.offered, hash(2), binding(8 * MEBIBYTE));
		assertThat(this.known.get(this.offered, hash(1))).as("not kept, but used").isSameAs(binding);
		assertThat(this.known.add(this.offered, hash(1), binding(MEBIBYTE))).isSameAs(binding);
		assertThat(this.known.use(this.offered, hash(1), binding(MEBIBYTE), USER)).isSameAs(binding);
		for (int i = 0; i < 3; i++) {
			assertThat(this.known.get(this.offered, hash(1))).isSameAs(binding);
			this.known.release(this.offered, hash(1));
		}
		assertThat(this.known.get(this.offered, hash(1))).isNull();
	}

	@Test
	void contractsInUse_areBounded() {
		for (int i = 0; i < 16; i++) {
			assertThat(use(i, MEBIBYTE, user(i)).problem()).as("%d", i).isNull();
		}
		assertThat(use(16, 1, user(16)).problem()).startsWith("the tables of all connections take more than 16777216");
		assertThat(use(3, MEBIBYTE, user(16)).problem()).as("used already").isNull();
		this.known.release(this.offered, hash(3));
		assertThat(use(16, 1, user(16)).problem()).isNotNull();
		this.known.release(this.offered, hash(3));
		this.known.release(this.offered, hash(99));
		assertThat(use(16, MEBIBYTE, user(16)).problem()).isNull();
		assertThat(use(17, 1, user(17)).problem()).isNotNull();
	}

	/** Tables that a few clients introduce leave memory for others. */
	@Test
	void contractsOfOneConnection_takeHalfAndThoseOfOneAddressThreeQuarters() {
		User first = new User("10.0.0.1");
		for (int i = 0; i < 8; i++) {
			assertThat(use(i, MEBIBYTE, first).problem()).as("%d", i).isNull();
		}
		assertThat(use(8, 1, first).problem()).isEqualTo(
				"the tables of this connection take more than 8388608 characters, their share of rpc.server.memory.limit");
		assertThat(this.known.usedBytes(first)).isEqualTo(8L * MEBIBYTE * 20);
		for (int i = 8; i < 12; i++) {
			assertThat(use(i, MEBIBYTE, new User("10.0.0.1")).problem()).as("%d", i).isNull();
		}
		assertThat(use(12, 1, new User("10.0.0.1")).problem())
			.startsWith("the tables of all connections of 10.0.0.1 take more than 12582912 characters");
		assertThat(use(3, MEBIBYTE, new User("10.0.0.1")).problem()).as("introduced by another").isNull();
		assertThat(use(12, 4 * MEBIBYTE, new User("10.0.0.2")).problem()).isNull();
		this.known.release(this.offered, hash(3));
		this.known.release(this.offered, hash(3));
		assertThat(use(13, MEBIBYTE, first).problem()).isNull();
		for (int i = 0; i < 14; i++) {
			this.known.release(this.offered, hash(i));
		}
		assertThat(this.account.used(Direction.INCOMING)).isZero();
		assertThat(this.known.usedBytes(first)).isZero();
	}

	/** Large bodies of calls keep most of the account. */
	@Test
	void contractsInUse_takeOnlyShareOfMemoryAccount() {
		MemoryBudget small = new MemoryBudget(100 * MEBIBYTE, 0);
		ContractCache few = new ContractCache(small);
		for (int i = 0; i < 1000; i++) {
			few.use(this.offered, hash(i), binding(10_000), user(i));
		}
		assertThat(small.used(Direction.INCOMING)).isBetween(small.mostOfOne() / 4, small.mostOfOne() / 3);
	}

	private Binding use(int hash, int chars, User user) {
		return this.known.use(this.offered, hash(hash), binding(chars), user);
	}

	private static User user(int number) {
		return new User("10.0.0." + number);
	}

	@Test
	void contracts_areNotSharedAcrossServices() {
		this.known.add(this.offered, hash(1), binding(1));
		assertThat(this.known.get(offered(), hash(1))).isNull();
	}

	@Test
	void contracts_areChargedToMemoryAccount() {
		MemoryBudget small = new MemoryBudget(100 * MEBIBYTE, 0);
		ContractCache few = new ContractCache(small);
		few.add(this.offered, hash(1), binding(100_000));
		assertThat(small.used(Direction.INCOMING)).isEqualTo(2_000_000);
		few.add(this.offered, hash(2), binding(300_000));
		assertThat(few.get(this.offered, hash(1))).as("a sixteenth of the account").isNull();
		assertThat(small.used(Direction.INCOMING)).isEqualTo(6_000_000);
		assertThat(few.use(this.offered, hash(2), binding(300_000), USER).problem()).isNull();
		assertThat(small.used(Direction.INCOMING)).isEqualTo(12_000_000);
		assertThat(few.use(this.offered, hash(3), binding(4 * MEBIBYTE), USER).problem()).as("no room").isNotNull();
		few.release(this.offered, hash(2));
		assertThat(small.used(Direction.INCOMING)).isEqualTo(6_000_000);
	}

}
