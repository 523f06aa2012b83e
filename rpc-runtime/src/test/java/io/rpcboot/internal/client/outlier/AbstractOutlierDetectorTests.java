package io.rpcboot.internal.client.outlier;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.rpcboot.internal.client.outlier.InstanceOutlierStats.Phase;
import io.rpcboot.resilience.EjectionOptions;

import static org.assertj.core.api.Assertions.assertThat;

/** Instances whose calls go as each test says, and a clock that moves by looks. */
abstract class AbstractOutlierDetectorTests {

	private static final int METHODS = 2;

	private static final double MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	final List<String> events = new ArrayList<>();

	private final OutlierDetector.Listener listener = new OutlierDetector.Listener() {

		@Override
		public void left(InstanceOutlierStats instance) {
			AbstractOutlierDetectorTests.this.events
				.add("left " + AbstractOutlierDetectorTests.this.all.indexOf(instance));
		}

		@Override
		public void isBack(InstanceOutlierStats instance) {
			AbstractOutlierDetectorTests.this.events
				.add("back " + AbstractOutlierDetectorTests.this.all.indexOf(instance));
		}

	};

	List<InstanceOutlierStats> all = List.of();

	OutlierDetector ejection = new OutlierDetector(EjectionOptions.defaults(), () -> 0,
			(method) -> "m" + method + "()");

	long now;

	/** Calls of the next look, by instance. */
	private List<Runnable> calls = new ArrayList<>();

	final void instances(int count) {
		this.all = IntStream.range(0, count).mapToObj((i) -> new InstanceOutlierStats(METHODS)).toList();
	}

	final void options(EjectionOptions options) {
		this.ejection = new OutlierDetector(options, () -> 0, (method) -> "m" + method + "()");
	}

	/** Calls of a method end before the next look. */
	final void end(int instance, int method, int calls, int failures, double millis) {
		long logarithm = FixedPointLog2.of((long) (millis * MILLI));
		this.calls.add(() -> this.all.get(instance)
			.add(method, calls, failures, calls - failures, (calls - failures) * logarithm,
					(failures == calls) ? failures : 0));
	}

	/** Calls of a method are answered by other instances before the next look. */
	final void answeredElsewhere(int instance, int method, int calls, double millis) {
		long logarithm = FixedPointLog2.of((long) (millis * MILLI));
		this.calls.add(() -> this.all.get(instance).add(method, 0, 0, calls, calls * logarithm, 0));
	}

	/** Calls of a method are under way at the next look. */
	final void overdue(int instance, int method, int calls, double millis) {
		long logarithm = FixedPointLog2.of((long) (millis * MILLI));
		this.calls.add(() -> this.all.get(instance).addOverdue(method, calls, calls * logarithm));
	}

	final boolean look() {
		this.now += OutlierDetector.LOOK_NANOS;
		double kept = this.ejection.kept(this.now);
		this.all.forEach((each) -> each.fade(kept));
		this.calls.forEach(Runnable::run);
		this.calls = new ArrayList<>();
		return this.ejection.look(this.all, this.now, this.listener);
	}

	/** Looks with the same calls each time, until something happens or for so long. */
	final int looksUntilEvent(int most, Runnable calls) {
		int before = this.events.size();
		for (int look = 1; look <= most; look++) {
			calls.run();
			look();
			if (this.events.size() > before) {
				return look;
			}
		}
		return -1;
	}

	final void allGood(int calls) {
		for (int i = 0; i < this.all.size(); i++) {
			end(i, 0, calls, 0, 2);
		}
	}

	final Phase phase(int instance) {
		return this.all.get(instance).phase();
	}

	final void eject() {
		instances(3);
		assertThat(looksUntilEvent(4, () -> {
			allGood(25);
			end(0, 0, 25, 25, 2);
		})).isPositive();
	}

	final int looksUntil(Phase phase) {
		int looks = 0;
		while (phase(0) != phase) {
			end(1, 0, 25, 0, 2);
			end(2, 0, 25, 0, 2);
			look();
			assertThat(++looks).isLessThan(1000);
		}
		return looks;
	}

	final void probe(int failures, double millis) {
		assertThat(this.all.get(0).wantsProbe()).isTrue();
		this.all.get(0).probed(this.now);
		assertThat(this.all.get(0).wantsProbe()).as("while one goes").isFalse();
		end(0, 0, 1, failures, millis);
		end(1, 0, 25, 0, 2);
		end(2, 0, 25, 0, 2);
		look();
	}

	final void probes(int count, double millis) {
		for (int i = 0; i < count; i++) {
			probe(0, millis);
		}
	}

}
