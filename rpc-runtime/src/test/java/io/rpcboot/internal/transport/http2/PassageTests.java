package io.rpcboot.internal.transport.http2;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PassageTests {

	private final AtomicLong load = new AtomicLong();

	private int window;

	private int memory;

	private final AtomicInteger woken = new AtomicInteger();

	private Passage passage(boolean keeps) {
		return new Passage((taken, freed) -> {
			this.window += taken;
			this.memory += freed;
		}, keeps);
	}

	private static PassedPart data(int length) {
		return PassedPart.data(new byte[length], 0, length);
	}

	private static PassedPart taken(Passage passage) {
		PassedPart part = passage.next();
		passage.taken(part);
		return part;
	}

	@Test
	void receiver_isWoken_onceItHasFoundNothing() {
		Passage passage = passage(false);
		passage.add(data(1));
		passage.attach(this.woken::incrementAndGet, this.load);
		assertThat(this.woken).hasValue(0);
		assertThat(passage.next().length()).isEqualTo(1);
		assertThat(passage.next()).isNull();
		passage.add(data(2));
		passage.add(data(3));
		assertThat(this.woken).hasValue(1);
		assertThat(passage.next().length()).isEqualTo(2);
		assertThat(passage.next().length()).isEqualTo(3);
		passage.add(data(4));
		assertThat(this.woken).as("it asks again").hasValue(1);
	}

	@Test
	void windowAndMemory_comeBack_whenBytesAreTaken() {
		Passage passage = passage(false);
		passage.add(data(100));
		PassedPart part = passage.next();
		assertThat(this.window + this.memory).isZero();
		passage.taken(part);
		assertThat(this.window).isEqualTo(100);
		assertThat(this.memory).isEqualTo(100);
	}

	@Test
	void window_comesBackInSteps_whileOthersWait() {
		Passage passage = passage(false);
		for (int i = 0; i < 4; i++) {
			passage.add(data(5000));
		}
		taken(passage);
		assertThat(this.window).isZero();
		taken(passage);
		assertThat(this.window).isEqualTo(10_000);
		taken(passage);
		taken(passage);
		assertThat(this.window).isEqualTo(20_000);
	}

	@Test
	void shortRequest_isSentAgain_withoutWindowForIt() {
		Passage passage = passage(true);
		passage.add(data(100));
		passage.add(PassedPart.end(null));
		passage.attach(this.woken::incrementAndGet, this.load);
		PassedPart first = passage.next();
		assertThat(passage.takesEnd()).isTrue();
		passage.taken(first);
		assertThat(this.memory).as("it is kept").isZero();
		assertThat(passage.mayBeginAgain()).isTrue();
		passage.attach(this.woken::incrementAndGet, this.load);
		assertThat(passage.next()).isSameAs(first);
		passage.taken(first);
		assertThat(passage.next().isBareEnd()).isTrue();
		assertThat(this.load).hasValue(100);
		passage.close();
		assertThat(this.memory).isEqualTo(100);
		assertThat(this.window).isEqualTo(100);
		assertThat(this.load).hasValue(0);
	}

	@Test
	void longRequest_isNotKept() {
		Passage passage = passage(true);
		for (int i = 0; i < 3; i++) {
			passage.add(data(8000));
		}
		taken(passage);
		taken(passage);
		assertThat(passage.mayBeginAgain()).isTrue();
		taken(passage);
		assertThat(passage.mayBeginAgain()).isFalse();
		assertThat(this.memory).isEqualTo(24_000);
		assertThat(this.window).isEqualTo(24_000);
	}

	@Test
	void keptRequest_isFree_onceResponseBegins() {
		Passage passage = passage(true);
		passage.add(data(100));
		taken(passage);
		assertThat(this.memory).isZero();
		passage.keepNoMore();
		assertThat(this.memory).isEqualTo(100);
		assertThat(passage.mayBeginAgain()).isFalse();
	}

	@Test
	void closedPassage_freesAll_once() {
		Passage passage = passage(true);
		passage.add(data(100));
		passage.add(data(50));
		PassedPart part = passage.next();
		passage.close();
		passage.close();
		passage.taken(part);
		assertThat(this.memory).isEqualTo(150);
		assertThat(passage.add(data(1))).isFalse();
		assertThat(passage.next()).isNull();
		assertThat(this.memory).isEqualTo(150);
	}

	@Test
	void end_followsDataThatIsWhole() {
		Passage passage = passage(false);
		passage.add(data(1));
		assertThat(passage.takesEnd()).isFalse();
		passage.next();
		assertThat(passage.takesEnd()).isFalse();
		passage.add(PassedPart.end(null));
		assertThat(passage.takesEnd()).isTrue();
		assertThat(passage.next()).isNull();
	}

}
