package io.rpcboot.test;

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

}
