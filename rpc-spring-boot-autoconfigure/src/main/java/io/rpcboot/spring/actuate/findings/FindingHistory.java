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
 * Remembers since when something is found, and what is found no longer: who is called to
 * a trouble often comes when it is over. Thread-safe.
 */
public final class FindingHistory {

	/** What is found no longer is remembered for so long. */
	static final Duration MEMORY = Duration.ofMinutes(15);

	/** What comes back within this time has not been away. */
	static final Duration GAP = Duration.ofMinutes(1);

	/** Most of those that are shown. */
	static final int MOST_ENDED = 10;

	/** Most that are remembered, the latest. */
	private static final int MOST = 200;

	private final Map<String, Trouble> troubles = new LinkedHashMap<>();

	/**
	 * Somebody has looked.
	 * @param found all that was found
	 * @param now when
	 * @return what is said, each with the time since
	 */
	public synchronized List<Finding> look(Found found, Instant now) {
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

	/** What was found before a look, but not at it; what was there last comes first. */
	public synchronized List<Ended> ended(Instant look) {
		return this.troubles.values()
			.stream()
			.filter((each) -> each.seen() < look.toEpochMilli())
			.sorted(Comparator.comparing(Trouble::seen).reversed())
			.limit(MOST_ENDED)
			.map(Trouble::end)
			.toList();
	}

	/** Whoever was seen last is last. */
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
	 * What is remembered of a trouble.
	 *
	 * @param last how it was found last
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
