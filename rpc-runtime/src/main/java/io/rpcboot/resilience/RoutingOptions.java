package io.rpcboot.resilience;

import java.time.Duration;

import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Options;

/** Which of the instances that are well a call goes to. Immutable. */
public final class RoutingOptions extends Options {

	/** The attachment of a call that names the instances for which it is. */
	public static final String TAG_ATTACHMENT = "route-tag";

	/**
	 * The attachment of a call that is its key: calls with the same key go to the same
	 * instance.
	 */
	public static final String KEY_ATTACHMENT = "route-key";

	private static final RoutingOptions DEFAULTS = new RoutingOptions();

	private String zone = "";

	private String tag = "";

	private boolean strict;

	private Duration slowStart = Duration.ofSeconds(30);

	private RoutingOptions() {
	}

	/**
	 * No zone, no tag of its own, not strict; a slow start of 30 s, in which a Java
	 * process compiles what it runs.
	 * @return the defaults
	 */
	public static RoutingOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Say where the client runs. Instances of the same zone are preferred as long as
	 * those that are well have at least half of the weight that a zone has on the
	 * average; otherwise they would get more than their share.
	 * @param zone at most 64 letters, digits, '.', '_' and '-'; empty for no preference
	 * @return changed options
	 */
	public RoutingOptions withZone(String zone) {
		require(ServiceInstance.isName(zone), "routing.zone", "'" + zone + "'", ServiceInstance.NAME);
		return copy((changed) -> changed.zone = zone);
	}

	/**
	 * Choose the tag of calls that do not bring one as attachment
	 * {@value #TAG_ATTACHMENT}. A call with a tag goes to instances with that tag; one
	 * without goes to instances without, and to no others.
	 * @param tag at most 64 letters, digits, '.', '_' and '-'; empty for none
	 * @return changed options
	 */
	public RoutingOptions withTag(String tag) {
		require(ServiceInstance.isName(tag), "routing.tag", "'" + tag + "'", ServiceInstance.NAME);
		return copy((changed) -> changed.tag = tag);
	}

	/**
	 * Choose what becomes of a call with a tag that no instance has.
	 * @param strict true to let it fail, false to send it to instances without a tag
	 * @return changed options
	 */
	public RoutingOptions withStrict(boolean strict) {
		return copy((changed) -> changed.strict = strict);
	}

	/**
	 * Change how long an instance that has just started gets less than its weight, a
	 * tenth of it at first.
	 * @param time from its start as its registry knows it, 0 for no slow start
	 * @return changed options
	 */
	public RoutingOptions withSlowStart(Duration time) {
		require(!time.isNegative(), "routing.slow-start", time, "0 (none) or more");
		return copy((changed) -> changed.slowStart = time);
	}

	/**
	 * Where the client runs.
	 * @return empty for no preference
	 */
	public String zone() {
		return this.zone;
	}

	/**
	 * The tag of calls that do not bring one.
	 * @return empty for none
	 */
	public String tag() {
		return this.tag;
	}

	/**
	 * Whether a call fails whose tag no instance has.
	 * @return false if it goes to instances without a tag
	 */
	public boolean isStrict() {
		return this.strict;
	}

	/**
	 * How long an instance that has just started gets less than its weight.
	 * @return 0 for no slow start
	 */
	public Duration slowStart() {
		return this.slowStart;
	}

}
