package io.rpcboot.internal.limit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SharesTests {

	@ParameterizedTest
	@CsvSource({ "0, 1", "1, 1", "2, 1", "3, 2", "4, 3", "5, 3", "200, 150", "4096, 3072" })
	void share_isThreeQuarters_andLeavesOneOfTwo(long limit, long most) {
		assertThat(Shares.most(limit)).isEqualTo(most);
	}

}
