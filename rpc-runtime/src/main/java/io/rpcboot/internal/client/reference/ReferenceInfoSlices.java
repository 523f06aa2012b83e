package io.rpcboot.internal.client.reference;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import io.rpcboot.client.ReferenceInfo;

/**
 * Describes references a slice at a time. It is done on the control thread, which is an
 * event loop: its connections wait for a slice, and not for all references.
 */
public final class ReferenceInfoSlices {

	/** Instances in a slice, which takes some 0.2 ms. */
	static final int INSTANCES = 256;

	private ReferenceInfoSlices() {
	}

	/**
	 * The next slice. Control thread.
	 * @param directories those that are left; the described ones are taken
	 * @return one reference at least, empty if none is left
	 */
	public static List<ReferenceInfo> next(Iterator<ServiceRouter> directories) {
		List<ReferenceInfo> slice = new ArrayList<>();
		int instances = 0;
		while (directories.hasNext() && instances < INSTANCES) {
			ReferenceInfo reference = directories.next().describe();
			slice.add(reference);
			instances += Math.max(1, reference.instances().size());
		}
		return slice;
	}

}
