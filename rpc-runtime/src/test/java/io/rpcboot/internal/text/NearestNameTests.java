package io.rpcboot.internal.text;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class NearestNameTests {

	private static final List<String> NAMES = List.of("GetUser", "GetUsers", "Get", "SaveUser", "ListAllUsersOfGroup");

	@ParameterizedTest
	@CsvSource(value = { "GetUser, GetUser", "getuser, GetUser", "GetUsr, GetUser", "GtUser, GetUser",
			"GetUsersX, GetUsers", "XGetUser, GetUser", "get, Get", "Gat, null", "SafeUser, SaveUser",
			"SafeUsr, SaveUser", "Delete, null", "ListUsersOfGroup, ListAllUsersOfGroup",
			"ListAllUsersOfGrooop, ListAllUsersOfGroup", "XXXXListAllUsersOfGroup, null", "'', null", "U, null" },
			nullValues = "null")
	void name_isFound_withFewErrors(String name, String nearest) {
		assertThat(NearestName.of(name, NAMES)).isEqualTo(nearest);
	}

	@Test
	void distance_isExact_nearTheEndsOfTheBand() {
		List<String> names = List.of("abcdefghijklmnop");
		assertThat(NearestName.of("abcdefghijklm", names)).isEqualTo(names.get(0));
		assertThat(NearestName.of("defghijklmnop", names)).isEqualTo(names.get(0));
		assertThat(NearestName.of("xyzabcdefghijklmnop", names)).isEqualTo(names.get(0));
		assertThat(NearestName.of("abcdefghijkl", names)).isNull();
		assertThat(NearestName.of("efghijklmnop", names)).isNull();
		assertThat(NearestName.of("wxyzabcdefghijklmnop", names)).isNull();
		assertThat(NearestName.of("bcdefghijklmnopq", names)).isEqualTo(names.get(0));
	}

}
