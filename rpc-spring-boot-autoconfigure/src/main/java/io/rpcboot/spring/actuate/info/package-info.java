/**
 * Contribution to the endpoint {@code info}.
 */
@NullMarked
package io.rpcboot.spring.actuate.info;

import org.jspecify.annotations.NullMarked;
