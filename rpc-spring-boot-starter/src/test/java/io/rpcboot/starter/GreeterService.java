package io.rpcboot.starter;

import io.rpcboot.spring.RpcService;

@RpcService
class GreeterService implements Greeter {

	@Override
	public String greet(String name) {
		return "Hello " + name;
	}

}
