package io.rpcboot.spring.actuate.findings;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.rpcboot.spring.actuate.descriptor.Finding;
import io.rpcboot.spring.actuate.descriptor.Finding.Ended;
import io.rpcboot.spring.actuate.descriptor.Formats;
import io.rpcboot.spring.actuate.findings.Diagnostics.Found;

/**
 * Remembers when each finding began, and findings that are over: operators often look
 * after a problem has ended. Thread-safe.
 *
 * @since 0.1.0
 */
public final class FindingHistory {

	/** Time for which ended findings are kept. */
	static final Duration MEMORY = Duration.ofMinutes(15);

	/** Longest interruption after which a finding continues. */
	static final Duration GAP = Duration.ofMinutes(1);

	/** Most ended findings that are shown. */
	static final int MOST_ENDED = 10;

	/** Most findings that are kept, the latest. */
	private static final int MOST = 200;

	private final Map<String, Trouble> troubles = new LinkedHashMap<>();

	/**
	 * Records the findings of a run.
	 * @param found all findings
	 * @param now time of the run
	 * @return the findings to show, each with its start
	 */
	public synchronized List<Finding> record(Found found, Instant now) {
		long at = now.toEpochMilli();
		List<Finding> result = found.said().stream().map((each) -> remember(each, at)).toList();
		found.implied()
			.stream()
			.filter((each) -> this.troubles.containsKey(key(each)))
			.forEach((each) -> remember(each, at));
		this.troubles.values().removeIf((each) -> each.seen() < at - MEMORY.toMillis());
		while (this.troubles.size() > MOST) {
			this.troubles.remove(this.troubles.keySet().iterator().next());
		}
		return result;
	}

	/** Returns findings of before a run that it did not find, latest first. */
	public synchronized List<Ended> ended(Instant run) {
		return this.troubles.values()
			.stream()
			.filter((each) -> each.seen() < run.toEpochMilli())
			.sorted(Comparator.comparing(Trouble::seen).reversed())
			.limit(MOST_ENDED)
			.map(Trouble::end)
			.toList();
	}

	/** Records a finding. Entries are kept in the order of their last detection. */
	private Finding remember(Finding finding, long at) {
		String key = key(finding);
		Trouble before = this.troubles.remove(key);
		long since = Objects.requireNonNullElse(finding.since(), at);
		if (before != null && at - before.seen() <= GAP.toMillis()) {
			since = Math.min(since, before.since());
		}
		Finding known = finding.since(since);
		this.troubles.put(key, new Trouble(known, since, at));
		return known;
	}

	private static String key(Finding finding) {
		return finding.kind() + " " + finding.property() + " " + finding.link();
	}

	/**
	 * A recorded finding.
	 *
	 * @param last its latest form
	 * @param since when it was found first
	 * @param seen when it was found last
	 */
	private record Trouble(Finding last, long since, long seen) {

		Ended end() {
			return new Ended(this.last.kind(), this.last.severity(), Formats.brief(this.last.text()), this.last.link(),
					this.since, this.seen);
		}

	}

}
