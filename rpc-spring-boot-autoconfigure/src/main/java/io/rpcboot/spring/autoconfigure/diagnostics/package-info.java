/**
 * Failure analysis and checks at start-up.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
