package io.rpcboot.metrics.micrometer;

import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Distribution of values: a summary, a timer, or none if the registry rejected both.
 * Never throws. Any thread.
 */
final class Samples {

	private final Meters meters;

	private final @Nullable DistributionSummary summary;

	private final @Nullable Timer timer;

	Samples(Meters meters, @Nullable DistributionSummary summary, @Nullable Timer timer) {
		this.meters = meters;
		this.summary = summary;
		this.timer = timer;
	}

	/** Adds a value, in nanoseconds for a timer. */
	void add(long value) {
		try {
			if (this.summary != null) {
				this.summary.record(value);
			}
			else if (this.timer != null) {
				this.timer.record(value, TimeUnit.NANOSECONDS);
			}
		}
		catch (RuntimeException | LinkageError ex) {
			this.meters.failed(ex);
		}
	}

}
