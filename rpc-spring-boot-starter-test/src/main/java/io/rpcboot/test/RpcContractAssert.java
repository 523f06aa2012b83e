package io.rpcboot.test;

import java.nio.file.Path;
import java.util.List;

import io.rpcboot.serialization.protobuf.ContractFiles;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions about the files of a contract with clients of gRPC: the lock of numbers and
 * the {@code .proto}. Example: <pre class="code">
 * &#064;Test
 * void contract_isUpToDate() {
 * 	assertThatContract(UserService.class).isUpToDate();
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public final class RpcContractAssert extends AbstractAssert<RpcContractAssert, ContractFiles> {

	private RpcContractAssert(ContractFiles files) {
		super(files, RpcContractAssert.class);
	}

	/**
	 * Begins an assertion about the files of services.
	 * @param first an interface of a service, in the module with the files
	 * @param more other interfaces of the same module
	 * @return the assertion
	 */
	public static RpcContractAssert assertThatContract(Class<?> first, Class<?>... more) {
		return assertThatContract(ContractFiles.of(first, more));
	}

	/**
	 * Begins an assertion about files, such as those in another folder.
	 * @param files the files
	 * @return the assertion
	 */
	public static RpcContractAssert assertThatContract(ContractFiles files) {
		return new RpcContractAssert(files);
	}

	/**
	 * Verifies that the files are as {@link ContractFiles#write()} writes them.
	 * @return this assertion
	 * @throws AssertionError with the line of the lock to add, if a field or constant has
	 * no number, or is gone and its number is not reserved
	 * @throws io.rpcboot.RpcConfigurationException if {@code @Tag} moves a number
	 */
	public RpcContractAssert isUpToDate() {
		if (!this.actual.differences().isEmpty()) {
			failWithMessage("%s%nIf the change is meant, write the files with the main class %s",
					String.join("\n", this.actual.differences()), ContractFiles.class.getName());
		}
		return this;
	}

	/**
	 * Verifies that the interfaces fit the {@code .proto} that others have for their
	 * services: methods, numbers of fields and constants, and types on the wire. Fields,
	 * constants and methods that only the file has are allowed.
	 * @param first the file of others
	 * @param more files that it imports, except those of protobuf itself
	 * @return this assertion
	 * @throws AssertionError with each difference
	 */
	public RpcContractAssert matches(Path first, Path... more) {
		List<String> mismatches = this.actual.mismatches(first, more);
		if (!mismatches.isEmpty()) {
			failWithMessage("%s does not match:%n%s", first, String.join("\n", mismatches));
		}
		return this;
	}

}
