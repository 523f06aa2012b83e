package io.rpcboot.test.shop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.rpcboot.serialization.protobuf.ContractFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static io.rpcboot.test.RpcContractAssert.assertThatContract;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The first test is the one of docs/grpc.md, whose file is among the resources. */
public class RpcContractAssertTests {

	@TempDir
	private Path folder;

	@Test
	void contract_isUpToDate() {
		assertThatContract(Stock.class).isUpToDate();
	}

	/** A service with a class. */
	public interface Prices {

		Price of(String article);

		record Price(long cents) {
		}

	}

	@Test
	void outdatedContract_fails_withTheLinesToWrite() throws IOException {
		ContractFiles files = ContractFiles.of(Prices.class).in(this.folder);
		String line = Prices.class.getName() + "$Price cents=1";
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThatContract(files).isUpToDate())
			.withMessageContaining("META-INF/rpc/protobuf.lock: add '%s'".formatted(line))
			.withMessageContaining("services.proto: missing")
			.withMessageContaining("write the files with the main class " + ContractFiles.class.getName());
		files.write();
		assertThatContract(files).isUpToDate();
		Path lock = this.folder.resolve("META-INF/rpc/protobuf.lock");
		assertThat(lock).content().contains(line);
		Files.writeString(lock, line + " currency=2");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThatContract(files).isUpToDate())
			.withMessageContaining("replace '%s currency=2' by '%1$s reserved=2'".formatted(line));
	}

}
