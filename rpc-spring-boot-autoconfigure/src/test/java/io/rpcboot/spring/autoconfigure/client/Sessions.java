package io.rpcboot.spring.autoconfigure.client;

import io.rpcboot.RpcMethod;

/** Service that an application calls when it ends. */
public interface Sessions {

	String end(String who);

	@RpcMethod(oneWay = true)
	void note(String what);

}
