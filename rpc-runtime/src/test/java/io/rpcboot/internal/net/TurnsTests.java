package io.rpcboot.internal.net;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Turns of networks and of what they are in. */
class TurnsTests {

	private final Turns<String> turns = new Turns<>();

	private void add(String network, String added) {
		this.turns.add(ClientNetwork.turns(network), added);
	}

	private List<String> all() {
		List<String> all = new ArrayList<>();
		for (String next = this.turns.next(); next != null; next = this.turns.next()) {
			all.add(next);
		}
		assertThat(this.turns.isEmpty()).isTrue();
		return all;
	}

	@Test
	void networks_takeTurns_andKeepTheirOrder() {
		for (String each : List.of("a1", "a2", "a3", "b1", "c1", "c2")) {
			add(each.substring(0, 1), each);
		}
		assertThat(all()).containsExactly("a1", "b1", "c1", "a2", "c2", "a3");
	}

	/** A site with many networks has the turns of one. */
	@Test
	void networksOfOneSite_shareItsTurns() {
		for (int i = 0; i < 100; i++) {
			add("2001:db8:1:%x::/64".formatted(i), "site" + i);
		}
		add("2001:db8:2:0::/64", "home1");
		add("2001:db8:2:0::/64", "home2");
		assertThat(all().subList(0, 5)).containsExactly("site0", "home1", "site1", "home2", "site2");
	}

	@Test
	void removed_hasNoTurn() {
		add("a", "a1");
		add("a", "a2");
		add("b", "b1");
		this.turns.remove(ClientNetwork.turns("a"), "a1");
		this.turns.remove(ClientNetwork.turns("a"), "a1");
		this.turns.remove(ClientNetwork.turns("b"), "b1");
		this.turns.remove(ClientNetwork.turns("c"), "c1");
		assertThat(all()).containsExactly("a2");
	}

	@ParameterizedTest
	@CsvSource({ "10.0.0.1:5000, 10.0.0.1, 10.0.0.1", "'[2001:db8:7:1::2]:80', 2001:db8:7::/48, 2001:db8:7:1::/64",
			"'[2001:db8:7:2::3]:80', 2001:db8:7::/48, 2001:db8:7:2::/64", "'[::1]:80', 0:0:0::/48, 0:0:0:0::/64",
			"local, local, local" })
	void turns_areThoseOfSiteAndNetwork(String remote, String site, String network) {
		assertThat(ClientNetwork.turns(ClientNetwork.of(remote))).containsExactly(site, network);
	}

}
