/**
 * What calls of a server leave in its log.
 */
@NullMarked
package io.rpcboot.spring.logging;

import org.jspecify.annotations.NullMarked;
