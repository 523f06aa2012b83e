package io.rpcboot.resilience;

import java.time.Duration;

import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.transport.Options;

/**
 * Options of routing: zone, tag and slow start. Immutable. <pre>{@code
 * RoutingOptions.defaults().withZone("eu-1").withTag("canary")
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RoutingOptions extends Options {

	/** Attachment with the tag of a call. */
	public static final String TAG_ATTACHMENT = "route-tag";

	/**
	 * Attachment with the key of a call: calls with the same key go to the same instance.
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
	 * Returns the defaults: no zone, no tag, not strict, and a slow start of 30 s, in
	 * which the JIT compiler of a new process works.
	 * @return the defaults
	 */
	public static RoutingOptions defaults() {
		return DEFAULTS;
	}

	/**
	 * Returns a copy with the zone of the client. Healthy instances of the same zone are
	 * preferred while their weight is at least half of the average weight of a zone; with
	 * less they would be overloaded.
	 * @param zone at most 64 letters, digits, '.', '_' and '-'; empty for no preference
	 * @return a copy
	 * @throws InvalidOptionException if it is malformed
	 */
	public RoutingOptions withZone(String zone) {
		require(ServiceInstance.isName(zone), "routing.zone", "'" + zone + "'", ServiceInstance.NAME);
		return copy((changed) -> changed.zone = zone);
	}

	/**
	 * Returns a copy with the tag of calls without attachment {@value #TAG_ATTACHMENT}. A
	 * call with a tag goes to instances with that tag, a call without a tag to instances
	 * without a tag.
	 * @param tag at most 64 letters, digits, '.', '_' and '-'; empty for none
	 * @return a copy
	 * @throws InvalidOptionException if it is malformed
	 */
	public RoutingOptions withTag(String tag) {
		require(ServiceInstance.isName(tag), "routing.tag", "'" + tag + "'", ServiceInstance.NAME);
		return copy((changed) -> changed.tag = tag);
	}

	/**
	 * Returns a copy with another treatment of a call whose tag no instance has.
	 * @param strict true to let it fail, false to send it to instances without a tag
	 * @return a copy
	 */
	public RoutingOptions withStrict(boolean strict) {
		return copy((changed) -> changed.strict = strict);
	}

	/**
	 * Returns a copy with another slow start: a new instance gets a tenth of its weight
	 * at first, and its whole weight after this time.
	 * @param time time since its start according to the registry, 0 for no slow start
	 * @return a copy
	 * @throws InvalidOptionException if it is negative
	 */
	public RoutingOptions withSlowStart(Duration time) {
		require(!time.isNegative(), "routing.slow-start", time, "0 (none) or more");
		return copy((changed) -> changed.slowStart = time);
	}

	/**
	 * Returns the zone of the client.
	 * @return empty for no preference
	 */
	public String zone() {
		return this.zone;
	}

	/**
	 * Returns the tag of calls without an own tag.
	 * @return empty for none
	 */
	public String tag() {
		return this.tag;
	}

	/**
	 * Returns true if a call fails whose tag no instance has.
	 * @return false if it goes to instances without a tag
	 */
	public boolean isStrict() {
		return this.strict;
	}

	/**
	 * Returns the duration of the slow start.
	 * @return 0 for no slow start
	 */
	public Duration slowStart() {
		return this.slowStart;
	}

}
