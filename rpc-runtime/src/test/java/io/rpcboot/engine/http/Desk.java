package io.rpcboot.engine.http;

import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.RpcMethod;
import org.jspecify.annotations.Nullable;

/** Service that operators call. */
public interface Desk {

	/** Caller, attachment of a name, and credentials. */
	String seen(String attachment);

	String order(Order order, List<String> notes) throws OutOfStock;

	@RpcMethod(nonBlocking = true)
	String atOnce();

	Stream<String> feed(int count);

	record Order(String article, long number, boolean urgent, @Nullable Order next) {
	}

}
