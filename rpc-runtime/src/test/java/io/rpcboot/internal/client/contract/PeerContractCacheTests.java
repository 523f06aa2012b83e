package io.rpcboot.internal.client.contract;

import java.util.List;

import io.rpcboot.ServiceDescriptor;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.serialization.contract.Contract;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.transport.Protocol;
import io.rpcboot.workload.UserService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PeerContractCacheTests {

	private static final int KIB = 1024;

	/** Tables may take 51 KiB of characters together. */
	private final MemoryBudget account = new MemoryBudget(10_240L * KIB, 0);

	private final PeerContractCache contracts = new PeerContractCache(this.account);

	private final ServiceDescriptor service = ServiceDescriptor.of(UserService.class);

	private final ServiceBinding binding = new ServiceBinding(this.service, Protocol.NATIVE, "protostuff",
			new ProtostuffSerializer().codec(this.service), 0);

	/** It cannot be read. */
	private PeerContract garbage(int number, int chars) {
		String text = number + " ";
		return new PeerContract(this.binding, text + "x".repeat(chars - text.length()));
	}

	private PeerContract readable() {
		Contract own = this.binding.codec().contract();
		PeerContract contract = new PeerContract(this.binding, own.text());
		contract.refused();
		return contract;
	}

	private long used() {
		return this.account.used(Direction.INCOMING);
	}

	@Test
	void sharedContract_isChargedOnce_untilLastConnectionReleasesIt() {
		PeerContract first = garbage(1, KIB);
		assertThat(this.contracts.use(this.binding, first, new Object())).isSameAs(first);
		assertThat(this.contracts.use(this.binding, garbage(1, KIB), new Object())).isSameAs(first);
		assertThat(used()).isEqualTo(20 * KIB);
		this.contracts.release(this.binding, first.hash());
		assertThat(used()).isEqualTo(20 * KIB);
		this.contracts.release(this.binding, first.hash());
		assertThat(used()).as("nobody can use it").isZero();
	}

	@Test
	void contractsInUse_areBounded() {
		for (int i = 0; i < 51; i++) {
			assertThat(this.contracts.use(this.binding, garbage(i, KIB), new Object())).as("%d", i).isNotNull();
		}
		assertThat(this.contracts.use(this.binding, garbage(51, KIB), new Object())).isNull();
		assertThat(used()).isEqualTo(51 * 20 * KIB).isLessThanOrEqualTo(this.contracts.maxBytes());
		this.contracts.release(this.binding, garbage(7, KIB).hash());
		assertThat(this.contracts.use(this.binding, garbage(51, KIB), new Object())).isNotNull();
	}

	/** A server that fills the cache leaves half of it for the others. */
	@Test
	void contractsOfOneConnection_takeHalf_untilReleased() {
		Object hostile = new Object();
		for (int i = 0; i < 25; i++) {
			assertThat(this.contracts.use(this.binding, garbage(i, KIB), hostile)).as("%d", i).isNotNull();
		}
		assertThat(this.contracts.use(this.binding, garbage(25, KIB), hostile)).isNull();
		assertThat(this.contracts.use(this.binding, garbage(25, KIB), new Object())).isNotNull();
		this.contracts.release(this.binding, garbage(7, KIB).hash());
		assertThat(this.contracts.use(this.binding, garbage(26, KIB), hostile)).isNotNull();
	}

	@Test
	void contract_isRejected_whenMemoryAccountIsFull() {
		this.account.overdraw(Direction.INCOMING, 10_000L * KIB);
		assertThat(this.contracts.use(this.binding, garbage(1, KIB), new Object())).isNull();
		assertThat(used()).isEqualTo(10_000L * KIB);
	}

	@Test
	void releasedContract_isKept_untilOthersNeedMemory() {
		PeerContract contract = readable();
		this.contracts.use(this.binding, contract, new Object());
		this.contracts.release(this.binding, contract.hash());
		assertThat(this.contracts.hashes(this.binding, 8)).containsExactly(contract.hash());
		assertThat(this.contracts.useKnown(this.binding, contract.hash())).isSameAs(contract);
		this.contracts.release(this.binding, contract.hash());
		assertThat(this.contracts.use(this.binding, garbage(1, 25 * KIB), new Object())).isNotNull();
		assertThat(this.contracts.use(this.binding, garbage(2, 25 * KIB), new Object())).isNotNull();
		assertThat(this.contracts.use(this.binding, garbage(3, KIB), new Object())).isNotNull();
		assertThat(this.contracts.hashes(this.binding, 8)).isEqualTo(List.of());
		this.contracts.clear();
		assertThat(used()).isZero();
	}

}
