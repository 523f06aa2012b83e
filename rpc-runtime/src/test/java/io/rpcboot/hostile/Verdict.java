package io.rpcboot.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.rpcboot.hostile.attack.AttackCounts;
import io.rpcboot.hostile.victim.Figures;
import io.rpcboot.hostile.victim.HonestTally.Summary;
import io.rpcboot.hostile.victim.Recovery;
import io.rpcboot.hostile.victim.VictimProcess;

/**
 * What is held against a server after one attack.
 *
 * @param quiet the honest client before
 * @param during the honest client beside the attack
 * @param large its calls of 12 KB and 512 KB beside the attack
 * @param newcomers the calls of clients that were made beside the attack, which are shown
 * and not judged: they may have to wait for memory
 * @param afterwards the honest client after it
 * @param before the victim's figures before
 * @param outOfMemory lines of the victim's standard error
 * @param mostLines lines of one reason in one second of the victim's log
 * @param lostConnections of the honest client
 */
record Verdict(String scenario, Summary quiet, Summary during, Summary large, Summary newcomers, Summary afterwards,
		Figures before, Recovery recovery, AttackCounts.Total attack, int outOfMemory, long mostLines,
		int lostConnections) {

	static final String HEAD = """
			| scenario | verdict | honest p99 quiet, beside (ms) | p50, max beside (ms) | failed, wrong of calls | large: failed of calls, p99 (ms) | newcomers: failed of calls, max (ms) \
			| heap, direct before -> after (MB) | back after (ms) | lost threads, out of memory | attack |
			| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
			""";

	private static final double LONGEST_CALL_MILLIS = 1000;

	private static final double LEAST_P99_MILLIS = 50;

	private static final int TIMES_QUIET = 5;

	/** Scenarios beside which calls of new clients are answered in time. */
	private static final Set<String> SERVES_NEWCOMERS = Set.of("unread-7m", "h2-held-bodies");

	/** The scenario in which the heap is collected all the time. */
	private static final String COLLECTING = "objects";

	/** Empty if the server held. */
	List<String> reasons() {
		List<String> reasons = new ArrayList<>();
		addIf(reasons, this.attack.connections() == 0, "the attack made no connection");
		addIf(reasons, this.during.calls() == 0, "no honest call ended beside the attack");
		addIf(reasons, this.during.wrong() + this.large.wrong() + this.newcomers.wrong() + this.afterwards.wrong() > 0,
				"wrong answers");
		addIf(reasons, this.during.failed() > 0,
				"honest calls failed beside the attack: " + this.during.firstFailure());
		addIf(reasons, this.large.calls() == 0, "no honest call of 12 KB or 512 KB ended beside the attack");
		addIf(reasons, this.large.failed() > 0,
				"honest calls of 12 KB or 512 KB failed beside the attack: " + this.large.firstFailure());
		addIf(reasons, this.large.p99() > LONGEST_CALL_MILLIS,
				"the median p99 of honest calls of 12 KB and 512 KB is over a second");
		addIf(reasons, SERVES_NEWCOMERS.contains(this.scenario) && this.newcomers.failed() > 0,
				"calls of new clients failed beside the attack");
		addIf(reasons, this.afterwards.calls() == 0, "no honest call ended after the attack");
		addIf(reasons, this.afterwards.failed() > 0,
				"honest calls failed after the attack: " + this.afterwards.firstFailure());
		addIf(reasons, this.during.max() > LONGEST_CALL_MILLIS, "an honest call took over a second");
		double least = this.scenario.equals(COLLECTING) ? LONGEST_CALL_MILLIS : LEAST_P99_MILLIS;
		addIf(reasons, this.during.p99() > Math.max(TIMES_QUIET * this.quiet.p99(), least),
				"the median p99 is over five times the quiet one, and over %.0f ms".formatted(least));
		addIf(reasons, this.lostConnections > 0, "the honest client lost its connection");
		addIf(reasons, this.mostLines > VictimProcess.MOST_LINES,
				this.mostLines + " lines about connections in a second of the victim's log");
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
				"| %s | %s | %.1f, %.1f | %.2f, %.0f | %d, %d of %d | %d of %d, %.0f | %d of %d, %.0f | %s | %d | %s, %d | %s |%n",
				this.scenario, reasons().isEmpty() ? "held" : "FAILED", this.quiet.p99(), this.during.p99(),
				this.during.p50(), this.during.max(), this.during.failed() + this.afterwards.failed(),
				this.during.wrong() + this.afterwards.wrong(), this.during.calls() + this.afterwards.calls(),
				this.large.failed(), this.large.calls(), this.large.p99(), this.newcomers.failed(),
				this.newcomers.calls(), this.newcomers.max(), memory, this.recovery.millis(),
				(after == null) ? "?" : after.lostSince(this.before).size(), this.outOfMemory, this.attack);
	}

	String describe() {
		String newcomer = this.newcomers.firstFailure().isEmpty() ? ""
				: "  (the first failed newcomer: %s)%n".formatted(this.newcomers.firstFailure());
		return row() + newcomer + String.join("\n", reasons().stream().map((each) -> "  - " + each).toList());
	}

}
