package io.rpcboot.relay;

import java.util.List;

import io.rpcboot.client.ReferenceInfo;

/**
 * State of a route of a relay.
 *
 * @param number index of the route, from 0
 * @param route its options
 * @param targets its services, with the instances that get the calls
 * @since 0.1.0
 */
public record RelayInfo(int number, RelayRoute route, List<ReferenceInfo> targets) {

	/**
	 * Returns true if each service has an instance that takes calls.
	 * @return false if calls of one of them fail or wait
	 */
	public boolean isReady() {
		return this.targets.stream().allMatch(ReferenceInfo::isReady);
	}

}
