package io.rpcboot.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The public API is what {@code config/api} lists, a file for each module, so that each
 * change of it is seen. With {@code -Drenew=true} the files are written anew.
 */
@Tag("structure")
class PublicApiListTests {

	private static final Path LISTS = Path.of("..", "config", "api");

	private final MainCode code = MainCode.read();

	@ParameterizedTest
	@ValueSource(strings = { "rpc-api", "rpc-grpc", "rpc-runtime", "rpc-spring-boot-autoconfigure",
			"rpc-spring-boot-starter-test" })
	void publicApi_equalsList(String module) throws IOException {
		Path list = LISTS.resolve(module + ".txt");
		String now = text(module);
		assertThat(now).as("types are found").contains("public ");
		if (Boolean.getBoolean("renew")) {
			Files.writeString(list, now);
			return;
		}
		assertThat(now)
			.as("the public API has changed: say so in the commit, and mvn -pl rpc-runtime -am test"
					+ " -Dtest=PublicApiListTests -Drenew=true -Dsurefire.failIfNoSpecifiedTests=false writes %s anew",
					list)
			.isEqualTo(Files.readString(list));
	}

	@Test
	void publicSignatures_nameNoInternalType() {
		assertThat(this.code.api().internalUses()).isEmpty();
	}

	@Test
	void apiTypes_nameTheirFirstVersion() {
		assertThat(this.code.api().withoutSince()).filteredOn((type) -> isOf("rpc-api", type)).isEmpty();
	}

	private String text(String module) {
		return this.code.api()
			.types()
			.entrySet()
			.stream()
			.filter((type) -> isOf(module, type.getKey()))
			.map((type) -> String.join("\n", type.getValue()))
			.collect(Collectors.joining("\n\n", "", "\n"));
	}

	/** Returns true if the type, or the type around it, has a file in the module. */
	private boolean isOf(String module, String type) {
		String path = module + "/src/main/java/" + type.replace('.', '/');
		while (path.length() > module.length()) {
			if (this.code.paths().contains(path + ".java")) {
				return true;
			}
			path = path.substring(0, path.lastIndexOf('/'));
		}
		return false;
	}

}
