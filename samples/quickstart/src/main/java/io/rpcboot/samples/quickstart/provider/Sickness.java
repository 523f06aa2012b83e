package io.rpcboot.samples.quickstart.provider;

import org.springframework.stereotype.Component;

/** Switch that makes this provider fail each call of {@code stock}. Thread-safe. */
@Component
public class Sickness {

	private volatile boolean isSick;

	/** Begins to fail. */
	public void begin() {
		this.isSick = true;
	}

	/** Ends the failures. */
	public void end() {
		this.isSick = false;
	}

	void failIfSick() {
		if (this.isSick) {
			throw new IllegalStateException("this provider is sick");
		}
	}

}
