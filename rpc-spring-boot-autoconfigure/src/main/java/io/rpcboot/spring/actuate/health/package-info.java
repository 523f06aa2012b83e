/**
 * Health indicators {@code rpc} and {@code rpcServer}, and their HTTP status in health
 * groups. Top of the Actuator packages: uses {@code endpoint}, and no package uses it.
 * Reads the same state as the summary, so that the two never disagree.
 */
@NullMarked
package io.rpcboot.spring.actuate.health;

import org.jspecify.annotations.NullMarked;
