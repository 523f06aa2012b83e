/**
 * Bean Validation of arguments at a server. Uses {@code autoconfigure.server}, and no
 * package uses it. Constraints of the interface count, not those of the implementing
 * class, so that clients and server have the same contract.
 */
@NullMarked
package io.rpcboot.spring.validation;

import org.jspecify.annotations.NullMarked;
