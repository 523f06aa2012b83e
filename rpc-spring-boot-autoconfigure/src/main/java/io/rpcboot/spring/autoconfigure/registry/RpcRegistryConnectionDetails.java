package io.rpcboot.spring.autoconfigure.registry;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where ZooKeeper is. A bean of this type takes the place of
 * {@code rpc.registry.zookeeper.connect-string}, and chooses ZooKeeper unless
 * {@code rpc.registry.type} says otherwise.
 */
public interface RpcRegistryConnectionDetails extends ConnectionDetails {

	/**
	 * The servers.
	 * @return {@code host:port[,host:port...][/path]}
	 */
	String getConnectString();

}
