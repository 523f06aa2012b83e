package io.rpcboot.dashboard.browser.shop;

import java.util.concurrent.Phaser;

/** Whoever wants something of it waits while it is shut. Thread-safe. */
public final class Bank {

	private final Phaser door = new Phaser(1);

	/** Whoever waits goes on. Others wait until it opens again. */
	public void open() {
		this.door.arrive();
	}

	void await() {
		this.door.awaitAdvance(this.door.getPhase());
	}

}
