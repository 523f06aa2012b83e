package io.rpcboot.samples.snippets;

import io.rpcboot.spring.RpcService;

@RpcService
class LocalCache implements Cache {

	@Override
	public int evict(String key) {
		return key.length();
	}

}
