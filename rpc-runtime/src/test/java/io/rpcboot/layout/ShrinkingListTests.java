package io.rpcboot.layout;

import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ShrinkingListTests {

	@Test
	void listedViolation_isAccepted() {
		assertThat(ShrinkingList.problems(Set.of("A", "B"), Set.of("B", "A"))).isEmpty();
		assertThat(ShrinkingList.problems(Map.of("a", 30, "b", 40), Map.of("a", 30, "b", 26))).isEmpty();
	}

	@Test
	void unlistedViolation_isReported() {
		assertThat(ShrinkingList.problems(Set.of("A"), Set.of("A", "B"))).containsExactly("B: breaks the rule (1)");
		assertThat(ShrinkingList.problems(Map.of(), Map.of("a", 26))).containsExactly("a: breaks the rule (26)");
	}

	@Test
	void grownViolation_isReported() {
		assertThat(ShrinkingList.problems(Map.of("a", 30), Map.of("a", 31)))
			.containsExactly("a: 31 (expected: at most 30)");
	}

	@Test
	void fixedViolation_isReported_untilRemovedFromList() {
		assertThat(ShrinkingList.problems(Set.of("A", "B"), Set.of("B")))
			.containsExactly("A: keeps the rule; remove it from the list");
		assertThat(ShrinkingList.problems(Map.of("a", 30), Map.of()))
			.containsExactly("a: keeps the rule; remove it from the list");
	}

}
