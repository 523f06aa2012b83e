package io.rpcboot.benchmarks.ours;

import io.rpcboot.spring.RpcReferenceCustomizer;
import io.rpcboot.transport.Protocol;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The calls are gRPC over HTTP/2.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = OverGrpc.SWITCH)
class OverGrpc {

	static final String SWITCH = "bench.grpc";

	@Bean
	RpcReferenceCustomizer grpc() {
		return (type, name, options) -> options.withProtocol(Protocol.GRPC);
	}

}
