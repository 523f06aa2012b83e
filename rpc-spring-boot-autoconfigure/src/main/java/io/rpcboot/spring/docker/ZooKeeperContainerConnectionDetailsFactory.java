package io.rpcboot.spring.docker;

import io.rpcboot.spring.autoconfigure.registry.RpcRegistryConnectionDetails;
import org.testcontainers.containers.Container;

import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/**
 * Connection details of ZooKeeper in a Testcontainers container with
 * {@code @ServiceConnection}.
 */
final class ZooKeeperContainerConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<Container<?>, RpcRegistryConnectionDetails> {

	ZooKeeperContainerConnectionDetailsFactory() {
		super(ZooKeeperImages.names());
	}

	@Override
	protected RpcRegistryConnectionDetails getContainerConnectionDetails(
			ContainerConnectionSource<Container<?>> source) {
		return new Details(source);
	}

	private static final class Details extends ContainerConnectionDetails<Container<?>>
			implements RpcRegistryConnectionDetails {

		Details(ContainerConnectionSource<Container<?>> source) {
			super(source);
		}

		/** Called when the container runs, which has its port only then. */
		@Override
		public String getConnectString() {
			return ZooKeeperImages.connectString(getContainer().getHost(),
					getContainer().getMappedPort(ZooKeeperImages.PORT));
		}

	}

}
