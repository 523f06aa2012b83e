package io.rpcboot.benchmarks.streams;

import java.io.ByteArrayInputStream;
import java.io.IOException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests of {@link Elements}.
 */
class ElementsTests {

	@Test
	void element_isCheckedAtItsEnds() {
		byte[] element = Elements.of(100);
		assertThat(Elements.check(element)).isEqualTo(100);
		element[99] = 0;
		assertThatThrownBy(() -> Elements.check(element)).isInstanceOf(IllegalStateException.class);
	}

	@Test
	void file_hasItsLengthAndIsChecked() throws IOException {
		assertThat(Elements.readAll(Elements.stream(200_001))).isEqualTo(200_001);
		assertThatThrownBy(() -> Elements.readAll(new ByteArrayInputStream(new byte[10])))
			.isInstanceOf(IllegalStateException.class);
	}

}
