/**
 * Health indicator and health groups.
 */
@NullMarked
package io.rpcboot.spring.actuate.health;

import org.jspecify.annotations.NullMarked;
