package io.rpcboot.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.rpcboot.hostile.attack.AttackCounts;
import io.rpcboot.hostile.victim.Figures;
import io.rpcboot.hostile.victim.HonestTally.Summary;
import io.rpcboot.hostile.victim.Recovery;

/**
 * What is held against a server after one attack.
 *
 * @param quiet the honest client before
 * @param during the honest client beside the attack
 * @param large its calls with larger arguments beside the attack, which are shown and not
 * judged: they may have to wait for memory
 * @param afterwards the honest client after it
 * @param before the victim's figures before
 * @param outOfMemory lines of the victim's standard error
 * @param lostConnections of the honest client
 */
record Verdict(String scenario, Summary quiet, Summary during, Summary large, Summary afterwards, Figures before,
		Recovery recovery, AttackCounts.Total attack, int outOfMemory, int lostConnections) {

	static final String HEAD = """
			| scenario | verdict | honest p99 quiet, beside (ms) | p50, max beside (ms) | failed, wrong of calls | large: failed of calls, max (ms) \
			| heap, direct before -> after (MB) | back after (ms) | lost threads, out of memory | attack |
			| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
			""";

	private static final double LONGEST_CALL_MILLIS = 1000;

	private static final double LEAST_P99_MILLIS = 50;

	private static final int TIMES_QUIET = 5;

	/** Empty if the server held. */
	List<String> reasons() {
		List<String> reasons = new ArrayList<>();
		addIf(reasons, this.attack.connections() == 0, "the attack made no connection");
		addIf(reasons, this.during.calls() == 0, "no honest call ended beside the attack");
		addIf(reasons, this.during.wrong() + this.large.wrong() + this.afterwards.wrong() > 0, "wrong answers");
		addIf(reasons, this.during.failed() > 0,
				"honest calls failed beside the attack: " + this.during.firstFailure());
		addIf(reasons, this.afterwards.calls() == 0, "no honest call ended after the attack");
		addIf(reasons, this.afterwards.failed() > 0,
				"honest calls failed after the attack: " + this.afterwards.firstFailure());
		addIf(reasons, this.during.max() > LONGEST_CALL_MILLIS, "an honest call took over a second");
		addIf(reasons, this.during.p99() > Math.max(TIMES_QUIET * this.quiet.p99(), LEAST_P99_MILLIS),
				"the median p99 is over five times the quiet one, and over 50 ms");
		addIf(reasons, this.lostConnections > 0, "the honest client lost its connection");
		addIf(reasons, this.outOfMemory > 0, "OutOfMemoryError in the victim's log");
		Figures after = this.recovery.after();
		if (after == null) {
			reasons.add("the victim does not answer");
			return reasons;
		}
		addIf(reasons, !after.lostSince(this.before).isEmpty(), "lost threads: " + after.lostSince(this.before));
		addIf(reasons, !Recovery.isHeapBack(this.before, after), "the heap is not as before after 5 s");
		addIf(reasons, !Recovery.isDirectBack(this.before, after), "direct memory is not as before after 5 s");
		return reasons;
	}

	private static void addIf(List<String> reasons, boolean applies, String reason) {
		if (applies) {
			reasons.add(reason);
		}
	}

	String row() {
		Figures after = this.recovery.after();
		String memory = (after == null) ? "no answer"
				: "%s, %s -> %s, %s".formatted(Figures.megabytes(this.before.heap()),
						Figures.megabytes(this.before.direct()), Figures.megabytes(after.heap()),
						Figures.megabytes(after.direct()));
		return String.format(Locale.ROOT,
				"| %s | %s | %.1f, %.1f | %.2f, %.0f | %d, %d of %d | %d of %d, %.0f | %s | %d | %s, %d | %s |%n",
				this.scenario, reasons().isEmpty() ? "held" : "FAILED", this.quiet.p99(), this.during.p99(),
				this.during.p50(), this.during.max(), this.during.failed() + this.afterwards.failed(),
				this.during.wrong() + this.afterwards.wrong(), this.during.calls() + this.afterwards.calls(),
				this.large.failed(), this.large.calls(), this.large.max(), memory, this.recovery.millis(),
				(after == null) ? "?" : after.lostSince(this.before).size(), this.outOfMemory, this.attack);
	}

	String describe() {
		return row() + String.join("\n", reasons().stream().map((each) -> "  - " + each).toList());
	}

}
