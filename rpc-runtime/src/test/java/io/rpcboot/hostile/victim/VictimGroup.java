package io.rpcboot.hostile.victim;

import java.util.List;

/** A type of which an instance takes two bytes of a message. */
public final class VictimGroup {

	public List<VictimGroup> kids;

}
