package io.rpcboot.spring.docker;

import io.rpcboot.spring.autoconfigure.registry.RpcRegistryConnectionDetails;

import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/** Connection details of ZooKeeper in a service of Docker Compose. */
final class ZooKeeperDockerComposeConnectionDetailsFactory
		extends DockerComposeConnectionDetailsFactory<RpcRegistryConnectionDetails> {

	ZooKeeperDockerComposeConnectionDetailsFactory() {
		super(ZooKeeperImages.NAMES);
	}

	@Override
	protected RpcRegistryConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
		return new Details(source.getRunningService());
	}

	private static final class Details extends DockerComposeConnectionDetails implements RpcRegistryConnectionDetails {

		private final String connectString;

		Details(RunningService service) {
			super(service);
			this.connectString = ZooKeeperImages.connectString(service.host(),
					service.ports().get(ZooKeeperImages.PORT));
		}

		@Override
		public String getConnectString() {
			return this.connectString;
		}

	}

}
