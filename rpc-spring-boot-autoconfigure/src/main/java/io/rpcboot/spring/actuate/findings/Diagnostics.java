package io.rpcboot.spring.actuate.findings;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.rpcboot.spring.actuate.descriptor.Finding;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs all checks on a {@link DiagnosticSnapshot}. Each check is a function of the
 * snapshot without state. A check that throws is left out. Thread-safe.
 *
 * @since 0.1.0
 */
public final class Diagnostics {

	/** Most findings of one check: 500 references without an instance are one problem. */
	static final int MOST_OF_A_CHECK = 5;

	/** Most findings of a summary. */
	static final int MOST = 20;

	private static final Logger logger = LoggerFactory.getLogger("rpc.spring");

	/** Checks whose findings are no reason for slow calls. */
	private static final Set<Check> EXPLAINS_NOTHING = EnumSet.of(Check.SLOWER_THAN_USUAL, Check.TAKEN_OUT,
			Check.EXPIRING_CERTIFICATE, Check.UNUSED_BUNDLE);

	/** Checks that have thrown, each logged once. */
	private final Set<Check> failed = ConcurrentHashMap.newKeySet();

	/**
	 * Runs all checks.
	 * @param situation the snapshot
	 */
	public Found of(DiagnosticSnapshot situation) {
		List<Finding> all = new ArrayList<>();
		List<Finding> implied = new ArrayList<>();
		for (Check check : Check.values()) {
			List<Finding> found = run(check, situation);
			all.addAll(limited(found));
			implied.addAll(found.subList(Math.min(MOST_OF_A_CHECK, found.size()), found.size()));
		}
		List<Finding> said = new ArrayList<>();
		all.forEach((each) -> (isSaidBy(each, all) ? implied : said).add(each));
		said.sort(Comparator.comparing(Finding::severity));
		if (said.size() <= MOST) {
			return new Found(said, implied);
		}
		implied.addAll(said.subList(MOST - 1, said.size()));
		return new Found(worst(said), implied);
	}

	private List<Finding> run(Check check, DiagnosticSnapshot situation) {
		try {
			return check.function.apply(situation).stream().map((each) -> each.of(check.name())).toList();
		}
		catch (RuntimeException | LinkageError ex) {
			if (this.failed.add(check)) {
				logger.warn("The check {} fails and is left out of the findings; the other checks run. "
						+ "Further failures of it are not logged", check, ex);
			}
			return List.of();
		}
	}

	/**
	 * Returns true if another finding explains this one. A slow method also fails: the
	 * failures are the more severe problem. Calls expire while they wait for threads,
	 * memory, permits or an instance. Event loops of the server are blocked by a method
	 * that blocks. Calls are slower than usual due to any other problem, except a server
	 * that was taken out on purpose and certificates.
	 */
	private static boolean isSaidBy(Finding finding, List<Finding> all) {
		return switch (Check.valueOf(finding.kind())) {
			case SLOW_METHOD -> all.stream()
				.anyMatch((each) -> is(each, Check.FAILING_METHOD) && Objects.equals(each.link(), finding.link()));
			case EXPIRED_CALLS -> all.stream()
				.anyMatch((each) -> is(each, Check.LIMITED_THREADS) || is(each, Check.FULL_MEMORY)
						|| is(each, Check.FULL_CLIENT) || is(each, Check.NO_INSTANCE));
			case BLOCKED_LOOPS -> String.valueOf(finding.property()).startsWith("rpc.server.")
					&& all.stream().anyMatch((each) -> is(each, Check.BLOCKING_METHOD));
			case SLOWER_THAN_USUAL -> all.stream()
				.map((each) -> Check.valueOf(each.kind()))
				.anyMatch((each) -> !EXPLAINS_NOTHING.contains(each));
			default -> false;
		};
	}

	private static boolean is(Finding finding, Check check) {
		return finding.kind().equals(check.name());
	}

	private static List<Finding> worst(List<Finding> sorted) {
		List<Finding> result = new ArrayList<>(sorted.subList(0, MOST - 1));
		result.add(
				Finding
					.note("%d more findings are left out.".formatted(sorted.size() - result.size()), null,
							"Fix the worst first.")
					.of("LEFT_OUT"));
		return result;
	}

	private static List<Finding> limited(List<Finding> found) {
		if (found.size() <= MOST_OF_A_CHECK) {
			return found;
		}
		Finding last = found.get(MOST_OF_A_CHECK - 1);
		List<Finding> result = new ArrayList<>(found.subList(0, MOST_OF_A_CHECK - 1));
		result.add(new Finding(last.kind(), last.severity(),
				"%s And %d more like it.".formatted(last.text(), found.size() - MOST_OF_A_CHECK), last.property(),
				last.advice(), last.link(), null));
		return result;
	}

	/** The checks. Among findings of one severity causes come before their effects. */
	private enum Check {

		LOST_REGISTRY(DependencyChecks::lostRegistry),

		NO_INSTANCE(DependencyChecks::withoutInstance),

		EXPIRING_CERTIFICATE(CertificateChecks::expiring),

		UNUSED_BUNDLE(CertificateChecks::unusedBundle),

		TAKEN_OUT(DependencyChecks::takenOut),

		REFUSED_METHODS(DependencyChecks::incompatible),

		FROZEN_INSTANCE(DependencyChecks::frozen),

		EJECTED_INSTANCE(DependencyChecks::ejected),

		SLOW_INSTANCE(DependencyChecks::slow),

		UNREACHABLE_INSTANCE(DependencyChecks::unreachable),

		USED_UP_POOL(CapacityChecks::usedUpPool),

		LIMITED_THREADS(QueueingChecks::limitedThreads),

		FULL_MEMORY(CapacityChecks::fullAccount),

		BLOCKED_LOOPS(QueueingChecks::blockedLoops),

		BUSY_LOOPS(CapacityChecks::busyLoops),

		BLOCKING_METHOD(LatencyChecks::blockingLoop),

		FULL_CLIENT(CapacityChecks::fullClient),

		FLOOD(CapacityChecks::flood),

		AWAITED_GRANTS(QueueingChecks::awaitedGrants),

		BATCHING_OFF(BatchingChecks::batchingOff),

		LOST_CALLS(DroppedCallChecks::lost),

		DROPPED_CALLS(DroppedCallChecks::dropped),

		EXPIRED_CALLS(DroppedCallChecks::expired),

		NO_HISTORY(BatchingChecks::noHistory),

		FAILING_METHOD(ErrorChecks::failing),

		DENIED_RETRIES(ErrorChecks::deniedRetries),

		SLOW_METHOD(LatencyChecks::slow),

		SLOWER_THAN_USUAL(QueueingChecks::slowerThanUsual);

		private final Function<DiagnosticSnapshot, List<Finding>> function;

		Check(Function<DiagnosticSnapshot, List<Finding>> function) {
			this.function = function;
		}

	}

	/**
	 * Result of all checks.
	 *
	 * @param said findings to show, worst first
	 * @param implied findings that follow from others, or are beyond the limits
	 */
	record Found(List<Finding> said, List<Finding> implied) {
	}

}
