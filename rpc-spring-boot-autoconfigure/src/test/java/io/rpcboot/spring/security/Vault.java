package io.rpcboot.spring.security;

import java.util.concurrent.atomic.AtomicInteger;

/** Service with one method for each kind of rule. */
public interface Vault {

	String open(Key key);

	String list(Key key);

	String ping(Key key);

	String burn(Key key);

	String count(Key key);

	String audit(Key key);

	String clean(Key key);

	/** Service without a rule. */
	interface Cellar {

		String open(Key key);

	}

	/** Service with a list of callers in the properties. */
	interface Archive {

		String open(Key key);

	}

	/** Argument that counts how often it was made: by the caller, and by the server. */
	record Key(String name) {

		static final AtomicInteger MADE = new AtomicInteger();

		public Key {
			MADE.incrementAndGet();
		}

	}

}
