package com.acme;

import java.util.List;
import java.util.Map;

import io.rpcboot.RpcAlias;
import io.rpcboot.RpcMethod;

/** The interface whose contract docs/wire-types.md shows. */
public interface Orders {

	Order find(long id) throws UnknownOrder;

	void pay(long id, Payment payment) throws UnknownOrder;

	List<Order> search(Map<String, String> filter, Integer limit);

	@RpcMethod(oneWay = true)
	void seen(long id);

	record Order(long id, @RpcAlias("name") String customer, State state, List<Line> lines) {
	}

	record Line(String article, int count) {
	}

	enum State {

		OPEN, @RpcAlias("DONE")
		CLOSED

	}

	sealed interface Payment permits Card, Cash {

	}

	record Card(String number) implements Payment {
	}

	record Cash() implements Payment {
	}

	/** Its fields follow its message. */
	class UnknownOrder extends Exception {

		private static final long serialVersionUID = 1L;

		private final long id;

		public UnknownOrder(String message, long id) {
			super(message);
			this.id = id;
		}

		public long id() {
			return this.id;
		}

	}

}
