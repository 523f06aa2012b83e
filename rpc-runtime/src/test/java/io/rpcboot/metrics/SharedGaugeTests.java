package io.rpcboot.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SharedGaugeTests {

	@Test
	void sharedPart_isAddedOnce_whenRegisteredTwice() throws Exception {
		SharedGauge level = new SharedGauge(false);
		LongSupplier shared = () -> 5;
		AutoCloseable first = level.add(shared);
		AutoCloseable second = level.add(shared);
		level.add(() -> 7);
		assertThat(level.sum()).isEqualTo(12);
		assertThat(level.least()).isEqualTo(5);
		first.close();
		first.close();
		assertThat(level.sum()).as("offered by the other").isEqualTo(12);
		second.close();
		assertThat(level.sum()).isEqualTo(7);
		assertThat(level.least()).isEqualTo(7);
	}

	@Test
	void gauge_isUnknown_withoutParts() throws Exception {
		SharedGauge level = new SharedGauge(false);
		assertThat(level.isKnown()).isFalse();
		AutoCloseable part = level.add(() -> 5);
		assertThat(level.isKnown()).isTrue();
		part.close();
		assertThat(level.isKnown()).isFalse();
		assertThat(level.sum()).isZero();
		assertThat(level.least()).isZero();
	}

	@Test
	void cumulativeGauge_keepsValueOfRemovedPart() throws Exception {
		SharedGauge level = new SharedGauge(true);
		AtomicLong count = new AtomicLong(3);
		AutoCloseable part = level.add(count::get);
		count.set(8);
		part.close();
		count.set(100);
		assertThat(level.isKnown()).isTrue();
		assertThat(level.sum()).isEqualTo(8);
		level.add(() -> 1);
		assertThat(level.sum()).isEqualTo(9);
	}

	@Test
	void cumulativeGauge_neverDecreases_duringRemoval() throws Exception {
		SharedGauge level = new SharedGauge(true);
		AtomicLong count = new AtomicLong(4);
		AutoCloseable part = level.add(() -> {
			long now = count.get();
			if (now == 4) { // counts on and is read between the two steps of taking it
							// back
				count.set(6);
				assertThat(level.sum()).isEqualTo(6);
			}
			return now;
		});
		part.close();
		assertThat(level.sum()).isEqualTo(6);
	}

}
