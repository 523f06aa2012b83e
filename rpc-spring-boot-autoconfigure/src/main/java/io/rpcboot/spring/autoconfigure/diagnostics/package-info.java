/**
 * Failure analysis and checks at start-up. Uses {@code properties}, {@code reference} and
 * {@code lifecycle}; auto-configuration of client and server use it. A message has the
 * form {@code name: value (expected: rule)}, and its action is a complete sentence.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
