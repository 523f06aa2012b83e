/**
 * How calls get along with instances that are sick, slow, cold or far away.
 */
@NullMarked
package io.rpcboot.resilience;

import org.jspecify.annotations.NullMarked;
