package io.rpcboot.internal.client.outlier;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.rpcboot.internal.client.outlier.InstanceOutlierStats.Phase;
import io.rpcboot.resilience.EjectionOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class OutlierDetectorTests extends AbstractOutlierDetectorTests {

	@Test
	void instance_isEjectedAtOnce_afterFailureStreak() {
		instances(3);
		looksUntilEvent(20, () -> allGood(25));
		assertThat(this.events).isEmpty();
		assertThat(looksUntilEvent(1, () -> {
			end(0, 0, 25, 25, 0.1);
			end(1, 0, 25, 0, 2);
			end(2, 0, 25, 0, 2);
		})).isOne();
		assertThat(this.events).containsExactly("left 0");
		assertThat(phase(0)).isEqualTo(Phase.OUT);
		assertThat(this.all.get(0).why()).isEqualTo("the last 25 calls of m0() failed, elsewhere 0 % do");
		assertThat(this.all.get(0).share(this.now)).isZero();
	}

	@Test
	void halfFailingInstance_isEjected_within3sWithFewCalls() {
		instances(3);
		int looks = looksUntilEvent(12, () -> {
			end(0, 0, 6, 3, 2);
			end(1, 0, 6, 0, 2);
			end(2, 0, 6, 0, 2);
		});
		assertThat(looks).isBetween(1, 12);
		assertThat(this.all.get(0).why()).contains("50 % of its calls fail, elsewhere 0 %");
	}

	@Test
	void instances_areKept_whenMethodFailsEverywhere() {
		instances(5);
		assertThat(looksUntilEvent(100, () -> {
			for (int i = 0; i < 5; i++) {
				end(i, 0, 10, 10, 2);
				end(i, 1, 10, 0, 2);
			}
		})).isNegative();
	}

	/** It gets more of those calls than others do. */
	@Test
	void instance_isKept_whenItGetsMostCallsOfFailingMethod() {
		instances(3);
		assertThat(looksUntilEvent(40, () -> {
			end(0, 0, 50, 50, 2);
			end(0, 1, 1, 0, 2);
			for (int i = 1; i < 3; i++) {
				end(i, 0, 4, 4, 2);
				end(i, 1, 40, 0, 2);
			}
		})).isNegative();
	}

	@Test
	void instance_isKept_whenOnlyItReceivesFailingMethod() {
		instances(3);
		assertThat(looksUntilEvent(40, () -> {
			end(0, 1, 20, 20, 2);
			end(1, 0, 20, 0, 2);
			end(2, 0, 20, 0, 2);
		})).isNegative();
	}

	@Test
	void randomFailures_ejectNoInstance() {
		instances(5);
		java.util.Random random = new java.util.Random(7);
		assertThat(looksUntilEvent(10_000, () -> {
			for (int i = 0; i < 5; i++) {
				int failures = (int) IntStream.range(0, 10).filter((call) -> random.nextDouble() < 0.05).count();
				end(i, 0, 10, failures, 2 * Math.exp(random.nextGaussian()));
			}
		})).isNegative();
	}

	@Test
	void slowInstance_isEjected_within3s() {
		instances(3);
		looksUntilEvent(20, () -> allGood(25));
		int looks = looksUntilEvent(12, () -> {
			end(0, 0, 25, 0, 200);
			end(1, 0, 25, 0, 2);
			end(2, 0, 25, 0, 2);
		});
		assertThat(looks).isBetween(1, 12);
		assertThat(this.all.get(0).why()).startsWith("a typical call takes ").endsWith("ms, elsewhere 2.0 ms");
	}

	@Test
	void slowness_isComparedByMethod() {
		instances(3);
		assertThat(looksUntilEvent(40, () -> {
			end(0, 1, 25, 0, 300); // the slow method
			for (int i = 1; i < 3; i++) {
				end(i, 0, 25, 0, 1);
				end(i, 1, 2, 0, 300);
			}
		})).as("that one has the slow calls").isNegative();
	}

	@Test
	void singleLongCall_ejectsNoInstance() {
		instances(3);
		looksUntilEvent(4, () -> allGood(10));
		assertThat(looksUntilEvent(1, () -> end(0, 0, 1, 0, 30_000))).isNegative();
	}

	@Test
	void negligibleLatencyDifference_ejectsNoInstance() {
		instances(3);
		assertThat(looksUntilEvent(40, () -> {
			end(0, 0, 25, 0, 1);
			end(1, 0, 25, 0, 0.05);
			end(2, 0, 25, 0, 0.05);
		})).isNegative();
	}

	@Test
	void slowInstance_isKept_whenItIsOneOfTwo() {
		instances(2);
		assertThat(looksUntilEvent(40, () -> {
			end(0, 0, 25, 0, 500);
			end(1, 0, 25, 0, 2);
		})).isNegative();
		assertThat(looksUntilEvent(40, () -> {
			end(0, 0, 25, 25, 2);
			end(1, 0, 25, 0, 2);
		})).isPositive();
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 10 })
	void ejection_isLimitedTo30PercentAndAtLeastOne(int count) {
		instances(count);
		looksUntilEvent(1, () -> {
			end(0, 0, 100, 0, 2);
			for (int i = 1; i < count; i++) {
				end(i, 0, 20, 10, 2);
			}
		});
		for (int i = 0; i < 20; i++) {
			end(0, 0, 100, 0, 2);
			for (int j = 1; j < count; j++) {
				end(j, 0, 20, (j <= count / 2) ? 10 : 0, 2);
			}
			look();
		}
		assertThat(this.all.stream().filter(InstanceOutlierStats::isOut)).hasSize(Math.max(1, count * 3 / 10));
	}

	@Test
	void disabledDetector_ejectsNoInstance() {
		options(EjectionOptions.defaults().withEnabled(false));
		instances(3);
		assertThat(looksUntilEvent(10, () -> {
			end(0, 0, 25, 25, 2);
			end(1, 0, 25, 0, 2);
		})).isNegative();
	}

	@Test
	void ejectedInstance_returnsGradually_afterFiveGoodProbes() {
		eject();
		assertThat(looksUntil(Phase.PROBING)).as("a second").isEqualTo(4);
		probes(4, 2);
		assertThat(this.events).containsExactly("left 0");
		probe(0, 2);
		assertThat(phase(0)).isEqualTo(Phase.RETURNING);
		assertThat(this.events).containsExactly("left 0", "back 0");
		double share = this.all.get(0).share(this.now);
		assertThat(share).isBetween(0.05, 0.2);
		assertThat(look()).as("the list has another weight").isTrue();
		assertThat(this.all.get(0).share(this.now)).isGreaterThan(share);
		assertThat(looksUntil(Phase.IN)).isEqualTo(11);
		assertThat(this.all.get(0).share(this.now)).isOne();
	}

	@Test
	void pauses_growToThirdOfElapsedTimeUpToMaximum() {
		options(EjectionOptions.defaults().withPauses(Duration.ofSeconds(1), Duration.ofSeconds(10)));
		eject();
		long begin = this.now;
		int last = 0;
		for (int i = 0; i < 30; i++) {
			int looks = looksUntil(Phase.PROBING);
			long pause = looks * OutlierDetector.LOOK_NANOS;
			assertThat(looks).isGreaterThanOrEqualTo(last);
			assertThat(pause).isLessThanOrEqualTo(
					Math.max(TimeUnit.SECONDS.toNanos(1), (this.now - begin) / 3) + OutlierDetector.LOOK_NANOS);
			last = looks;
			probe(1, 2);
			assertThat(phase(0)).isEqualTo(Phase.OUT);
		}
		assertThat(last).as("ten seconds").isEqualTo(40);
		assertThat(this.events).as("one line").containsExactly("left 0");
	}

	@Test
	void frozenInstance_isProbed_beforeItReturns() {
		instances(3);
		InstanceOutlierStats still = this.all.get(0);
		this.ejection.standsStill(still, this.now);
		assertThat(still.isOut()).isTrue();
		assertThat(still.why()).isEqualTo("it stood still");
		probe(0, 2);
		assertThat(still.isProbedWell()).isTrue();
		probes(4, 2);
		assertThat(phase(0)).isEqualTo(Phase.RETURNING);
		assertThat(this.events).containsExactly("back 0");
		this.ejection.standsStill(still, this.now);
		probe(0, 800);
		assertThat(phase(0)).as("a slow way is no way").isEqualTo(Phase.OUT);
	}

	/** All calls may be one-way. */
	@Test
	void frozenInstance_returns_withoutProbes() {
		instances(3);
		InstanceOutlierStats still = this.all.get(0);
		this.ejection.standsStill(still, this.now);
		look();
		this.ejection.standsStill(still, this.now);
		this.now += TimeUnit.MINUTES.toNanos(1); // without a connection
		assertThat(looksUntil(Phase.RETURNING)).as("5 s since it was heard").isEqualTo(20);
		assertThat(this.events).containsExactly("back 0");
		assertThat(still.share(this.now)).isLessThan(0.2);
		assertThat(looksUntil(Phase.IN)).isEqualTo(12);
	}

	@Test
	void frozenInstance_waitsForNextProbe_beforeItReturns() {
		instances(3);
		InstanceOutlierStats still = this.all.get(0);
		this.ejection.standsStill(still, this.now);
		for (int i = 0; i < 4; i++) {
			for (int j = 0; j < 19; j++) {
				look();
			}
			probe(0, 2);
		}
		still.probed(this.now);
		assertThat(looksUntil(Phase.RETURNING)).as("of one nothing is heard, and none comes").isEqualTo(40);
	}

	@Test
	void ejectedInstance_staysOut_untilProbed() {
		eject();
		looksUntil(Phase.PROBING);
		for (int i = 0; i < 100; i++) {
			look();
		}
		assertThat(phase(0)).isEqualTo(Phase.PROBING);
	}

	/** The reference has no calls, another one to the same service has. */
	@Test
	void unprobedInstance_returns_whenCallsOfOtherReferencesSucceed() {
		eject();
		looksUntil(Phase.PROBING);
		assertThat(looksUntilEvent(100, () -> allGood(10))).as("after 5 s without a probe").isEqualTo(20);
		assertThat(this.events).containsExactly("left 0", "back 0");
		assertThat(phase(0)).isEqualTo(Phase.RETURNING);
	}

	@ParameterizedTest
	@ValueSource(ints = { 5, 10 })
	void unprobedInstance_staysOut_whileCallsOfOtherReferencesFail(int failures) {
		eject();
		looksUntil(Phase.PROBING);
		assertThat(looksUntilEvent(100, () -> {
			end(0, 0, 10, failures, 2);
			end(1, 0, 10, 0, 2);
			end(2, 0, 10, 0, 2);
		})).isNegative();
		assertThat(this.all.get(0).isOut()).isTrue();
	}

	@Test
	void unprobedInstance_staysOut_whileCallsOfOtherReferencesAreSlow() {
		eject();
		looksUntil(Phase.PROBING);
		assertThat(looksUntilEvent(100, () -> {
			end(0, 0, 10, 0, 200);
			end(1, 0, 10, 0, 2);
			end(2, 0, 10, 0, 2);
		})).isNegative();
	}

	@Test
	void probe_isGood_whenOthersCallsFailAsEverywhere() {
		eject();
		looksUntil(Phase.PROBING);
		for (int i = 0; i < 5; i++) {
			this.all.get(0).probed(this.now);
			for (int j = 0; j < 3; j++) {
				end(j, 0, 100, 2, 2);
			}
			look();
		}
		assertThat(phase(0)).isEqualTo(Phase.RETURNING);
	}

	@Test
	void probe_isBad_whenOthersCallsFailMoreThanElsewhere() {
		eject();
		looksUntil(Phase.PROBING);
		this.all.get(0).probed(this.now);
		end(0, 0, 100, 40, 2);
		end(1, 0, 100, 2, 2);
		end(2, 0, 100, 2, 2);
		look();
		assertThat(phase(0)).isEqualTo(Phase.OUT);
	}

	@Test
	void frozenInstance_returnsAtOnce_whenEjectionIsDisabled() {
		options(EjectionOptions.defaults().withEnabled(false));
		instances(3);
		this.ejection.standsStill(this.all.get(0), this.now);
		assertThat(phase(0)).isEqualTo(Phase.IN);
	}

	@Test
	void slowInstance_returns_afterFastProbes() {
		instances(3);
		assertThat(looksUntilEvent(12, () -> {
			end(0, 0, 25, 0, 200);
			end(1, 0, 25, 0, 2);
			end(2, 0, 25, 0, 2);
		})).isPositive();
		looksUntil(Phase.PROBING);
		probe(0, 200);
		assertThat(phase(0)).isEqualTo(Phase.OUT);
		looksUntil(Phase.PROBING);
		probes(5, 3);
		assertThat(phase(0)).isEqualTo(Phase.RETURNING);
	}

	/** They are sent twice after 20 ms. */
	@Test
	void instance_isSlow_whileOthersAnswerItsCalls() {
		instances(3);
		looksUntilEvent(20, () -> allGood(25));
		assertThat(looksUntilEvent(40, () -> {
			answeredElsewhere(0, 0, 25, 22);
			end(1, 0, 25, 0, 2);
			end(2, 0, 25, 0, 2);
		})).isPositive();
		looksUntil(Phase.PROBING);
		this.all.get(0).probed(this.now);
		answeredElsewhere(0, 0, 1, 22);
		looksUntil(Phase.OUT);
		looksUntil(Phase.PROBING);
		probes(5, 3);
		assertThat(phase(0)).isEqualTo(Phase.RETURNING);
	}

	@Test
	void relapsingInstance_getsPausesAsIfEjectedThroughout() {
		eject();
		long begin = this.now;
		for (int i = 0; i < 20; i++) {
			looksUntil(Phase.PROBING);
			probes(5, 2);
			looksUntil(Phase.IN);
			assertThat(looksUntilEvent(4, () -> {
				allGood(25);
				end(0, 0, 25, 25, 2);
			})).isPositive();
		}
		int looks = looksUntil(Phase.PROBING);
		assertThat(looks * OutlierDetector.LOOK_NANOS).isGreaterThan(Math.min((this.now - begin) / 4, 25_000_000_000L));
	}

	@Test
	void unansweredProbe_isFollowedByAnother() {
		eject();
		looksUntil(Phase.PROBING);
		this.all.get(0).probed(this.now);
		for (int i = 0; i < 19; i++) {
			assertThat(look()).isFalse();
		}
		assertThat(look()).isTrue();
		assertThat(this.all.get(0).wantsProbe()).isTrue();
	}

}
