package io.rpcboot.security;

import java.util.ArrayList;

/** A class that no contract knows. To load it is the attack. */
public final class Gadget extends ArrayList<Object> {

	private static final long serialVersionUID = 1L;

	/** An enum that no contract knows. */
	public enum Choice {

		ONE

	}

}
