/**
 * Calls as observations of Micrometer: their traces.
 */
@NullMarked
package io.rpcboot.spring.observation;

import org.jspecify.annotations.NullMarked;
