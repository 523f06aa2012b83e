package io.rpcboot.spring;

import java.util.Map;

import io.rpcboot.ServiceId;

/** Where that was said which is in force for the services of this process. */
@FunctionalInterface
public interface RpcServiceOrigins {

	/**
	 * What was said of a service beside its annotations.
	 * @param service the service
	 * @return properties by the option that they set, as properties call it:
	 * {@code max-threads}, {@code methods.<method>.dispatch}; empty for none
	 */
	Map<String, String> of(ServiceId service);

}
