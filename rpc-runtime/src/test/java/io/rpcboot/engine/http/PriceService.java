package io.rpcboot.engine.http;

import java.math.BigDecimal;

import io.rpcboot.RpcContract;
import io.rpcboot.RpcMethod;

/** Service of docs/http.md whose method has no side effects. */
@RpcContract(name = "demo.PriceService")
public interface PriceService {

	@RpcMethod(safe = true)
	BigDecimal price(String article);

}
