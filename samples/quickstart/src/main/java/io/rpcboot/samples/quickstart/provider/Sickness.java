package io.rpcboot.samples.quickstart.provider;

import org.springframework.stereotype.Component;

/** Whether this provider fails when it is asked for the stock. Thread-safe. */
@Component
public class Sickness {

	private volatile boolean isSick;

	/** From now on it fails. */
	public void begin() {
		this.isSick = true;
	}

	/** It is well again. */
	public void end() {
		this.isSick = false;
	}

	void failIfSick() {
		if (this.isSick) {
			throw new IllegalStateException("this provider is sick");
		}
	}

}
