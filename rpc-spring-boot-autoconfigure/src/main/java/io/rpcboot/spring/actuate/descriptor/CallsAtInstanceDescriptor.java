package io.rpcboot.spring.actuate.descriptor;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo.Calls;
import org.jspecify.annotations.Nullable;

/**
 * Calls at an instance that have ended in the last 30 to 60 seconds, as this client sees
 * them.
 *
 * @param callsPerSecond rate of calls
 * @param p50Millis median, with an error of at most 9 %; 0 without calls. Of several
 * references that of the one with the most calls
 * @param p99Millis 99th percentile of the same
 * @param failures number of failed calls by status
 * @since 0.1.0
 */
public record CallsAtInstanceDescriptor(double callsPerSecond, double p50Millis, double p99Millis,
		Map<RpcStatus, Long> failures) {

	/**
	 * Combines the calls of several references; null if none counts its calls yet.
	 */
	public static @Nullable CallsAtInstanceDescriptor of(Collection<@Nullable Calls> each) {
		List<Calls> all = each.stream().filter(Objects::nonNull).map(Objects::requireNonNull).toList();
		Calls most = all.stream().max(Comparator.comparingLong(Calls::ended)).orElse(null);
		if (most == null) {
			return null;
		}
		Map<RpcStatus, Long> failures = new TreeMap<>();
		all.forEach((calls) -> calls.failures().forEach((status, count) -> failures.merge(status, count, Long::sum)));
		return new CallsAtInstanceDescriptor(
				MethodStatsDescriptor.rate(all.stream().mapToDouble(Calls::perSecond).sum()),
				Formats.millis(most.p50Nanos()), Formats.millis(most.p99Nanos()), failures);
	}

}
